"""A kanban board in a terminal, which several programs change at once.

    immutabledata-board [--shared] [PATH]
    immutabledata-board --log ADDRESS

reduce is the reducer, for programs that change the board, too:

    imd send board.imd immutabledata_board:reduce board/added \\
      '{"id": "7", "column": "todo", "title": "Write"}'

It needs no terminal. Start reading with reducer.py, then app.py.
"""

from .reducer import reduce

__all__ = ["reduce"]
