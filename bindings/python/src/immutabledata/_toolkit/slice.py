"""Slices: a part of the state, its actions, and a reducer for each action, under one name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, TypeVar

from .._values import JSON, Reducer, drafting
from ..errors import InvalidArgumentError

_ABSENT: Any = object()

_Case = TypeVar("_Case", bound=Reducer)


class ActionCreator:
    """Makes actions of one type, the attribute type.

    Call it with the payload, if there is one; meta may be added.
    """

    __slots__ = ("type",)

    def __init__(self, type: str) -> None:
        self.type = type

    def __call__(self, payload: JSON = _ABSENT, /, *, meta: JSON = _ABSENT) -> dict[str, JSON]:
        action: dict[str, JSON] = {"type": self.type}
        if payload is not _ABSENT:
            action["payload"] = payload
        if meta is not _ABSENT:
            action["meta"] = meta
        return action

    def __repr__(self) -> str:
        return f"<immutabledata.ActionCreator {self.type!r}>"


class Slice:
    """A part of the state, its actions, and a reducer for each action, under one name.

        todos = imd.Slice("todos", [])

        @todos.on("added")
        def added(draft, action):
            draft.append(action["payload"])

        store = imd.Store(imd.combine(todos=todos))
        store.dispatch(todos.actions.added({"title": "Write"}))

    A slice is a reducer: it passes each action to the case for its type, which changes a draft (see
    drafting). An action without a case does not change the state.

    Complexity: that of the case, regardless of the number of cases.
    """

    __slots__ = ("_cases", "actions", "initial_state", "name")

    def __init__(self, name: str, initial_state: JSON) -> None:
        """Makes a slice without cases.

        The types of its actions begin with its name. The initial state is that of a store of the
        slice, and of its part of a store with a combined reducer.

        Raises InvalidArgumentError: the name is empty.
        """
        if not isinstance(name, str):
            raise TypeError(f"the name of a slice is a str, not {_kind(name)}")
        if not name:
            raise InvalidArgumentError("the name of a slice must not be empty")
        self.name = name
        self.initial_state = initial_state
        self.actions = SimpleNamespace()
        """The action creators, by the names given to on: actions.added(payload)."""
        self._cases: dict[str, Reducer] = {}

    def on(self, name: str, /) -> Callable[[_Case], _Case]:
        """Registers the decorated function as the case for an action of this slice.

        The type of the action is "slice/name"; its action creator is actions.name. The function is
        called with a draft and the action. The decorator returns it unchanged.

        Raises InvalidArgumentError: the name is empty.
        Raises ValueError: the slice already has a case for the action.
        """
        if not isinstance(name, str):
            raise TypeError(f"on takes a name, as in @slice.on('added'), not {_kind(name)}")
        if not name:
            raise InvalidArgumentError("the name of an action must not be empty")
        creator = ActionCreator(f"{self.name}/{name}")

        def register(case: _Case) -> _Case:
            self._register(creator.type, case)
            setattr(self.actions, name, creator)
            return case

        return register

    def on_type(self, type: str, /) -> Callable[[_Case], _Case]:
        """Registers the decorated function as the case for a type, for example of another slice."""
        if not isinstance(type, str):
            raise TypeError(f"on_type takes the type of an action, a str, not {_kind(type)}")

        def register(case: _Case) -> _Case:
            self._register(type, case)
            return case

        return register

    def __call__(self, state: Any, action: Any) -> Any:
        case = self._cases.get(action["type"])
        return state if case is None else case(state, action)

    def __repr__(self) -> str:
        return f"<immutabledata.Slice {self.name!r}>"

    def _register(self, type: str, case: Reducer) -> None:
        if type in self._cases:
            raise ValueError(f"the slice {self.name!r} already has a case for {type!r}")
        self._cases[type] = drafting(case)


def _kind(data: object) -> str:
    return type(data).__name__
