"""The program as it was before: a mutable model, and a screen that edits it.

Nothing here knows a store.
"""

from .donut import DOUGHS, GLAZES, TOPPINGS, Donut, menu
from .donut_editor import DonutEditor
from .model import FoodTruckModel
from .order import Order

__all__ = [
    "DOUGHS",
    "GLAZES",
    "TOPPINGS",
    "Donut",
    "DonutEditor",
    "FoodTruckModel",
    "Order",
    "menu",
]
