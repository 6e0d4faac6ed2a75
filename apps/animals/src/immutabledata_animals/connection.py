"""The status of the connection to a server."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from immutabledata_terminal import printable


class Connection(NamedTuple):
    """The status of a store's connection.

    kind is "connecting", "following", "lost" or "retrying"; "none" if the animals are in a file.
    """

    kind: str = "none"
    error: str = ""
    since: int = 0

    @classmethod
    def of(cls, output: Any) -> Connection:
        """Converts the output of selectConnection: null, {"following": {}}, {"lost": {…}}, …"""
        for kind, content in (output or {}).items():
            return cls(kind, printable(content.get("error", "")), content.get("since", 0))
        return cls()

    @property
    def is_lost(self) -> bool:
        return self.kind in ("lost", "retrying")

    @property
    def is_connecting(self) -> bool:
        return self.kind == "connecting"

    @property
    def message(self) -> str:
        clock = time.strftime("%H:%M:%S", time.localtime(self.since / 1000))
        return f"No connection since {clock}, trying again: {self.error}"
