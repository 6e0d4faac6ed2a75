"""Undo, redo and travel, and the history of a store."""

import threading
from contextlib import suppress
from datetime import datetime, timezone

import pytest
from lowered_limits import limited
from reducers import count, reduce

import immutabledata as imd
from immutabledata import _ffi

NO_HISTORY = 'the store has no history; open it with the option {"history":true}'


@pytest.fixture
def store():
    """A store whose state is the sum of all payloads."""
    with imd.Store(lambda state, action: state + action["payload"], state=0, history=True) as store:
        yield store


def add(store, *numbers):
    for number in numbers:
        store.dispatch("add", number)


def status(store):
    shown = store.select("@@history")
    return shown["undo"], shown["redo"], shown["clean"]


# ---- Undo and redo -------------------------------------------------------------------------------


def test_undo_and_redo(store):
    add(store, 1, 2, 4)
    assert (store.undo(), store.state) == (1, 3)
    assert (store.undo(5), store.state) == (2, 0)
    assert (store.redo(2), store.state) == (2, 3)
    assert (store.redo(steps=2**70), store.state) == (1, 7)
    add(store, 0)  # Changes nothing, so it is no step.
    assert (store.undo(steps=1), store.state) == (1, 3)


def test_nothing_to_undo_or_redo(store):
    add(store, 1)
    seen = []
    store.define("all", "@")
    store.observe("all", seen.append)
    assert (store.redo(), store.undo(0), store.undo(), store.undo()) == (0, 0, 1, 0)
    assert seen == [1, 0]


def test_a_new_step_drops_what_was_undone(store):
    add(store, 1, 2)
    store.undo()
    add(store, 4)
    assert (store.redo(), store.state) == (0, 5)


def test_travel(store):
    add(store, 1, 2, 4)
    store.travel(store.history[0].number)
    assert store.state == 1
    store.travel(number=0)
    assert store.state == 0
    store.travel(3)
    assert store.state == 7
    with pytest.raises(imd.NotFoundError) as caught:
        store.travel(2**70)
    assert "the history has steps from 0 to 3" in caught.value.message


@pytest.mark.parametrize("name", ["undo", "redo", "travel"])
def test_wrong_numbers(store, name):
    for wrong in ("1", 1.0, True, None):
        with pytest.raises(TypeError, match="must be an int"):
            getattr(store, name)(wrong)
    with pytest.raises(imd.InvalidArgumentError, match="must be 0 or more, not -1"):
        getattr(store, name)(-1)


def test_a_domain():
    with imd.open("counter", history={"limit": 2}) as store:
        for _ in range(3):
            store.dispatch("didTapIncrementButton")
        assert (store.undo(5), store.select("selectValue")) == (2, 1)


# ---- What a step is ------------------------------------------------------------------------------


def test_a_batch_is_a_step(store):
    store.dispatch_batch([{"type": "add", "payload": 1}, {"type": "add", "payload": 2}])
    assert (store.undo(), store.state) == (1, 0)


def test_a_group_is_a_step(store):
    with store.group():
        add(store, 1)
        with store.group():
            add(store, 2)
        add(store, 4)
    add(store, 8)
    assert (store.undo(), store.undo(), store.state) == (1, 1, 0)


def test_an_exception_ends_a_group(store):
    with suppress(KeyError), store.group():
        add(store, 1, 2)
        raise KeyError
    add(store, 4)
    assert (store.undo(), store.state) == (1, 3)


def test_a_group_is_given_up(store):
    add(store, 1, 2)
    store.undo()
    with store.group() as group:
        add(store, 4)
        group.cancel()
        assert (store.state, store.history.redo) == (1, 1)
        group.cancel()
        add(store, 8)
    assert (store.state, len(store.history)) == (9, 2)
    store.begin_group()
    add(store, 16)
    store.cancel_group()
    assert store.state == 9


def test_an_exception_gives_up_a_group(store):
    with pytest.raises(KeyError), store.group(), store.group(cancel_on_error=True):
        add(store, 1, 2)
        raise KeyError
    assert (store.state, len(store.history)) == (0, 0)
    with store.group(cancel_on_error=True):
        add(store, 4)
    assert (store.state, len(store.history)) == (4, 1)


