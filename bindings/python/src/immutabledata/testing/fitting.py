"""Which data fits a schema: the library knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Callable

from hypothesis import reject
from hypothesis import strategies as st

import immutabledata as imd

from ..errors import InvalidActionError

Strategy = st.SearchStrategy[Any]

# How often data is drawn until it fits. A filter of Hypothesis draws three times, which is too few:
# if it finds nothing, it ends a whole run, which has up to 50 actions.
_TRIES = 50

# Where the schema has the one into which its references lead.
_ROOT = "(root)"


class Fits:
    """Whether data fits a schema."""

    def __init__(self, schema: Any, definitions: Mapping[str, Any] = {}) -> None:
        self._store: imd.Store[Any, Any] = imd.Store(
            lambda state, action: state,
            None,
            schema={"actions": {"x": schema}, "$defs": definitions},
        )

    def __call__(self, data: Any) -> bool:
        try:
            self._store.dispatch({"type": "x", "payload": data})
        except InvalidActionError:
            return False
        return True


def drawn_until(fits: Callable[[Any], bool], *strategies: Strategy) -> Strategy:
    """A strategy for the data of others that fits.

    It begins with any of them. If what it draws does not fit, it goes on with the next: some may
    make nothing that does.
    """

    @st.composite
    def draw_until(draw: Callable[[Strategy], Any]) -> Any:
        at = draw(st.integers(0, len(strategies) - 1)) if len(strategies) > 1 else 0
        for _ in range(_TRIES):
            data = draw(strategies[at % len(strategies)])
            if fits(data):
                return data
            at += 1
        return reject()

    return draw_until() if strategies else st.nothing()


def standing_alone(schema: Any, root: Any, leads_into: Callable[[str], bool]) -> Any:
    """A schema for what fits a part of another one, without what it is a part of.

    root: the schema into which its references lead, as far as leads_into says so.
    """
    is_alone = True

    def rebased(part: Any, has_names: bool = False) -> Any:
        nonlocal is_alone
        if isinstance(part, list):
            return [rebased(each) for each in part]
        if not isinstance(part, Mapping):
            return part
        copy: dict[str, Any] = {}
        for name, member in part.items():
            if has_names:
                copy[name] = rebased(member)
            elif name in ("const", "enum", "default", "examples"):
                copy[name] = member
            elif name == "$ref" and leads_into(member):
                is_alone = False
                copy[name] = f"#/$defs/{_ROOT}{member[1:]}"
            else:
                copy[name] = rebased(member, has_names=name in ("properties", "$defs"))
        return copy

    copy = rebased(schema)
    return schema if is_alone else {"allOf": [copy], "$defs": {_ROOT: rebased(root)}}
