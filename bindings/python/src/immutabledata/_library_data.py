"""The base class of the data that a library holds.

All libraries of the process share it, so each recognizes the data of the others.
"""

from __future__ import annotations

from typing import Any, ClassVar


class LibraryData:
    """Data that a library holds: a Value or a draft."""

    __slots__ = ()

    library_path: ClassVar[str]

    def _reference(self) -> Any:
        """A reference to the data as it is now."""
        raise NotImplementedError
