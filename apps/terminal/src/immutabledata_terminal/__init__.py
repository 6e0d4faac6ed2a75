"""What the terminal applications of immutabledata share, built on Textual.

An application shows a store, which a StoreApp owns. Its widgets observe the outputs of selectors
while they are mounted (StoreWidget), and dispatch actions. A ListPane shows records in Rows, which
render only what is in view, with a Find above them. command_line runs an application.

terminal.tcss has the styles of these widgets. The module testing has tools for tests.
"""

from .app import STYLES, StoreApp
from .confirm import Confirmation
from .find import Find
from .list_pane import ListPane
from .printable import printable
from .rows import Record, Rows
from .status import Status
from .status_line import StatusLine
from .store_widget import StoreWidget
from .undo import UNDO_BINDINGS, Action, Step, UndoList

__all__ = [
    "STYLES",
    "UNDO_BINDINGS",
    "Action",
    "Confirmation",
    "Find",
    "ListPane",
    "Record",
    "Rows",
    "Status",
    "StatusLine",
    "Step",
    "StoreApp",
    "StoreWidget",
    "UndoList",
    "printable",
]
