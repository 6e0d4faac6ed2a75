"""Earthquakes in a terminal: a list and a map.

    immutabledata-quakes [--store PATH] [--feed URL] [--time-zone NAME]

All state is in a store of the domain "quakes" of immutabledata. Each user input is dispatched as
an action, and widgets show the outputs of selectors, which they observe while they are mounted.
Start reading with app.py, then browse.py and the widgets that it composes. The package feed_server
is a stand-in for the feed.
"""

from .app import QuakesApp

__all__ = ["QuakesApp"]
