"""Store.preview: what actions would do, without dispatching them."""

import copy
import pickle

import pytest

import immutabledata as imd


def append(state, action):
    if action["type"] == "refused":
        raise LookupError("refused")
    return state if action["type"] == "same" else [*state, action["type"]]


def test_nothing_is_committed():
    outputs = []
    with imd.Store(append, state=["a"]) as store, store.stream() as stream:
        store.define("count", "length(@)")
        store.observe("count", outputs.append)
        before = store.state
        state, patch = store.preview(["b", {"type": "c", "payload": imd.value({"x": 1})}])
        assert state == ["a", "b", "c"]
        assert patch == [
            {"op": "add", "path": "/1", "value": "b"},
            {"op": "add", "path": "/2", "value": "c"},
        ]
        assert imd.apply_patch(before, patch) == state
        assert store.state.is_identical(before)
        store.dispatch("d")
        assert [action["type"] for action in [stream.next().action]] == ["d"]
        assert outputs == [1, 2]


def test_no_change():
    with imd.Store(append, state=["a"]) as store:
        for actions in ([], ["same"], ["same", "same"]):
            preview = store.preview(actions)
            assert preview.state.is_identical(store.state)
            assert preview.patch == []


def test_the_next_reducer_gets_the_committed_state():
    states = []

    @imd.drafting
    def count(draft, action):
        draft["n"] += action["payload"]

    def reduce(state, action):
        states.append(state["n"])
        return count(state, action)

    with imd.Store(reduce, state={"n": 0}) as store:
        store.dispatch("add", 1)
        for n in (1, 2):
            assert store.preview([{"type": "add", "payload": 10}] * 2).state == {"n": n + 20}
            store.dispatch("add", 1)
        assert states == [0, 1, 11, 1, 2, 12, 2]
        assert store.state == {"n": 3}


def test_errors():
    with imd.Store(append, state=[]) as store:
        with pytest.raises(LookupError):
            store.preview(["b", "refused"])
        with pytest.raises(imd.InvalidActionError) as caught:
            store.preview(["b", "@@history/undone"])
        assert str(caught.value).startswith('action 2 of 2: the type "@@history/undone" begins')
        with pytest.raises(TypeError, match="put one into a list"):
            store.preview("b")
        assert store.state == []
    with pytest.raises(imd.ClosedError):
        store.preview([])


def test_a_reducer_must_not_preview():
    with imd.Store(append, state=[]) as other:
        reduce = lambda state, action: other.preview(["a"]).state  # noqa: E731
        with imd.Store(reduce, state=[]) as store, pytest.raises(imd.ReentrantError) as caught:
            store.dispatch("asked")
    assert str(caught.value) == (
        "a reducer previewed actions, which calls a reducer; preview them before the dispatch or "
        "after it returned"
    )


def test_a_domain():
    with imd.open("counter", state={"value": 3}) as store:
        preview = store.preview(["didTapIncrementButton"] * 2)
        assert preview == ({"value": 5}, [{"op": "replace", "path": "/value", "value": 5}])
        assert store.state == {"value": 3}


def test_a_preview_is_a_tuple():
    with imd.Store(append, state=["a"]) as store:
        preview = store.preview(["b"])
    assert (preview.state, preview.patch) == preview
    assert type(preview) is imd.Preview
    assert preview.patch.to_json() == '[{"op": "add", "path": "/1", "value": "b"}]'.replace(" ", "")
    small = imd.Preview(1, imd.Patch())
    assert repr(small) == "Preview(state=1, patch=[])"
    assert copy.deepcopy(small) == pickle.loads(pickle.dumps(small)) == small
