"""Slices: a part of the state, its actions, and a reducer for each action, under one name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Protocol, TypeVar, overload

from .._values import (
    ASYNC_REDUCER,
    JSON,
    Action,
    Reducer,
    drafting,
    plain,
    quoted,
    require_function,
    require_reducer,
    similar_names,
)
from ..errors import InvalidArgumentError, warn, wrong_type
from .action_creator import ActionCreator, Actions, KeywordCreator, Parameters, Payload

if TYPE_CHECKING:
    from typing_extensions import Concatenate

# The maximum number of types without a case that a slice remembers.
_MAX_IGNORED = 1000

# For a message, the functions that on takes.
_FORMS = "a function such as case(draft), case(draft, *, title: str) or case(draft, action)"

_Case = TypeVar("_Case", bound=Reducer[Any])


class _On(Protocol):
    """A decorator that turns a function into the case for an action."""

    # A function of two parameters has an action, never a payload.
    @overload
    def __call__(  # pyright: ignore[reportOverlappingOverload]
        self, case: Callable[[Any, Action[Payload]], object], /
    ) -> ActionCreator[Payload]: ...
    @overload
    def __call__(
        self, case: Callable[Concatenate[Any, Parameters], object], /
    ) -> KeywordCreator[Parameters]: ...


class Slice:
    """A part of the state, its actions, and a reducer for each action, under one name.

        todos = imd.Slice("todos", [])

        @todos.on
        def added(draft, *, title: str):
            draft.append({"title": title})

        store = imd.Store(imd.combine(todos=todos))
        store.dispatch(added(title="Write"))

    A slice is a reducer: it passes each action to the case for its type, which changes a draft (see
    drafting). An action without a case does not change the state. If its type looks like a
    misspelling of one of the slice's types, or is one of them without the slice's name, a
    LikelyMistakeWarning suggests that type.

    Complexity: that of the case, regardless of the number of cases.
    """

    __slots__ = (
        "_cases",
        "_creators",
        "_ignored",
        "_parameters",
        "actions",
        "initial_state",
        "name",
    )

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
        self._creators: dict[str, ActionCreator[Any] | KeywordCreator[Any]] = {}
        self.actions = Actions(name, self._creators)
        """The action creators, by the names given to on: actions.added(payload)."""
        self._cases: dict[str, Reducer[Any]] = {}
        # The keyword parameters of cases, by the types of the actions.
        self._parameters: dict[str, Any] = {}
        # The types that have no case, and whether a warning said so.
        self._ignored: dict[str, bool] = {}

    @overload
    def on(self, name: str, /) -> _On: ...
    @overload
    def on(  # pyright: ignore[reportOverlappingOverload]
        self, case: Callable[[Any, Action[Payload]], object], /
    ) -> ActionCreator[Payload]: ...
    @overload
    def on(
        self, case: Callable[Concatenate[Any, Parameters], object], /
    ) -> KeywordCreator[Parameters]: ...

    def on(self, name: Any, /) -> Any:
        """Turns the decorated function into the case for an action of this slice.

            todos = imd.Slice("todos", [])

            @todos.on
            def renamed(draft, *, index: int, title: str):
                draft[index]["title"] = title

            action = renamed(index=0, title="Sleep")

        The type of the action is "slice/name"; the name is that of the function, or the one in
        @todos.on("name"). The function is called with a draft, and takes the payload as keyword
        parameters: their types are the schema of the payload. Or it takes the whole action as a
        second parameter, action: Action[Todo], and its payload is not checked.

        In the place of the function, the decorator returns the action creator, which is also
        actions.name. It takes the same keyword parameters, or the payload.

        Raises InvalidArgumentError: the name is empty, or the slice already has a case for it.
        Raises TypeError: the function has other parameters; or the second one, which gets the whole
        action, has the type of a payload, because a * before it is missing.
        """
        if callable(name):
            return self.on(getattr(name, "__name__", ""))(name)
        if not isinstance(name, str):
            raise wrong_type("the name of an action, as in @slice.on('added'),", "a str", name)
        if not name:
            raise InvalidArgumentError("the name of an action must not be empty")
        name = plain(name)
        type = f"{self.name}/{name}"

        def register(case: Any) -> Any:
            creator = self._keyword_creator(type, case) or ActionCreator(type, case)
            if isinstance(creator, ActionCreator):
                self._register(type, case, _FORMS, has_keywords=True)
            self._creators[name] = creator
            return creator

        return register

    def _keyword_creator(self, type: str, case: Any) -> KeywordCreator[Any] | None:
        """Registers a case with keyword parameters; None for any other."""
        from .._types.parameters import Parameters, takes_keywords

        if not takes_keywords(case):
            return None
        require_function(case, "a case of a slice", _FORMS, None, ASYNC_REDUCER)
        parameters = Parameters(case)
        self._cases[self._unused(type)] = drafting(
            lambda draft, action: case(draft, **parameters.read(action))
        )
        self._parameters[type] = parameters
        return KeywordCreator(type, case, parameters.annotations.keywords, parameters.write)

    @property
    def schema(self) -> dict[str, Any] | None:
        """The option schema of a store: what the cases with keyword parameters say; or None.

        Raises TypeError: the type of a parameter cannot be a schema; the message names it.
        """
        if not self._parameters:
            return None
        from .._types.parameters import slice_schema

        return slice_schema(self._parameters)

    def on_type(self, type: str, /) -> Callable[[_Case], _Case]:
        """Makes the decorated function the case for a type, for example of another slice.

        The decorator returns the function unchanged.

        Raises InvalidArgumentError: the slice already has a case for the type.
        Raises TypeError: the function does not take a draft and an action.
        """
        if not isinstance(type, str):
            raise wrong_type("the type of an action", "a str", type)
        type = plain(type)

        def register(case: _Case) -> _Case:
            self._register(type, case, "a function such as case(draft, action)")
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

    def _register(
        self, type: str, case: Reducer[Any], forms: str, *, has_keywords: bool = False
    ) -> None:
        """Registers a case that takes a whole action.

        forms: those of a case, for a message; has_keywords: whether it could take keywords.
        """
        from .._types.parameters import refuse_payload

        require_reducer(case, "a case of a slice", forms)
        refuse_payload(case, has_keywords=has_keywords)
        self._cases[self._unused(type)] = drafting(case)

    def _unused(self, type: str) -> str:
        """A type, unless there is a case for it."""
        if type in self._cases:
            raise InvalidArgumentError(
                f"the slice {quoted(self.name)} already has a case for {quoted(type)}"
            )
        return type

    def _warn_if_misspelled(self, type: str) -> None:
        # Only a similar type: an action of this slice may also be meant for listeners alone.
        prefix = f"{self.name}/"
        if not type.startswith(prefix) and type not in self._creators:
            return
        if type in self._ignored or len(self._ignored) == _MAX_IGNORED:
            return
        self._ignored[type] = False  # Comparing names takes longer than a dispatch.
        # All types of the slice begin alike, so only what follows is compared.
        name = type[len(prefix) :]
        near = [type] if type in self._creators else similar_names(name, self._creators)
        if not near:
            return
        self._ignored[type] = True
        meant = " or ".join(quoted(self._creators[each].type) for each in near)
        warn(f"the slice {quoted(self.name)} ignores {quoted(type)}; did you mean {meant}?")
