"""The sort keys of the list of orders."""

from __future__ import annotations

from typing import NamedTuple

COLUMNS = {
    "id": "Order",
    "status": "Status",
    "totalSales": "Donuts",
    "grandTotal": "Total",
    "creationDate": "Placed",
}
"""The titles of the columns, by their sort keys."""

_OPPOSITE = {"forward": "reverse", "reverse": "forward"}
_ARROWS = {"forward": "▲", "reverse": "▼"}
_RANKS = ["", "₂", "₃", "₄", "₅"]


class Sorting(NamedTuple):
    """Sort keys and their orders, the most important first."""

    keys: tuple[tuple[str, str], ...] = (("status", "reverse"), ("creationDate", "reverse"))

    @property
    def argument(self) -> list[dict[str, str]]:
        """The argument "sort" of the selector."""
        return [{"by": by, "order": order} for by, order in self.keys]

    def by(self, column: str) -> Sorting:
        """Sorts by a column first, then as before. If it was the first, reverses its order."""
        first, order = self.keys[0]
        if column == first:
            return Sorting(((first, _OPPOSITE[order]), *self.keys[1:]))
        others = tuple(key for key in self.keys if key[0] != column)
        return Sorting(((column, dict(self.keys).get(column, "reverse")), *others))

    def next(self) -> Sorting:
        """Sorts by the column after the first sort key, then as before."""
        columns = list(COLUMNS)
        index = columns.index(self.keys[0][0]) + 1
        return self.by(columns[index % len(columns)])

    def reversed(self) -> Sorting:
        return self.by(self.keys[0][0])

    def title(self, column: str) -> str:
        """The title of a column, with an arrow and a rank if the orders are sorted by it."""
        for rank, (by, order) in zip(_RANKS, self.keys):
            if by == column:
                return COLUMNS[column] + _ARROWS[order] + rank
        return COLUMNS[column]
