"""Stores whose actions are kept in a file."""

import asyncio
import gc
import os
import signal
import weakref

import pytest
from reducers import count

import immutabledata as imd


@pytest.fixture
def path(tmp_path):
    return tmp_path / "log.imd"


def add(state, action):
    """Adds the payload to the state."""
    return state + action["payload"]


def keep(path, reducer, actions=(), **options):
    """Makes a log with actions, and returns the state."""
    with imd.Store(reducer, log=path, **options) as store:
        for action in actions:
            store.dispatch(action)
        return store.state


# ---- Round trip ----------------------------------------------------------------------------------


@pytest.mark.parametrize("convert", [str, lambda path: path, lambda path: {"path": path}])
def test_a_store_has_the_state_that_it_had(path, convert):
    assert keep(convert(path), add, state=0, actions=[{"type": "add", "payload": 5}]) == 5
    with imd.Store(add, state=100, log=convert(path)) as store:
        assert store.state == 5
        store.dispatch("add", 1)
        assert (store.state, store.query("@")) == (6, 6)
    assert keep(path, add, state=0) == 6


@pytest.mark.parametrize("durability", ["full", "normal", "none"])
def test_sync(path, durability):
    with imd.Store(add, state=0, log={"path": path, "durability": durability}) as store:
        store.dispatch("add", 1)
        store.sync()
        store.sync(timeout=10)
        assert len(path.read_bytes().splitlines()) == 3
        log = store.statistics()["log"]
        assert (log["entries"], log["unsyncedBytes"]) == (1, 0)
        asyncio.run(asyncio.wait_for(asyncio.to_thread(store.sync), 10))
        with pytest.raises(imd.InvalidArgumentError):
            store.sync(-1)
        with pytest.raises(imd.InvalidArgumentError, match='did you mean "timeout"'):
            store.sync(timout=1)
    with pytest.raises(imd.ClosedError):
        store.sync()
    with pytest.raises(imd.ClosedError):
        store.refresh()


def test_a_domain(path):
    for before in (0, 1):
        with imd.open("counter", log=path, history=True) as store:
            assert store.select("selectValue") == before
            store.dispatch("didTapIncrementButton")
            store.sync()
    with imd.open("counter", log={"path": path, "durability": "full"}, history=True) as store:
        assert (store.undo(), store.select("selectValue")) == (1, 1)


def test_undo_and_redo_after_reopening(path):
    with imd.Store(add, state=0, history=True, log=path) as store:
        for number in (1, 2, 4):
            store.dispatch("add", number)
        store.undo()
    with imd.Store(add, state=0, history=True, log=path) as store:
        assert (store.redo(), store.state) == (1, 7)
        assert (store.undo(2), store.state) == (2, 1)
        # The state did not come from the reducer.
        store.dispatch("add", 8)
        assert store.state == 9
        assert [step.type for step in store.history] == ["add", "add"]
        assert [change.after for change in store.blame("")] == [9, 1]


# ---- The states of a reducer in Python -----------------------------------------------------------


@imd.drafting
def draft(draft, action):
    draft["todos"].append(action["payload"])


def test_the_first_state_is_not_that_of_the_program(path):
    """The package keeps the last state that the reducer returned; that of the log is another."""
    todos = [{"type": "added", "payload": {"title": title}} for title in "AB"]
    states = []

    @imd.drafting
    def watched(state, action):
        states.append(imd.value(state))
        return draft(state, action)

    keep(path, draft, todos, state={"todos": []})
    with imd.Store(watched, state={"todos": ["wrong"]}, log=path) as store:
        assert [len(state["todos"]) for state in states] == [0, 1]
        first = store.state
        assert [todo["title"] for todo in first["todos"]] == ["A", "B"]
        store.define("titles", "todos[].title")
        seen = []
        store.observe("titles", lambda titles: seen.append(imd.to_python(titles)))
        for title in "CD":
            store.dispatch("added", {"title": title})
        assert store.state["todos"][0].is_identical(first["todos"][0])
        assert seen == [["A", "B"], ["A", "B", "C"], ["A", "B", "C", "D"]]
        assert states[2].is_identical(first)


