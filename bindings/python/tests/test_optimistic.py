"""Optimistic updates: shown while their effects are in flight."""

import pytest

import immutabledata as imd


def reduce(state, action):
    """Records the payload; raises the error that the payload names."""
    payload = action["payload"]
    if payload.get("needs", "") not in ["", *state]:
        raise LookupError(payload["needs"])
    return [*state, payload["text"]]


def send(store, text, meta=None, **payload):
    action = {"type": "write", "payload": {"text": text, **payload}}
    if meta is not None:
        action["meta"] = {"optimistic": meta}
    store.dispatch(action)


@pytest.fixture
def store():
    with imd.Store(reduce, state=[], optimistic=True) as store:
        yield store


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("succeed", ["a", "b", "c", "done"]),
        ("fail", ["a", "c", "done"]),
    ],
)
def test_an_optimistic_update_is_confirmed_or_undone(store, outcome, expected):
    seen = []
    store.define("all", "@")
    store.observe("all", seen.append, initial=False)
    send(store, "a")
    send(store, "b", {"begin": "17"})
    send(store, "c")
    assert store.state == ["a", "b", "c"]
    send(store, "done", {outcome: "17"})
    assert store.state == expected
    assert seen == [["a"], ["a", "b"], ["a", "b", "c"], expected]


@pytest.mark.parametrize(("outcome", "expected"), [("succeed", ["a", "b"]), ("fail", ["b"])])
def test_a_rejected_outcome_ends_its_change(store, outcome, expected):
    seen = []
    store.define("all", "@")
    send(store, "a", {"begin": "17"})
    send(store, "b")
    store.observe("all", seen.append, initial=False)
    stream = store.stream()
    with pytest.raises(LookupError, match="nothing"):
        send(store, "done", {outcome: "17"}, needs="nothing")
    assert store.state == expected
    assert seen == ([expected] if outcome == "fail" else [])
    assert stream.next(timeout=0).action["meta"] == {"optimistic": {outcome: "17"}}
    # Nothing is in flight now: an outcome is an ordinary action.
    send(store, "late", {"fail": "17"})
    assert store.state == [*expected, "late"]


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt(), SystemExit(3)])
def test_an_interrupt_fails_the_dispatch(interrupt):
    """The exception is not about the action that is reduced again: dispatch the outcome again."""
    interrupts = []

    def interrupted(state, action):
        if action["payload"]["text"] == "b" and interrupts:
            raise interrupts.pop()
        return reduce(state, action)

    with imd.Store(interrupted, state=[], optimistic=True) as store:
        send(store, "a", {"begin": "17"})
        send(store, "b")
        send(store, "c")
        interrupts.append(interrupt)
        with pytest.raises(type(interrupt)) as caught:
            send(store, "done", {"fail": "17"})
        assert caught.value is interrupt
        assert store.state == ["a", "b", "c"]
        send(store, "done", {"fail": "17"})
        assert store.state == ["b", "c", "done"]


def test_a_limit_interrupts_a_rollback():
    """It may have been lowered since the action was accepted, so the action is not left out."""
    errors = []

    def limited(state, action):
        if action["payload"]["text"] == "b" and errors:
            raise errors.pop()
        return reduce(state, action)

    with imd.Store(limited, state=[], optimistic=True) as store:
        send(store, "a", {"begin": "17"})
        send(store, "b")
        error = imd.LimitError("too large")
        errors.append(error)
        with pytest.raises(imd.LimitError) as caught:
            send(store, "done", {"fail": "17"})
        assert caught.value is error
        assert store.state == ["a", "b"]
        send(store, "done", {"fail": "17"})
        assert store.state == ["b", "done"]


