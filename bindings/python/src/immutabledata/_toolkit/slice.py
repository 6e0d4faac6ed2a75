"""Slices: a part of the state, its actions, and a reducer for each action, under one name."""

from __future__ import annotations

from typing import Any, Callable, TypeVar

from .._values import JSON, Action, Reducer, drafting, plain, quoted, similar_names, suggestion
from ..errors import InvalidArgumentError, warn, wrong_type
from .action_creator import ActionCreator, Actions, Payload

# The maximum number of types without a case that a slice remembers.
_MAX_IGNORED = 1000

_Case = TypeVar("_Case", bound=Reducer[Any])


class Slice:
    """A part of the state, its actions, and a reducer for each action, under one name.

        todos = imd.Slice("todos", [])

        @todos.on("added")
        def added(draft, action):
            draft.append(action["payload"])

        store = imd.Store(imd.combine(todos=todos))
        store.dispatch(added({"title": "Write"}))

    A slice is a reducer: it passes each action to the case for its type, which changes a draft (see
    drafting). An action without a case does not change the state. If its type looks like a
    misspelling of one of the slice's types, or is one of them without the slice's name, a
    LikelyMistakeWarning suggests that type.

    Complexity: that of the case, regardless of the number of cases.
    """

    __slots__ = ("_cases", "_creators", "_ignored", "actions", "initial_state", "name")

    def __init__(self, name: str, initial_state: JSON) -> None:
        """Makes a slice without cases.

        The types of its actions begin with its name. The initial state is that of a store of the
        slice, and of its part of a store with a combined reducer.

        Raises InvalidArgumentError: the name is empty.
        """
        if not isinstance(name, str):
            raise wrong_type("the name of a slice", "a str", name)
        if not name:
            raise InvalidArgumentError("the name of a slice must not be empty")
        self.name = name = plain(name)
        self.initial_state = initial_state
        self._creators: dict[str, ActionCreator[Any]] = {}
        self.actions = Actions(name, self._creators)
        """The action creators, by the names given to on: actions.added(payload)."""
        self._cases: dict[str, Reducer[Any]] = {}
        # The types that have no case, and whether a warning said so.
        self._ignored: dict[str, bool] = {}

    def on(
        self, name: str, /
    ) -> Callable[[Callable[[Any, Action[Payload]], object]], ActionCreator[Payload]]:
        """Turns the decorated function into the case for an action of this slice.

        The function is called with a draft and the action, whose type is "slice/name". In its
        place, the decorator returns the action creator, which is also actions.name. The creator
        takes the payload that the function declares: action: Action[Todo].

        Raises InvalidArgumentError: the name is empty, or the slice already has a case for it.
        """
        if not isinstance(name, str):
            raise wrong_type("the name of an action, as in @slice.on('added'),", "a str", name)
        if not name:
            raise InvalidArgumentError("the name of an action must not be empty")
        name = plain(name)

        def register(case: Callable[[Any, Action[Payload]], object]) -> ActionCreator[Payload]:
            creator = ActionCreator(f"{self.name}/{name}", case)
            self._register(creator.type, case)
            self._creators[name] = creator
            return creator

        return register

    def on_type(self, type: str, /) -> Callable[[_Case], _Case]:
        """Makes the decorated function the case for a type, for example of another slice.

        The decorator returns the function unchanged.

        Raises InvalidArgumentError: the slice already has a case for the type.
        """
        if not isinstance(type, str):
            raise wrong_type("the type of an action", "a str", type)
        type = plain(type)

        def register(case: _Case) -> _Case:
            self._register(type, case)
            return case

        return register

    def __call__(self, state: Any, action: Any) -> Any:
        case = self._cases.get(action["type"])
        if case is not None:
            return case(state, action)
        self._warn_if_misspelled(action["type"])
        return state

    def takes(self, type: str, /) -> bool:
        """Whether there is a case for a type, or a warning has said that there is none."""
        return type in self._cases or self._ignored.get(type, False)

    def __repr__(self) -> str:
        return f"<immutabledata.Slice {self.name!r}>"

    def _register(self, type: str, case: Reducer[Any]) -> None:
        if type in self._cases:
            raise InvalidArgumentError(
                f"the slice {quoted(self.name)} already has a case for {quoted(type)}"
            )
        self._cases[type] = drafting(case)

    def _warn_if_misspelled(self, type: str) -> None:
        # Only a similar type: an action of this slice may also be meant for listeners alone.
        prefix, _, name = type.partition("/")
        if prefix != self.name and type not in self._creators:
            return
        if type in self._ignored or len(self._ignored) == _MAX_IGNORED:
            return
        self._ignored[type] = False  # Comparing names takes longer than a dispatch.
        if type in self._creators:
            hint = f"; did you mean {quoted(self._creators[type].type)}?"
        elif similar_names(name, self._creators):
            hint = suggestion(type, [creator.type for creator in self._creators.values()])
        else:
            return
        self._ignored[type] = True
        warn(f"the slice {quoted(self.name)} ignores {quoted(type)}{hint}")
