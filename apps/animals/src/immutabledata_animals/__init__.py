"""Animals by category in a terminal, stored in a file or on a server.

    immutabledata-animals [--store PATH | --remote URL [--token-file PATH]]

All state is in a store of the domain "animals" of immutabledata. Each user input is dispatched
as an action, and widgets show the outputs of selectors, which they observe while they are mounted
(StoreWidget of immutabledata_terminal). Start reading with app.py, then browse.py and the widgets
that it composes.
"""

from .app import AnimalsApp

__all__ = ["AnimalsApp"]
