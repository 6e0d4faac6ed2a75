"""combine: a reducer for an object, made of reducers for its members."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._types import classes_of, typed
from .._values import (
    ASYNC_REDUCER,
    ObjectDraft,
    ObjectValue,
    Reducer,
    identical,
    plain,
    quoted,
    refuse_coroutine,
    require_reducer,
    value,
)
from .._values.path import escape
from ..errors import InvalidArgumentError, ReducerFailedError, warn


class Combined:
    """A reducer made of other reducers; see combine."""

    __slots__ = ("_reducers", "initial_state")

    def __init__(self, reducers: dict[str, Reducer[Any]]) -> None:
        self._reducers = reducers
        self.initial_state = {
            key: getattr(reducer, "initial_state", None)
            for key, reducer in reducers.items()
            if hasattr(reducer, "initial_state")
        }

    def __call__(self, state: Any, action: Any) -> Any:
        whole = _object(state)
        changed = {}
        for key, reducer in self._reducers.items():
            is_new = key not in whole
            before = self._initial(key) if is_new else whole[key]
            after = reducer(before, action)
            if after is None and before is not None:
                raise ReducerFailedError(
                    f"the reducer of {key!r} returned None; it must return the next state, or its "
                    "argument if nothing changes"
                )
            if is_new or not identical(before, after):
                refuse_coroutine(after, f"the reducer of {key!r}", ASYNC_REDUCER)
                changed[key] = after
        if isinstance(state, ObjectDraft):
            state.update(changed)
            return state
        return whole.update(changed) if changed else whole

    def complete_state(self, state: Any, /) -> Any:
        """Adds the initial states of missing members, at any depth. A store starts with the result.

        Raises InvalidArgumentError: the state is not an object; or a member is missing, and its
        reducer has no initial_state.
        """
        hint = "; leave it out to start with the initial states" if state is None else ""
        state = _object(state, hint)
        self._warn_if_renamed(state, [key for key in self._reducers if key not in state])
        added = {}
        for key, reducer in self._reducers.items():
            part = state[key] if key in state else self._initial(key)
            added[key] = reducer.complete_state(part) if isinstance(reducer, Combined) else part
        return state.update(added)

    def _warn_if_renamed(
        self, state: Any, missing: Iterable[str], role: str = "the state"
    ) -> None:
        """Warns of members that a state lacked, if no reducer takes another member of it."""
        unused = [quoted(key) for key in _object(state) if key not in self._reducers]
        for key in missing:
            # A state that was saved before a slice was added lacks its member, and has no other.
            if unused:
                warn(
                    f"{role} has no member {quoted(key)}, and no reducer takes its member "
                    f"{unused[0]}; is this combine({key}=…) named as the state has it?"
                )

    @property
    def log_defaults(self) -> dict[str, Any]:
        """The initial states, by their JSON Pointers, also of the members of members.

        They are added to the states of a log that an older program has written.
        """
        defaults = {}
        for key, reducer in self._reducers.items():
            pointer = "/" + escape(key)
            if key in self.initial_state:
                defaults[pointer] = self.initial_state[key]
            if isinstance(reducer, Combined):
                for inner, state in reducer.log_defaults.items():
                    defaults[pointer + inner] = state
        return defaults

    @property
    def schema(self) -> dict[str, Any] | None:
        """The option schema of a store, from the annotations of the reducers; None without them.

        Raises TypeError: two reducers have different schemas for a type.
        """
        from .._types.combined import combined_schema

        parts = {key: getattr(each, "schema", None) for key, each in self._reducers.items()}
        return combined_schema(parts)

    @property
    def classes(self) -> dict[type, Any]:
        """What makes the type and the payload of an action, by its class."""
        return {
            cls: write
            for reducer in self._reducers.values()
            for cls, write in classes_of(reducer).items()
        }

    def takes(self, type: str, /) -> bool:
        """Whether a slice takes a type. A reducer that is no slice may take all."""
        for reducer in self._reducers.values():
            takes = getattr(reducer, "takes", None)
            if takes is None or takes(type):
                return True
        return False

    def __repr__(self) -> str:
        return f"<immutabledata.combine of {', '.join(self._reducers)}>"

    def _initial(self, key: str) -> Any:
        try:
            return value(self.initial_state[key])
        except KeyError:
            raise InvalidArgumentError(
                f"the state has no member {quoted(key)}; add it, or give its reducer an attribute "
                "initial_state"
            ) from None


def _object(state: Any, hint: str = "") -> ObjectValue:
    result = value(state)
    if isinstance(result, ObjectValue):
        return result
    raise InvalidArgumentError(
        f"the state of a combined reducer must be an object, not {result!r}{hint}"
    )


def combine(**reducers: Reducer[Any]) -> Combined:
    """Combines reducers, each for the member of the state with its name.

    If no reducer changes its member, the state does not change. A missing member starts as the
    initial_state of its reducer; a store adds it when it is created, also to the states of a log. If the state then has a member
    that no reducer takes, a LikelyMistakeWarning names both. The initial_state of the
    combined reducer has those of all reducers that have one. Members without a reducer do not
    change. If the combined reducer is called with a draft, it changes that draft.

    Complexity: that of the reducers, plus O(log n) for each member.
    """
    reducers = {plain(key): reducer for key, reducer in reducers.items()}
    for key, reducer in reducers.items():
        role = f"the reducer of {quoted(key)}"
        require_reducer(reducer, role, "a function that takes a state and an action")
    return Combined({key: typed(reducer) for key, reducer in reducers.items()})