def test_an_undo_ends_a_group(store):
    with store.group():
        add(store, 1, 2)
        assert (store.undo(), store.state) == (1, 0)
        add(store, 4)
        add(store, 8)
    assert len(store.history) == 2


def test_a_group_may_begin_and_end_in_different_functions(store):
    store.end_group()  # None is open.
    store.begin_group()
    add(store, 1, 2)
    store.end_group()
    add(store, 4)
    assert (store.undo(2), store.state) == (2, 0)


def test_a_function_can_be_a_group(store):
    @store.group()
    def drag(*numbers):
        add(store, *numbers)

    drag(1, 2)
    drag(4, 8)
    assert (store.undo(), store.state) == (1, 3)


def test_a_store_that_is_closed_in_a_group(store):
    with store.group():
        store.close()
    with pytest.raises(imd.ClosedError), store.group():
        pass


def test_options():
    options = {"ignore": ["view/*"], "group": {"meta": "drag"}}
    with imd.Store(reduce, state={}, history=options) as store:
        store.dispatch("view/set", {"zoom": 1})
        for x in (1, 2):
            store.dispatch("moved", {"x": x}, meta={"drag": 7})
        assert [(step.type, step.count) for step in store.history] == [("moved", 2)]
        store.undo()
        assert store.state == {"zoom": 1}
    with imd.Store(reduce, state={}, history={}) as store:
        assert store.undo() == 0


def test_a_history_of_parts_of_the_state():
    with imd.Store(reduce, state={"board": 0}, history={"paths": ["/board"]}) as store:
        store.dispatch("moved", {"board": 1, "user": "ann"})
        store.dispatch("left", {"user": None})
        assert (store.undo(2), store.state) == (1, {"board": 0})
    with pytest.raises(imd.InvalidArgumentError, match="only in a store with your own reducer"):
        imd.open("counter", history={"paths": ["/value"]})


def test_the_memory_of_the_past():
    def replace(state, action):
        return action["payload"]

    kept = []
    for limit in (1, 40_000, 2**40):
        with imd.Store(replace, state=[], history={"bytes": limit}) as store:
            for number in range(50):
                store.dispatch("set", [number * 1000] * 100)
            kept.append(len(store.history))
    assert kept[0] == 1 < kept[1] < kept[2] == 50
    with pytest.raises(imd.InvalidArgumentError, match="only in a store with your own reducer"):
        imd.open("counter", history={"bytes": 1})


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ({"limt": 1}, 'options/history: unknown member "limt"; did you mean "limit"?'),
        ({"limit": 0}, "options/history/limit: 0 is not between 1 and 1048576"),
    ],
)
def test_wrong_options(history, message):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        imd.Store(count, state={}, history=history)
    assert caught.value.message == message
    with pytest.raises(imd.InvalidArgumentError) as caught:
        imd.open("counter", history=history)
    assert caught.value.message == message


def test_an_option_of_a_wrong_type():
    for make in (
        lambda: imd.Store(count, state={}, history=1),
        lambda: imd.open("counter", history=1),
    ):
        with pytest.raises(TypeError, match="history must be a bool or a Mapping, not int"):
            make()


@pytest.mark.parametrize("history", [False, None])
def test_a_store_without_history(history):
    with imd.Store(count, state={}, history=history) as store:
        for call in (
            store.undo,
            store.redo,
            lambda: store.travel(0),
            store.mark_clean,
            store.group().__enter__,
            store.begin_group,
            store.end_group,
            store.cancel_group,
            lambda: len(store.history),
            lambda: store.blame("/a"),
        ):
            with pytest.raises(imd.InvalidArgumentError) as caught:
                call()
            assert caught.value.message == NO_HISTORY
        assert repr(store.history) == f"<immutabledata.History of {store!r}>"


# ---- The steps -----------------------------------------------------------------------------------


