"""The option schema of a store."""

import pytest

import immutabledata as imd

SCHEMA = {
    "actions": {
        "added": {"properties": {"id": {"type": "string"}}, "required": ["id"]},
        "broken": {},
    },
    "state": {"type": "object", "additionalProperties": {"type": "integer"}},
}


def reduce(state, action):
    if action["type"] == "broken":
        return state.set("/broken", "x")
    return state.set(f"/{action['payload']['id']}", 1)


def test_refuses_actions_and_states():
    with imd.Store(reduce, state={}, schema=SCHEMA) as store:
        store.dispatch("added", {"id": "a"})
        with pytest.raises(imd.InvalidActionError, match='payload: the member "id" is missing'):
            store.dispatch("added", {})
        with pytest.raises(imd.InvalidActionError, match='"aded"; did you mean "added"'):
            store.dispatch("aded", {})
        with pytest.raises(imd.ReducerFailedError, match="state/broken: expected an integer"):
            store.dispatch("broken")
        assert store.state == {"a": 1}


def test_refuses_what_is_no_schema():
    with pytest.raises(imd.InvalidArgumentError, match='the keyword "if" is not supported'):
        imd.Store(reduce, state={}, schema={"state": {"if": True}})
    with pytest.raises(TypeError, match="schema"):
        imd.Store(reduce, state={}, schema=1)
