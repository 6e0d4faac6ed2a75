"""The progress of a fetch or a change."""

from __future__ import annotations

from typing import Any, NamedTuple

from .printable import printable


class Status(NamedTuple):
    """A status in the store: kind is "waiting", "success", "failure", or "empty" for none."""

    kind: str = "empty"
    error: str = ""

    @classmethod
    def of(cls, output: Any) -> Status:
        """Converts a selector's output: null, {"waiting": {}}, {"failure": {"error": "…"}}, …"""
        for kind, content in (output or {}).items():
            return cls(kind, printable(content.get("error", "")))
        return cls()

    @property
    def is_waiting(self) -> bool:
        return self.kind == "waiting"

    @property
    def has_failed(self) -> bool:
        return self.kind == "failure"
