"""Action creators: functions that make the actions of one type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar, overload

from .._values import JSON, Action, quoted, suggestion

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    Parameters = ParamSpec("Parameters")
else:
    Parameters = TypeVar("Parameters")

_ABSENT: Any = object()

Payload = TypeVar("Payload")


class ActionCreator(Generic[Payload]):
    """Makes actions of one type, the attribute type; case is the function that reduces them.

    Call it with the payload, if any; meta may be added.
    """

    __slots__ = ("case", "type")

    def __init__(self, type: str, case: Callable[[Any, Action[Payload]], object]) -> None:
        self.type = type
        self.case = case

    @overload
    def __call__(self: ActionCreator[None], /, *, meta: JSON = ...) -> dict[str, Any]: ...
    @overload
    def __call__(self, payload: Payload, /, *, meta: JSON = ...) -> dict[str, Any]: ...

    def __call__(self, payload: Any = _ABSENT, /, *, meta: JSON = _ABSENT) -> dict[str, Any]:
        action: dict[str, Any] = {"type": self.type}
        if payload is not _ABSENT:
            action["payload"] = payload
        if meta is not _ABSENT:
            action["meta"] = meta
        return action

    def __repr__(self) -> str:
        return f"<immutabledata.ActionCreator {self.type!r}>"

    def _example(self) -> str:
        """A call, for messages."""
        return f"{getattr(self.case, '__name__', self.type)}()"


class KeywordCreator(Generic[Parameters]):
    """Makes actions of one type, the attribute type; case is the function that reduces them.

    Call it with the members of the payload, as the function has them: moved(id="1", lane="done").
    """

    __slots__ = ("_names", "_write", "case", "type")

    def __init__(
        self,
        type: str,
        case: Callable[Concatenate[Any, Parameters], object],
        names: Sequence[str],
        write: Callable[[dict[str, Any]], Any],
    ) -> None:
        self.type = type
        self.case = case
        self._names = names
        self._write = write

    def __call__(self, *none: Parameters.args, **payload: Parameters.kwargs) -> dict[str, Any]:
        if none:
            has = f"the payload of {quoted(self.type)} has names"
            if not self._names:
                has = f"{quoted(self.type)} has no payload"
            raise TypeError(f"{has}: {self._example()}")
        members = self._write(payload)
        return {"type": self.type, "payload": members} if members else {"type": self.type}

    def __repr__(self) -> str:
        return f"<immutabledata.KeywordCreator {self.type!r}>"

    def _example(self) -> str:
        """A call, for messages."""
        return f"{self.case.__name__}({', '.join(f'{name}=…' for name in self._names)})"


class Actions:
    """The action creators of a slice, as attributes."""

    __slots__ = ("_creators", "_slice")

    def __init__(self, slice: str, creators: Mapping[str, Any]) -> None:
        self._slice = slice
        self._creators = creators

    def __getattr__(self, name: str) -> Any:
        if name in Actions.__slots__:  # Not set yet: this object is being copied.
            raise AttributeError(name)
        if name in self._creators:
            return self._creators[name]
        raise AttributeError(
            f"the slice {quoted(self._slice)} has no action {quoted(name)}"
            f"{suggestion(name, self._creators)}"
        )

    def __dir__(self) -> list[str]:
        return list(self._creators)

    def __repr__(self) -> str:
        return f"<immutabledata.Actions {', '.join(self._creators)}>"
