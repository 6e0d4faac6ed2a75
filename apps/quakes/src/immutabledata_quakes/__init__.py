"""Earthquakes in a terminal: a list and a map.

    immutabledata-quakes [--store PATH] [--feed URL] [--time-zone NAME]

The quakes are in a store of the domain "quakes" of immutabledata. Commands that fetch or delete
them dispatch actions, and widgets show the outputs of selectors, which they observe while they are
mounted. The day, the order, the selection and the text to find are in the widgets. Start reading
with app.py, then browse.py and the widgets that it composes. The package feed_server is a stand-in
for the feed.
"""

from .app import QuakesApp

__all__ = ["QuakesApp"]