def test_the_steps(store):
    before = datetime.now(timezone.utc)
    add(store, 1, 2, 4)
    store.undo()
    history = store.history
    assert (len(history), history.present, history.undo, history.redo) == (3, 2, 2, 1)
    assert [step.number for step in history] == [1, 2, 3]
    assert [step.undone for step in history] == [False, False, True]
    first = history[0]
    assert (first.number, first.type, first.count, first.undone) == (1, "add", 1, False)
    assert (first.actions, first.patch) == (None, None)
    assert abs((first.when - before).total_seconds()) < 60
    assert first.when.timestamp() == first.time / 1000
    assert first in history
    assert history.index(first) == 0
    assert repr(history) == "<immutabledata.History 3 steps, 1 undone>"
    with pytest.raises(AttributeError):
        first.number = 5


def test_the_view_follows_the_store(store):
    history = store.history
    assert not history
    add(store, 1)
    assert len(history) == 1
    store.close()
    with pytest.raises(imd.ClosedError):
        len(history)
    assert repr(history) == f"<immutabledata.History of {store!r}>"


def test_indices_and_slices(store):
    add(store, *range(1, 10))
    numbers = list(range(1, 10))
    history = store.history
    assert [step.number for step in reversed(history)] == numbers[::-1]
    for index in (0, 3, 8, -1, -9):
        assert history[index].number == numbers[index]
    for index in (9, -10, 2**70, -(2**70)):
        with pytest.raises(IndexError, match=f"no step {index} in a history of 9"):
            history[index]
    with pytest.raises(TypeError):
        history["1"]
    for start in (None, 0, 3, -2, 20, -20):
        for stop in (None, 0, 5, -1, 2**70):
            read = history.read(start or 0, stop)
            assert [step.number for step in read] == numbers[start or 0 : stop]
            for step in (None, 1, 2, -1, -3):
                part = slice(start, stop, step)
                assert [each.number for each in history[part]] == numbers[part], part


def test_an_iteration_reads_pages():
    with imd.Store(count, state={"n": 0}, history={"limit": 1000}) as store:
        for number in range(1, 601):
            store.dispatch("add", number)
        assert [step.number for step in store.history] == list(range(1, 601))
        steps = iter(store.history)
        next(steps)
        store.undo()
        assert [step.undone for step in steps] == [False] * 598 + [True]


def test_a_limit():
    with imd.Store(count, state={"n": 0}, history={"limit": 2}) as store:
        add(store, 1, 2, 4)
        assert [step.number for step in store.history] == [2, 3]
        store.undo(2)
        assert (store.history.present, store.state["n"]) == (1, 1)
        with pytest.raises(imd.NotFoundError, match="no step 0"):
            store.travel(0)


def test_actions_and_patches():
    with imd.Store(count, state={"n": 0}, history=True) as store:
        with store.group():
            add(store, 1, 2)
        store.dispatch("add", 4, meta={"by": "me"})
        first, second = store.history.read(actions=True, patches=True)
        assert first.actions == [{"type": "add", "payload": 1}, {"type": "add", "payload": 2}]
        assert (first.count, second.count) == (2, 1)
        assert second.actions[0]["meta"] == {"by": "me"}
        assert isinstance(second.patch, imd.Patch)
        assert imd.apply_patch({"n": 0}, first.patch) == {"n": 3}
        assert second.patch == [{"op": "replace", "path": "/n", "value": 7}]
        (last,) = store.history.read(-1, patches=True)
        assert (last.actions, last.patch, last.count) == (None, second.patch, 1)


def test_an_action_that_nests_deeply():
    with imd.Store(lambda state, action: state + 1, state=0, history=True) as store:
        deep = imd.from_json("[" * 2000 + "]" * 2000)
        store.dispatch("deep", deep)
        assert store.history[0].type == "deep"
        (step,) = store.history.read(actions=True)
        assert step.actions[0]["payload"] == deep


def test_a_patch_may_exceed_the_limit():
    with imd.Store(lambda state, action: action["payload"], state=[], history=True) as store:
        store.dispatch("set", list(range(2000)))
        with limited(work=100), pytest.raises(imd.LimitError, match="the patch of step 1"):
            store.history.read(patches=True)
        assert store.history[0].number == 1


# ---- Blame ---------------------------------------------------------------------------------------


