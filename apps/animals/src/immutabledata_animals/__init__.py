"""Animals by category in a terminal, stored in a file or on a server.

    immutabledata-animals [--store PATH | --remote URL [--token-file PATH]]

The animals are in a store of the domain "animals" of immutabledata. Commands that fetch or change
them dispatch actions, and widgets show the outputs of selectors, which they observe while they are
mounted (StoreWidget of immutabledata_terminal). The selection and the text to find are in the
widgets. Start reading with app.py, then browse.py and the widgets that it composes.
"""

from .app import AnimalsApp

__all__ = ["AnimalsApp"]