def test_a_snapshot(path):
    """Opening goes on from a snapshot: it does not call the reducer for what is before."""

    @imd.drafting
    def replace(draft, action):
        calls.append(action["payload"][0])
        draft["text"] = action["payload"]

    calls = []
    actions = [{"type": "set", "payload": letter * 1000} for letter in "abcdefghij"]
    options = {"state": {"text": ""}, "history": {"limit": 2}}
    keep(path, replace, actions, **options)
    assert path.with_name("log.imd-snapshot").exists()
    calls.clear()
    with imd.Store(replace, log=path, **options) as store:
        assert (store.state["text"][0], calls) == ("j", [])
        store.undo()
        assert store.state["text"][0] == "i"
        store.dispatch("set", "k")
    assert keep(path, replace, **options) == {"text": "k"}
    assert calls == ["k", "k"]


def test_outputs_of_a_store_with_a_log(path):
    keep(path, add, [{"type": "add", "payload": 1}], state=0)

    async def read():
        with imd.Store(add, state=0, log=path) as store:
            store.define("all", "@")
            outputs = store.outputs("all")
            seen = [await outputs.__anext__()]
            store.dispatch("add", 2)
            seen.append(await outputs.__anext__())
            await outputs.aclose()
            return seen

    assert asyncio.run(read()) == [1, 3]


def test_optimistic_updates_in_flight_are_rolled_back(path):
    with imd.Store(add, state=0, optimistic=True, history=True, log=path) as store:
        store.dispatch("add", 1)
        store.dispatch("add", 2, meta={"optimistic": {"begin": "key"}})
        store.dispatch("add", 4)
        assert store.state == 7
    with imd.Store(add, state=0, optimistic=True, history=True, log=path) as store:
        assert store.state == 5
        store.dispatch("add", 8)
        assert (store.state, store.undo(3), store.state) == (13, 3, 0)


# ---- Slices --------------------------------------------------------------------------------------


def slices(*names):
    """A combined reducer with a slice for each name."""
    made = {}
    for name in names:
        made[name] = imd.Slice(name, [])

        @made[name].on("added")
        def added(draft, action):
            draft.append(action["payload"])

    return imd.combine(**made)


def test_slices(path):
    keep(path, slices("todos"), [{"type": "todos/added", "payload": 1}])
    with imd.Store(slices("todos"), log=path) as store:
        store.dispatch("todos/added", 2)
        assert store.state == {"todos": [1, 2]}


# ---- Following -----------------------------------------------------------------------------------


def test_a_store_follows_the_file_of_another(path):
    following = {"path": path, "read_only": True}
    with imd.Store(count, state={"n": 0}, log=path) as writer, imd.Store(
        count, state={"n": 0}, log=following
    ) as reader:
        reader.define("n", "n")
        seen = []
        reader.observe("n", seen.append)
        for _ in range(3):
            writer.dispatch("add", 1)
            reader.refresh()
        assert (seen, reader.state) == ([0, 1, 2, 3], {"n": 3})
        with pytest.raises(imd.InvalidArgumentError, match="readOnly"):
            reader.dispatch("add", 1)
        writer.refresh()


def test_a_reader_whose_reducer_fails(path):
    def fail(state, action):
        raise LookupError("refused")

    following = {"path": path, "read_only": True}
    with imd.Store(count, state={"n": 0}, log=path) as writer, imd.Store(
        fail, state={"n": 0}, log=following
    ) as reader:
        writer.dispatch("add", 1)
        with pytest.raises(imd.ReducerFailedError, match="LookupError: refused"):
            reader.refresh()
        assert reader.state == {"n": 0}


# ---- Failures ------------------------------------------------------------------------------------