def test_blame():
    with imd.Store(reduce, state={"list": [1]}, history=True) as store:
        store.dispatch("added", {"of": {"a/b": 1}})
        store.dispatch("other", {"c": 1})
        store.dispatch("replaced", {"of": {"a/b": [2]}})
        store.dispatch("removed", {"of": {"a/b": None}})
        changes = store.blame(("of", "a/b"))
        assert [(each.number, each.type, each.op, each.before, each.after) for each in changes] == [
            (4, "removed", "remove", [2], None),
            (3, "replaced", "replace", 1, [2]),
            (1, "added", "add", None, 1),
        ]
        assert changes[0].when == store.history[-1].when
        assert store.blame("/of/a~1b", count=2) == changes[:2]
        assert store.blame(["list", 0]) == store.blame("/of", count=0) == []
        store.undo()
        assert store.blame("/of/a~1b") == changes[1:]
        with pytest.raises(imd.InvalidArgumentError, match="is not a JSON Pointer"):
            store.blame("of")
        with pytest.raises(imd.InvalidArgumentError, match="must be 0 or more"):
            store.blame("/of", count=-1)
        with pytest.raises(TypeError, match="the count must be an int"):
            store.blame("/of", count="1")


# ---- Observers, streams and rules ----------------------------------------------------------------


def test_a_function_of_the_history():
    with imd.Store(reduce, state={"n": 0}, history=True) as store:
        store.define("title", lambda history: f"{history['undo']} steps", inputs=["@@history"])
        store.dispatch("merge", {"n": 1})
        assert store.select("title") == "1 steps"


def test_observers_of_the_history(store):
    seen = []
    store.observe("@@history", seen.append)
    store.dispatch("add", 1, meta={"selection": "a"})
    store.mark_clean()
    store.undo()
    store.redo()
    assert [(each["undo"], each["redo"], each["clean"]) for each in seen] == [
        (0, 0, True),
        (1, 0, False),
        (1, 0, True),
        (0, 1, False),
        (1, 0, True),
    ]
    assert (seen[2]["undoType"], seen[2]["undoMeta"]) == ("add", {"selection": "a"})
    assert (seen[3]["redoType"], seen[3]["undoType"]) == ("add", None)


def test_streams_and_listeners(store):
    heard = []
    store.listener("@@history/*")(lambda action, old, new: heard.append((action["type"], old, new)))
    with store.stream(types=["@@history/*"]) as stream:
        add(store, 1, 2)
        store.undo()
        store.redo()
        store.travel(1)
        kinds = []
        for _ in range(3):
            action, old, new = stream.next(timeout=5)
            kinds.append((action["type"], action["payload"]["number"], old, new))
    assert kinds == [
        ("@@history/undone", 1, 3, 1),
        ("@@history/redone", 2, 1, 3),
        ("@@history/traveled", 1, 3, 1),
    ]
    store.flush()
    assert heard == [(kind, old, new) for kind, number, old, new in kinds]


def test_ignored_filtered_and_without_effects(store):
    store.define("all", "@")
    ignoring, filtering, asked = [], [], []
    store.observe("all", ignoring.append, initial=False, ignore=["@@history/*"])

    def ask(action, old, new):
        asked.append(action["type"])

    store.observe("all", filtering.append, initial=False, filter=lambda *commit: not ask(*commit))
    store.set_rule(ask)
    add(store, 1)
    store.undo()
    assert (ignoring, filtering, asked) == ([1], [1, 0], ["add", "add"])


def test_own_actions_do_not_begin_with_two_ats(store):
    with pytest.raises(imd.InvalidActionError):
        store.dispatch("@@history/undone", {"number": 1})


# ---- Threads and callbacks -----------------------------------------------------------------------


def test_an_undo_waits_for_room_in_a_stream(store):
    add(store, 1)
    with store.stream(capacity=1, overflow="block") as stream:
        add(store, 2)
        undo = threading.Thread(target=store.undo)
        undo.start()
        assert stream.next(timeout=10).new == 3
        assert stream.next(timeout=10).action["type"] == "@@history/undone"
        undo.join()
    assert store.state == 1


def test_an_observer_may_undo(store):
    def refuse(total):
        if total > 2:
            store.undo()

    store.define("all", "@")
    store.observe("all", refuse)
    add(store, 1, 2)
    assert store.state == 1
    assert status(store) == (1, 1, False)


