"""Slices: a part of the state, its actions and what each does to it, under one name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable, TypeVar

from .._values.draft import Reducer, drafting
from .._values.json_text import JSON
from ..errors import InvalidArgumentError

_ABSENT: Any = object()

_Case = TypeVar("_Case", bound=Reducer)


class ActionCreator:
    """Makes the actions of one type: called with the payload, if there is one.

    meta may be added. The type stands in type.
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
    """A part of the state, its actions and what each does to it, under one name.

        todos = imd.Slice("todos", [])

        @todos.on("added")
        def added(draft, action):
            draft.append(action["payload"])

        store = imd.Store(imd.combine(todos=todos))
        store.dispatch(todos.actions.added({"title": "Write"}))

    A slice is a reducer: it hands each action to the case of its type, which changes a draft (see
    drafting). Of other actions the state is left alone.

    Complexity: that of the case, however many there are.
    """

    __slots__ = ("_cases", "actions", "initial_state", "name")

    def __init__(self, name: str, initial_state: JSON) -> None:
        """Makes a slice without cases.

        The types of its actions begin with its name. A store of the slice begins with the initial
        state, as does that part of a store of what combine makes.

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
        """Registers what is decorated for an action of this slice, and makes its action creator.

        The type of the action is "slice/name"; it is made by actions.name. The function is called
        with a draft and the action, and comes back undecorated.

        Raises InvalidArgumentError: the name is empty.
        """
        if not isinstance(name, str):
            raise TypeError(f"on is given a name, as in @slice.on('added'), not {_kind(name)}")
        if not name:
            raise InvalidArgumentError("the name of an action must not be empty")
        creator = ActionCreator(f"{self.name}/{name}")

        def register(case: _Case) -> _Case:
            self._register(creator.type, case)
            setattr(self.actions, name, creator)
            return case

        return register

    def on_type(self, type: str, /) -> Callable[[_Case], _Case]:
        """Registers what is decorated for actions of any type, such as those of another slice."""
        if not isinstance(type, str):
            raise TypeError(f"on_type is given the type of an action, not {_kind(type)}")

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
            raise ValueError(f"the slice {self.name!r} has a case for {type!r} already")
        self._cases[type] = drafting(case)


def _kind(of: object) -> str:
    return type(of).__name__
