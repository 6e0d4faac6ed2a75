"""The food truck before the migration: a mutable model, and screens that follow it."""

from .model import Donut, FoodTruckModel, Order, Till
from .screens import DonutsScreen, OrdersScreen, Sessions, Taps, TruckScreen, order_row, truck_row
from .script import App, play

__all__ = [
    "App",
    "Donut",
    "DonutsScreen",
    "FoodTruckModel",
    "Order",
    "OrdersScreen",
    "Sessions",
    "Taps",
    "Till",
    "TruckScreen",
    "order_row",
    "play",
    "truck_row",
]
