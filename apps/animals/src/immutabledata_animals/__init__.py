"""Animals by category in a terminal, kept in a file or on a server.

    immutabledata-animals [--store PATH | --remote URL]

All state is that of a store of the domain "animals" of immutabledata. What the user does becomes
an action (observing.py); what is shown is the output of a selector, observed for as long as its
widget is there. To read the code, begin with app.py, then browse.py and what it composes.
"""

from .app import AnimalsApp

__all__ = ["AnimalsApp"]
