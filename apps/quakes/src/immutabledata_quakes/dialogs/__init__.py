"""The dialogs."""

from .day_dialog import DayDialog
from .range_dialog import RangeDialog

__all__ = ["DayDialog", "RangeDialog"]
