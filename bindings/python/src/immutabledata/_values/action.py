"""The type of an action, as a reducer reads it."""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypeVar, overload

from .path import Path

Payload_co = TypeVar("Payload_co", covariant=True)


class Action(Protocol[Payload_co]):
    """An action with a payload of a known type, for annotations.

        def added(draft: list[Todo], action: imd.Action[Todo]) -> None: ...

    At run time it is an ObjectValue, or what a test passes instead.
    """

    @overload
    def __getitem__(self, key: Literal["type"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["payload"], /) -> Payload_co: ...
    @overload
    def __getitem__(self, key: Literal["meta"], /) -> Any: ...

    def __contains__(self, key: object, /) -> bool: ...

    def at(self, path: Path, /) -> Any: ...
