"""Warnings about changing methods whose results are unused."""

import functools
import itertools
import operator
import sys
import warnings
from collections import defaultdict, deque

import pytest

import immutabledata as imd

HINT = (
    " does not change the Value but returns a new one, which is not used here; use it, or write "
    "the reducer with @immutabledata.drafting"
)


def dropped(reducer, state=None):
    """The warnings while a store reduces two actions."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        with imd.Store(reducer, state={"list": [1], "n": 0} if state is None else state) as store:
            store.dispatch("go", payload=5)
            store.dispatch("go", payload=6)
            return store.state, [(each.category, str(each.message)) for each in caught]


def appends(state, action):
    state["list"].append(action["payload"])
    return state


def extends(state, action):
    state["list"].extend([action["payload"]])
    return state


def sets(state, action):
    state.set("/n", action["payload"])
    return state


def changes(state, action):
    state.change("/n", lambda n: n + 1)
    return state


def inserts(state, action):
    state.insert(("list", 0), action["payload"])
    return state


def removes(state, action):
    state.remove("/n")
    return state


def updates(state, action):
    state.update(n=action["payload"])
    return state


def merges(state, action):
    state.merge({"n": action["payload"]})
    return state


def patches(state, action):
    if action["type"] == "go":
        state.patch([{"op": "remove", "path": "/n"}])
    return state


@pytest.mark.parametrize(
    ("reducer", "method"),
    [
        (appends, "append"),
        (extends, "extend"),
        (sets, "set"),
        (changes, "change"),
        (inserts, "insert"),
        (removes, "remove"),
        (updates, "update"),
        (merges, "merge"),
        (patches, "patch"),
    ],
)
def test_a_dropped_result_is_warned_about_once(reducer, method):
    state, warned = dropped(reducer)
    assert state == {"list": [1], "n": 0}
    assert warned == [(RuntimeWarning, method + HINT)]


def uses_all(state, action):
    items = state["list"].append(1).extend([2]).insert("/-", 3)
    state = state.set("/list", items).update(n=1) if items else state.remove("/n")
    state = (lambda before: before.merge({"n": 2}))(state)
    parts = {"changed": state.change("/n", lambda n: n + 1)}
    _ = [*state.patch([]), *parts]
    return parts["changed"]


def drafts(state, action):
    draft = state["list"]
    draft.append(action["payload"])
    draft.insert(0, 5)
    draft.remove(5)
    draft.extend([7])
    state.update(n=3)


@pytest.mark.parametrize("reducer", [uses_all, imd.drafting(drafts)])
def test_a_result_that_is_used(reducer):
    state, warned = dropped(reducer)
    assert state["n"] == 3
    assert warned == []


USED = {
    "defaultdict": defaultdict,
    "deque": deque,
    "functools": functools,
    "itertools": itertools,
    "operator": operator,
}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="calls with keywords look the same there")
@pytest.mark.parametrize(
    "statement",
    [
        "[].extend(map(v.append, range(3)))",
        "deque().extend(map(v.append, range(3)))",
        "{}.update(zip('ab', map(v.append, range(2))))",
        "[].extend(itertools.starmap(v.set, [('/0', 1)]))",
        "[].extend(map(operator.methodcaller('set', '/0', 5), [v]))",
        "str(*map(v.append, range(1)))",
        "any(map(v.append, range(3)))",
        "functools.lru_cache(v.set)('/0', 1)",
        "defaultdict(functools.partial(v.set, '/0', 1))['x']",
    ],
)
def test_a_method_that_other_code_calls(statement):
    def reduce(state, action):
        exec(statement, {**USED, "v": state})
        return state

    assert dropped(reduce, state=[1]) == ([1], [])


def test_the_warning_has_the_line_of_the_call():
    value = imd.value([])
    with pytest.warns(RuntimeWarning) as caught:
        value.append(1)
    assert [each.filename for each in caught] == [__file__]


def test_if_warnings_are_errors_the_dispatch_fails():
    with imd.Store(sets, state={"n": 0}) as store:
        with pytest.raises(RuntimeWarning, match="set does not change the Value"):
            store.dispatch("go", payload=5)
        assert store.state == {"n": 0}


@pytest.mark.parametrize("change", [lambda v: v.__setitem__("a", 1), lambda v: v.__delitem__("a")])
@pytest.mark.parametrize("data", [{"a": 0}, [0]])
def test_assignment(change, data):
    with pytest.raises(TypeError) as caught:
        change(imd.value(data))
    assert str(caught.value) == (
        "a Value never changes in place: set and remove return a new Value; or write the reducer "
        "with @immutabledata.drafting"
    )
