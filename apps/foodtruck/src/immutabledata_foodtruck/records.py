"""The records of the store, as plain data."""

from immutabledata_terminal import Record

Order = Record
"""Its members: see order_json in migration/model_listener.py."""

Donut = Record
"""Its members: see donut_json there."""