@pytest.mark.parametrize(
    "use",
    [
        lambda store: store.undo(),
        lambda store: store.redo(),
        lambda store: store.travel(0),
        lambda store: store.mark_clean(),
        lambda store: store.group().__enter__(),
        lambda store: store.history[0],
        lambda store: store.blame(""),
    ],
)
def test_a_reducer_must_not_use_the_history_of_its_store(use):
    with imd.Store(lambda state, action: use(store) or state, state=0, history=True) as store:
        with pytest.raises(imd.ReentrantError):
            store.dispatch("used")
        assert (store.state, len(store.history)) == (0, 0)


def test_a_reducer_must_not_undo_another_store(store):
    add(store, 1)
    other = imd.Store(lambda state, action: store.undo(), state=0)
    with other, pytest.raises(imd.ReentrantError):
        other.dispatch("undo")
    assert store.state == 1


def test_a_rule_and_a_filter_must_not_undo(store):
    errors = []
    store.on_error = lambda error, callback: errors.append(type(error))
    store.define("all", "@")
    store.observe("all", print, initial=False, filter=lambda *commit: store.undo())
    store.set_rule(lambda *commit: store.undo())
    add(store, 1)
    assert set(errors) == {imd.ReentrantError}
    assert status(store) == (1, 0, False)
    store.close()


# ---- What the reducer gets -----------------------------------------------------------------------


def updated(state, action):
    refuse(action)
    return state.set("/n", state["n"] + 1).change("/list", lambda types: types.append("a"))


def plain(state, action):
    refuse(action)
    return {"n": state["n"] + 1, "list": [*state["list"], "a"]}


@imd.drafting
def drafted(draft, action):
    draft["n"] += 1
    draft["list"].append("a")
    refuse(action)


def refuse(action):
    if action["type"] == "part/refused":
        raise LookupError


def combined():
    part = imd.Slice("part", {"n": 0, "list": []})
    for name in ("added", "refused"):
        part.on(name)(change)
    return imd.combine(part=part)


def change(draft, action):
    draft["n"] += 1
    draft["list"].append("a")
    refuse(action)


@pytest.mark.parametrize("optimistic", [False, True])
@pytest.mark.parametrize("reducer", [updated, plain, drafted, combined()])
def test_the_reducer_gets_the_state_that_is_shown(reducer, optimistic):
    got = []

    def reduce(state, action):
        got.append(state)
        return reducer(state, action)

    initial = getattr(reducer, "initial_state", {"n": 0, "list": []})
    with imd.Store(reduce, state=initial, optimistic=optimistic, history=True) as store:
        added = {"type": "part/added"}

        def check():
            """Dispatches in each way, and undoes it."""
            for dispatch in (
                lambda: store.dispatch(added),
                lambda: store.dispatch("part/added", {"flat": 1}),
                lambda: store.dispatch_batch([added, added]),
                lambda: store.dispatch("part/refused"),
                lambda: store.dispatch_batch([added, "part/refused"]),
            ):
                shown = store.state
                for _ in range(2):
                    got.clear()
                    with suppress(LookupError):
                        dispatch()
                    assert got[0].is_identical(shown)
                    if not store.state.is_identical(shown):
                        store.undo()
                    assert store.state.is_identical(shown)

        for _ in range(4):
            store.dispatch(added)
        for jump in (
            lambda: None,
            store.undo,
            lambda: store.travel(2),
            lambda: (store.dispatch(added), store.travel(1), store.redo()),
            lambda: _ffi.imd_store_undo(store._handle, 1, None, None),
            lambda: (store.dispatch(added), in_thread(store.undo), in_thread(store.redo)),
        ):
            jump()
            check()


def in_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


def test_an_undo_may_come_before_a_dispatch_returns():
    """Between the commit and the end of the dispatch, as on another thread."""
    got = []

    def reduce(state, action):
        got.append(state["n"])
        return state.set("/n", state["n"] + 1)

    with imd.Store(reduce, state={"n": 0}, history=True) as store:
        store.define("n", "n")
        store.dispatch("a")
        store.observe("n", lambda n: store.undo() if n == 2 else None)
        store.dispatch("a")
        store.dispatch("a")
    assert got == [0, 1, 1]