def test_with_slices_and_drafts():
    todos = imd.Slice("todos", {})

    @todos.on("renamed")
    def renamed(draft, action):
        draft[action["payload"]["id"]] = action["payload"]["title"]

    @todos.on("saved")
    def saved(draft, action):
        draft["saved"] = action["payload"]

    with imd.Store(imd.combine(todos=todos), optimistic=True) as store:
        actions = todos.actions
        store.dispatch(actions.renamed({"id": "1", "title": "Write"}))
        began = {"optimistic": {"begin": "1"}}
        store.dispatch(actions.renamed({"id": "1", "title": "Read"}, meta=began))
        store.dispatch(actions.renamed({"id": "2", "title": "Rest"}))
        assert store.state == {"todos": {"1": "Read", "2": "Rest"}}
        store.dispatch(actions.saved(False, meta={"optimistic": {"fail": "1"}}))
        assert store.state == {"todos": {"1": "Write", "2": "Rest", "saved": False}}


@pytest.mark.parametrize(
    "meta", [{}, {"begin": 1}, {"begins": "1"}, {"begin": "1", "fail": "1"}, 7]
)
def test_invalid_meta_is_rejected(store, meta):
    with pytest.raises(imd.InvalidActionError, match="meta/optimistic"):
        send(store, "a", meta)
    assert store.state == []


def test_options():
    with pytest.raises(imd.InvalidArgumentError, match='did you mean "optimistic"'):
        imd.Store(reduce, state=[], optimist=True)
    with pytest.raises(TypeError, match="optimistic must be a bool, not str"):
        imd.Store(reduce, state=[], optimistic="yes")
    with imd.Store(reduce, state=[], optimistic=False) as store:
        with pytest.raises(imd.InvalidActionError, match='without the option "optimistic"'):
            send(store, "a", {"begin": "17"})
        assert store.state == []


def test_the_confirmed_state_leaves_out_what_is_in_flight():
    calls = []

    def append(state, action):
        calls.append(action["type"])
        if action["type"] == "rejected" and "begun" not in state:
            raise ValueError("only after begun")
        return [*state, action["type"]]

    with imd.Store(append, state=[], optimistic=True) as store:
        assert store.confirmed_state == []
        store.dispatch("first")
        store.dispatch("begun", meta={"optimistic": {"begin": "1"}})
        store.dispatch("later")
        store.dispatch("rejected")
        store.dispatch("also begun", meta={"optimistic": {"begin": "2"}})
        before = store.state
        calls.clear()
        assert store.confirmed_state == ["first", "later"]
        assert calls == ["later", "rejected"]
        assert store.state is not before and store.state == before
        store.dispatch("succeeded", meta={"optimistic": {"succeed": "1"}})
        assert store.confirmed_state == ["first", "begun", "later", "rejected", "succeeded"]
        store.dispatch("failed", meta={"optimistic": {"fail": "2"}})
        assert store.confirmed_state == store.state
        assert store.state[-1] == "failed"
    with pytest.raises(imd.ClosedError):
        _ = store.confirmed_state


def test_an_interruption_fails_the_confirmed_state():
    def reduce(state, action):
        if interrupts and action["type"] == "later":
            raise KeyboardInterrupt
        return state + 1

    interrupts = False
    with imd.Store(reduce, state=0, optimistic=True) as store:
        store.dispatch("begun", meta={"optimistic": {"begin": "1"}})
        store.dispatch("later")
        interrupts = True
        with pytest.raises(KeyboardInterrupt):
            _ = store.confirmed_state
        interrupts = False
        assert store.confirmed_state == 1
        assert store.state == 2


def test_a_reducer_must_not_ask_for_a_confirmed_state():
    with imd.Store(lambda state, action: state, state=0) as other:
        reduce = lambda state, action: other.confirmed_state  # noqa: E731
        with imd.Store(reduce, state=0) as store, pytest.raises(imd.ReentrantError) as caught:
            store.dispatch("asked")
    assert str(caught.value) == (
        "a reducer asked for a confirmed state, which calls a reducer; ask for it before the "
        "dispatch or after it returned"
    )


def test_a_domain_has_a_confirmed_state():
    with imd.open("counter", state={"value": 3}) as store:
        assert store.confirmed_state == {"value": 3}
