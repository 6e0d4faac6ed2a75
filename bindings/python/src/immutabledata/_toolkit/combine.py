"""A reducer for an object, made of reducers for its members."""

from __future__ import annotations

from typing import Any

from .._values.draft import Reducer
from .._values.value import same, value
from ..errors import ReducerFailedError


class Combined:
    """A reducer made of others; see combine."""

    __slots__ = ("_reducers", "initial_state")

    def __init__(self, reducers: dict[str, Reducer]) -> None:
        self._reducers = reducers
        self.initial_state = {
            key: reducer.initial_state
            for key, reducer in reducers.items()
            if hasattr(reducer, "initial_state")
        }

    def __call__(self, state: Any, action: Any) -> Any:
        state = value(state)
        changed = {}
        for key, reducer in self._reducers.items():
            is_new = key not in state
            before = self._initial(key) if is_new else state[key]
            after = reducer(before, action)
            if after is None and before is not None:
                raise ReducerFailedError(
                    f"the reducer of {key!r} returned None; it has to return the next state, or "
                    "the one it was given if nothing changes"
                )
            if is_new or not same(before, after):
                changed[key] = after
        return state.update(changed) if changed else state

    def __repr__(self) -> str:
        return f"<immutabledata.combine of {', '.join(self._reducers)}>"

    def _initial(self, key: str) -> Any:
        try:
            return value(self.initial_state[key])
        except KeyError:
            raise ReducerFailedError(
                f"the state has no member {key!r}, and its reducer has no initial_state"
            ) from None


def combine(**reducers: Reducer) -> Combined:
    """Makes one reducer of several, each for the member of the state that has its name.

    A member that its reducer leaves alone stays the same, as does the state if all do. A member
    that is missing begins as its reducer's initial_state. initial_state of what is made has those
    of all reducers that have one. Members that have no reducer are left alone.

    Complexity: that of the reducers, plus O(log n) for each member.
    """
    return Combined(reducers)
