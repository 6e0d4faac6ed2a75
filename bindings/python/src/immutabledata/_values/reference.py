"""What the library holds already: values, and drafts of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .conversion import Share


class Held:
    """What the library holds already, so that it goes into other values as it is."""

    __slots__ = ()

    def _share(self) -> Share:
        raise NotImplementedError