def test_one_store_writes_a_file(path):
    message = "this process has it open already"
    with imd.Store(add, state=0, log=path), pytest.raises(imd.StorageError, match=message):
        imd.Store(add, state=0, log=path)
    keep(path, add, state=0)


@pytest.mark.parametrize(
    ("log", "error"),
    [
        ("/none/at/all.imd", imd.StorageError),
        (__file__, imd.CorruptError),
        ("", imd.InvalidArgumentError),
        ({"path": "a.imd", "durability": "some"}, imd.InvalidArgumentError),
        ({"path": "a.imd", "readonly": True}, imd.InvalidArgumentError),
        ({"durability": "full"}, imd.InvalidArgumentError),
        (5, TypeError),
        (True, TypeError),
    ],
)
def test_wrong_options(log, error):
    with pytest.raises(error):
        imd.Store(add, state=0, log=log)
    with pytest.raises(error):
        imd.open("counter", log=log)


def test_another_application(path):
    keep({"path": path, "application": "board", "version": 2}, add, state=0)
    for members in ({"application": "boards", "version": 2}, {"application": "board"}, {}):
        with pytest.raises(imd.InvalidArgumentError):
            imd.Store(add, state=0, log={"path": path, **members})


def test_a_reducer_that_raises_while_the_log_is_read(path):
    def fail(state, action):
        raise imd.InvalidArgumentError("refused")

    keep(path, add, [{"type": "add", "payload": 1}], state=0)
    with pytest.raises(imd.ReducerFailedError) as caught:
        imd.Store(fail, state=0, log=path)
    assert str(caught.value).startswith("cannot replay the entry 1 of the log ")
    assert type(caught.value.__cause__) is imd.InvalidArgumentError
    reference = weakref.ref(fail)
    del caught, fail
    assert reference() is None
    assert keep(path, add, state=0) == 1


def test_a_reducer_that_is_interrupted_while_the_log_is_read(path):
    def interrupt(state, action):
        raise KeyboardInterrupt

    def signal_itself(state, action):
        os.kill(os.getpid(), signal.SIGINT)
        return add(state, action)

    keep(path, add, [{"type": "add", "payload": 1}], state=0)
    for reducer in (interrupt, signal_itself):
        with pytest.raises(KeyboardInterrupt):
            imd.Store(reducer, state=0, log=path)
    assert keep(path, add, state=0) == 1


def test_a_store_that_is_made_inside_a_reducer(path):
    """Its log calls a reducer, which a reducer must not do."""

    def nested(state, action):
        with pytest.raises(imd.ReentrantError):
            imd.Store(add, state=0, log=path)
        return state + action["payload"]

    keep(path, add, [{"type": "add", "payload": 1}], state=0)
    with imd.Store(nested, state=0) as store, pytest.raises(imd.ReentrantError):
        store.dispatch("add", 1)
    gc.collect()
    assert keep(path, add, state=0) == 1


def test_a_callback_does_not_wait(path):
    with imd.Store(add, state=0, log=path) as store:
        store.define("all", "@")

        @store.observe("all", initial=False)
        def observe(output):
            for call in (store.sync, store.refresh):
                with pytest.raises(imd.ReentrantError):
                    call()
            if output < 3:
                store.dispatch("add", 1)

        store.dispatch("add", 1)
    assert keep(path, add, state=0) == 3


def test_a_disk_that_is_full(path):
    """The state is ahead of the file until sync has written what is missing."""
    resource = pytest.importorskip("resource")
    with imd.Store(add, state="", log=path) as store:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, limits[1]))
            with pytest.raises(imd.StorageError):
                store.dispatch("add", "a" * 1000)
            assert len(store.state) == 1000
            with pytest.raises(imd.StorageError):
                store.dispatch("add", "b")
            with pytest.raises(imd.StorageError):
                store.sync()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, handler)
        store.sync()
        store.dispatch("add", "c")
        state = store.state
    assert (keep(path, add, state=""), state) == (state, "a" * 1000 + "c")
