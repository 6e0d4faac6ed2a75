"""The migration: the listeners between the legacy model and the store, the activities, and undo.

The model stays the source of truth. ModelListener copies what it publishes into the store, and
StoreListener passes the taps on the screens of the store on to it.
"""

from .activities import Activities
from .model_history import ModelHistory
from .model_listener import ModelListener
from .store_listener import StoreListener

__all__ = ["Activities", "ModelHistory", "ModelListener", "StoreListener"]
