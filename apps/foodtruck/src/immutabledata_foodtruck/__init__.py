"""The orders of a food truck in a terminal: a program that moves to a store step by step.

    immutabledata-foodtruck [--seed NUMBER]

The package legacy is the program as it was: a mutable model, and a screen that edits it. The
package migration connects the model with a store of the domain "foodtruck" of immutabledata. The
other screens show the outputs of selectors, and dispatch actions. Start reading with app.py.
"""

from .app import FoodTruckApp

__all__ = ["FoodTruckApp"]
