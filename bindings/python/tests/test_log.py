"""Stores whose actions are kept in a file."""

import asyncio
import contextvars
import gc
import queue
import signal
import sys
import threading
import weakref

import pytest
from lowered_limits import limited
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


@pytest.mark.parametrize("count", [0, 1, 200])
def test_a_slice_that_the_log_lacks(path, count):
    """It starts with its initial state, in the present state and in those that are shown again."""
    options = {"history": {"limit": 5}}
    actions = [{"type": "todos/added", "payload": "a" * 50}] * count
    keep(path, slices("todos"), actions, **options)
    with imd.Store(slices("todos", "notes"), log=path, **options) as store:
        assert (len(store.state["todos"]), store.state["notes"]) == (count, [])
        if count:
            store.undo()
            assert (len(store.state["todos"]), store.state["notes"]) == (count - 1, [])
        store.dispatch("notes/added", 1)
        assert store.state["notes"] == [1]
    with imd.Store(slices("todos", "notes"), log=path, **options) as store:
        assert store.state["notes"] == [1]
        store.undo()
        assert store.state["notes"] == []
        assert store.replay()["difference"] is None
    following = {"path": path, "read_only": True, "defaults": {"/todos": [0]}}
    with pytest.warns(imd.LikelyMistakeWarning, match='of the types? .*"notes/added"'):
        store = imd.Store(imd.combine(**{"a/b": slices("c")}), log=following)
    with store:
        assert store.state["a/b"] == {"c": []}


def test_slices_of_slices_that_the_log_lacks(path):
    keep(path, imd.combine(inner=slices("a")))
    with imd.Store(imd.combine(inner=slices("a", "b"), c=slices("d")), log=path) as store:
        assert store.state == {"inner": {"a": [], "b": []}, "c": {"d": []}}


def test_defaults_of_a_program(path):
    keep(path, draft, state={"todos": []})
    with imd.Store(
        imd.combine(tags=imd.Slice("tags", ["new"])),
        log={"path": path, "defaults": {"/tags": imd.value(["old"]), "/a": {"b": 1}}},
    ) as store:
        assert store.state == {"todos": [], "tags": ["old"], "a": {"b": 1}}
    with pytest.raises(imd.InvalidArgumentError, match="defaults"):
        imd.Store(slices("a"), log={"path": path, "defaults": 5})


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
        told: queue.Queue = queue.Queue()
        reader.on_error = lambda error, callback: told.put(error)
        writer.dispatch("add", 1)
        with pytest.raises(imd.ReducerFailedError, match="LookupError: refused"):
            reader.refresh()
        assert reader.state == {"n": 0}
        assert isinstance(told.get(timeout=60), imd.ReducerFailedError)


def test_a_reader_tells_that_it_stops(path):
    with imd.Store(count, state={"n": 0}, log=path), imd.Store(
        count, state={"n": 0}, log={"path": path, "read_only": True}
    ) as reader:
        told: queue.Queue = queue.Queue()
        reader.on_error = lambda error, callback: told.put((error, callback))
        assert reader.select("@@log") == {
            "path": str(path),
            "problem": None,
            "readOnly": True,
            "writer": None,
        }
        path.unlink()
        error, callback = told.get(timeout=60)
        assert isinstance(error, imd.StorageError) and callback is None
        assert "was deleted, moved or replaced while it was open" in str(error)
        assert reader.select("@@log")["problem"] == str(error)
        assert reader.statistics()["log"]["problem"] == str(error)
        with pytest.raises(imd.StorageError, match="deleted, moved or replaced"):
            reader.refresh()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_reader_without_a_handler_tells_the_hook(path, monkeypatch):
    told = queue.Queue()
    monkeypatch.setattr(sys, "unraisablehook", told.put)
    with imd.Store(count, state={"n": 0}, log=path), imd.Store(
        count, state={"n": 0}, log={"path": path, "read_only": True}
    ):
        path.unlink()
        assert isinstance(told.get(timeout=60).exc_value, imd.StorageError)


# ---- Files ---------------------------------------------------------------------------------------


def test_verify_and_entries(path):
    with imd.Store(count, state={"n": 0}, history=True, log=path) as store:
        store.dispatch("add", 1, meta={"by": "Ada"})
        store.dispatch_batch([{"type": "add", "payload": 1}, {"type": "add", "payload": 2}])
        store.undo()
        store.mark_clean()
        seen = []
        found = imd.log.verify(path, progress=lambda *progress: seen.append(progress))
        assert (found["entries"], found["last"], found["snapshot"]) == (4, 4, None)
        assert seen == [(found["bytes"],) * 2]
        entries = list(imd.log.entries(str(path)))
    assert [(entry.number, entry.kind) for entry in entries] == [
        (1, "actions"),
        (3, "actions"),
        (4, "jump"),
        (4, "history"),
    ]
    assert entries[0].actions == [{"type": "add", "payload": 1, "meta": {"by": "Ada"}}]
    assert [len(entry.actions) for entry in entries] == [1, 2, 0, 0]
    assert entries[2].content["kind"] == "undone"
    assert abs(entries[0].when.timestamp() - path.stat().st_mtime) < 60
    assert [entry.number for entry in imd.log.entries(path, start=4)] == [4, 4]
    with pytest.raises(imd.InvalidArgumentError):
        imd.log.entries(path, start=-1)
    with pytest.raises(imd.StorageError):
        next(imd.log.entries("/none/at/all.imd"))


def test_an_iteration_has_many_entries(path):
    keep(path, add, [{"type": "add", "payload": 1}] * 600, state=0)
    assert [entry.number for entry in imd.log.entries(path)] == list(range(1, 601))


def test_progress_can_cancel(path):
    keep(path, add, [{"type": "add", "payload": 1}] * 5000, state=0)

    def cancel(done, total):
        assert 0 < done < total
        raise LookupError("enough")

    for call in (lambda: imd.log.verify(path, progress=cancel), lambda: replay(path, cancel)):
        with pytest.raises(LookupError, match="enough"):
            call()
    with pytest.raises(TypeError):
        imd.log.verify(path, progress=lambda: None)


def test_replay(path):
    with imd.Store(add, state=0, log=path) as store:
        for number in (1, 2, 4):
            store.dispatch("add", number)
        assert store.replay() == {"entries": 3, "number": 3, "difference": None}
        # The last state that the reducer returned was not that of the store.
        store.dispatch("add", 8)
        assert store.state == 15
    factor = 1
    multiply = lambda state, action: state + factor * action["payload"]  # noqa: E731
    with imd.Store(multiply, state=0, log=path) as s:
        s.dispatch("add", 16)
        factor = 2
        difference = s.replay()["difference"]
        assert difference == {"number": 5, "patch": [{"op": "replace", "path": "", "value": 62}]}
        assert type(difference["patch"]) is imd.Patch
        s.dispatch("add", 1)
        assert s.state == 33
    with imd.Store(add, state=0) as store, pytest.raises(imd.InvalidArgumentError):
        store.replay()


def test_a_replay_gets_its_own_states(path):
    """Not the last state of the store, which the package keeps for the next action."""
    with imd.Store(draft, state={"todos": []}, log=path) as store:
        for title in "ABC":
            store.dispatch("added", title)
            assert store.replay()["difference"] is None
        assert store.state["todos"] == ["A", "B", "C"]


def test_a_replay_while_another_thread_dispatches(path):
    with imd.Store(draft, state={"todos": []}, log=path) as store:
        numbers = range(300)

        def dispatch():
            for number in numbers:
                store.dispatch("added", number)

        thread = threading.Thread(target=dispatch)
        thread.start()
        while thread.is_alive():
            assert store.replay()["difference"] is None
        thread.join()
        assert store.state["todos"] == list(numbers)


def test_a_reducer_that_raises_in_a_replay(path):
    raised = None

    def reduce(state, action):
        if raised is not None:
            raise raised
        return add(state, action)

    with imd.Store(reduce, state=0, log=path) as store:
        store.dispatch("add", 1)
        raised = LookupError("refused")
        with pytest.raises(imd.ReducerFailedError) as caught:
            store.replay()
        assert caught.value.__cause__ is raised
        raised = KeyboardInterrupt()
        with pytest.raises(KeyboardInterrupt):
            store.replay()
        raised = None
        store.dispatch("add", 1)
        assert store.state == 2


def test_state_at(path):
    keep(path, add, [{"type": "add", "payload": number} for number in (1, 2, 4)], state=0)
    assert [imd.log.state_at(path, number, add) for number in range(4)] == [0, 1, 3, 7]
    at = {"path": path, "read_only": True, "at": 2}
    with imd.Store(add, state=0, log=at) as store:
        assert store.query("@") == 3
    with pytest.raises(imd.NotFoundError):
        imd.log.state_at(path, 2**70, add)
    with pytest.raises(imd.InvalidArgumentError, match="pass the reducer"):
        imd.log.state_at(path, 1)
    with pytest.raises(imd.ReducerFailedError) as caught:
        imd.log.state_at(path, 1, lambda state, action: action["none"])
    assert isinstance(caught.value.__cause__, KeyError)
    with imd.open("counter", log=path.with_name("counter.imd")) as store:
        store.dispatch("didTapIncrementButton")
        assert imd.log.state_at(path.with_name("counter.imd"), 1) == {"value": 1}


def test_compact(path):
    log = {"path": path, "application": "sum", "version": 2}
    with imd.Store(add, state=0, log=log, history=True) as store:
        for number in (1, 2, 4):
            store.dispatch("add", number)
        with pytest.raises(imd.StorageError):
            imd.log.compact(path, add)
    imd.log.compact(path, add, keep={"entries": 1})
    assert [entry.number for entry in imd.log.entries(path)] == [3]
    assert imd.log.verify(path)["base"] == 3
    with imd.Store(add, state=0, log=log, history=True) as store:
        assert (store.state, store.undo(), store.state) == (7, 1, 3)
    with pytest.raises(imd.InvalidArgumentError):
        imd.log.compact(path, add, keep="some")
    with pytest.raises(TypeError):
        imd.log.compact(path, add, shared=1)


def test_redact(path):
    def named(state, action):
        return state.set("/name", action["payload"])

    names = [{"type": "named", "payload": name} for name in ("Ada", "Bob", "")]
    keep(path, named, names, state={}, history=True)

    def is_ada(entry):
        return entry.actions[0]["payload"] == "Ada"

    assert imd.log.redact(path, is_ada, named) == 1
    assert b"Ada" not in path.read_bytes()
    assert [entry.redacted for entry in imd.log.entries(path)] == [True, False, False]
    assert imd.log.verify(path)["redacted"] == 1
    before = path.read_bytes()
    assert imd.log.redact(path, is_ada, named) == 0
    with pytest.raises(ZeroDivisionError):
        imd.log.redact(path, lambda entry: 1 // 0, named)
    assert path.read_bytes() == before
    assert keep(path, named, state={}, history=True) == {"name": ""}


def list_migration():
    @imd.log.migration(from_version=1)
    def migration(state):
        return {"items": state}

    @migration.action
    def rename(action):
        return None if action["payload"] == "secret" else action.set("/type", "items/added")

    return migration


def test_migration(path):
    def old(state, action):
        return state.append(action["payload"])

    @imd.drafting
    def new(draft, action):
        assert action["type"] == "items/added"
        draft["items"].append(action["payload"])

    actions = [{"type": "added", "payload": name} for name in ("a", "secret", "b")]
    keep(path, old, actions, state=[])
    log = {"path": path, "version": 2}
    options = {"state": {"items": []}}
    with pytest.raises(imd.InvalidArgumentError):
        imd.Store(new, log=log, **options)
    with pytest.raises(imd.InvalidArgumentError, match="needs a migration from the version 1"):
        imd.Store(new, log={**log, "migrations": []}, **options)
    migration = list_migration()
    assert migration(imd.value([1])) == {"items": [1]}
    log["migrations"] = [migration]
    with pytest.raises(imd.InvalidArgumentError, match="the application without a name"):
        imd.Store(new, log={**log, "application": "another"}, **options)
    assert b"secret" in path.read_bytes()
    for _ in range(2):
        with imd.Store(new, log=log, **options) as store:
            assert store.state == {"items": ["a", "b"]}
            assert store.replay()["difference"] is None
    assert b"secret" not in path.read_bytes()
    assert b"secret" in path.with_name("log.imd-v1").read_bytes()
    imd.log.migrate(path, 2, [], new)
    imd.log.migrate(path.with_name("none.imd"), 2, [], new)
    assert not path.with_name("none.imd").exists()


@pytest.mark.parametrize("kind", ["state", "action", "reducer"])
def test_a_migration_that_fails(path, kind):
    def fail(*arguments):
        raise LookupError("refused")

    keep(path, add, [{"type": "add", "payload": 1}], state=0)
    before = path.read_bytes()
    migration = imd.log.migration(from_version=1)(fail if kind == "state" else lambda state: state)
    if kind == "action":
        migration.action(fail)
    log = {"path": path, "version": 2, "migrations": [migration]}
    with pytest.raises(imd.ReducerFailedError, match="LookupError: refused") as caught:
        imd.Store(fail if kind == "reducer" else add, state=0, log=log)
    assert isinstance(caught.value.__cause__, LookupError)
    assert path.read_bytes() == before
    nothing = imd.log.migration(from_version=1)(lambda state: None)
    with pytest.raises(imd.ReducerFailedError, match="from the version 1 returned no state"):
        imd.log.migrate(path, 2, [nothing], add)
    assert path.read_bytes() == before
    for wrong in (0, 2**31 - 1):
        with pytest.raises(imd.InvalidArgumentError):
            imd.log.migration(from_version=wrong)
    for wrong in ("1", None, True):
        with pytest.raises(TypeError):
            imd.log.migration(from_version=wrong)
    for wrong in ("items", [1], 5):
        with pytest.raises(TypeError):
            imd.log.migration(from_version=1, removes=wrong)
    with pytest.raises(TypeError):
        imd.log.migration(from_version=1)(lambda: None)
    with pytest.raises(TypeError):
        imd.log.migrate(path, 2, [add], add)


@pytest.mark.parametrize("removes", [(), ["b"]])
def test_a_migration_says_what_it_removes(path, removes):
    keep(path, lambda state, action: state, [{"type": "add"}], state={"a": 1, "b": 2, "ü": 3})
    migration = imd.log.migration(from_version=1, removes=[*removes, "ü"])(lambda state: {"a": 1})
    log = {"path": path, "version": 2, "migrations": [migration]}
    if removes:
        assert keep(log, lambda state, action: state, state={}) == {"a": 1}
        return
    with pytest.raises(imd.InvalidArgumentError, match='has no member "b"; return it too, or'):
        imd.Store(lambda state, action: state, {}, log=log)
    assert [file.name for file in path.parent.iterdir()] == ["log.imd"]


# ---- What vanishes -------------------------------------------------------------------------------


def make_slice(name):
    tasks = imd.Slice(name, [])
    tasks.on("added")(lambda draft, action: draft.append(action["payload"]))
    return tasks


def test_a_renamed_slice_is_told(path):
    old, new = make_slice("tasks"), make_slice("todos")
    keep(path, old, [{"type": "tasks/added", "payload": 1}] * 2)
    message = (
        f'no slice takes 2 actions of the log "{path}", of the type "tasks/added"; if a slice was '
        "renamed, migrate the actions, see log.migration"
    )
    with pytest.warns(imd.LikelyMistakeWarning) as caught:
        store = imd.Store(new, log=path)
    assert [str(each.message) for each in caught] == [message]
    assert caught[0].filename == __file__
    with store:
        assert store.replay() == {"entries": 2, "number": 2, "difference": None, "ignored": 2}
    with imd.Store(old, log=path) as store:
        assert store.replay()["ignored"] == 0


def test_an_action_for_listeners_is_no_mistake(path):
    tasks = make_slice("tasks")
    actions = [tasks.actions.added(1), {"type": "tasks/saved"}]
    keep(path, lambda state, action: state, actions, state={"tasks": []})
    with imd.Store(imd.combine(tasks=tasks), log=path) as store:
        assert store.replay()["ignored"] == 1


def test_a_migration_names_the_types_that_are_ignored(path):
    keep(path, add, [{"type": "tasks/added", "payload": 1}], state=0)
    migration = imd.log.migration(from_version=1)(lambda state: [])
    with pytest.warns(imd.LikelyMistakeWarning, match='no slice takes 1 action .* "tasks/added"'):
        imd.log.migrate(path, 2, [migration], make_slice("todos"))


@pytest.mark.parametrize(
    ("reducer", "log", "message"),
    [
        (imd.combine(todos=make_slice("tasks")), {}, "no reducer takes its member \"tasks\""),
        (imd.combine(tasks=make_slice("tasks"), other=make_slice("other")), {}, None),
        (lambda state, action: state, {}, 'lacks what the initial state has: "todos"; add it with'),
        (lambda state, action: state, {"defaults": {"/todos": []}}, None),
    ],
)
def test_a_log_that_lacks_members_is_told(path, recwarn, reducer, log, message):
    keep(path, lambda state, action: state, state={"tasks": []})
    state = {} if hasattr(reducer, "log_defaults") else {"state": {"todos": []}}
    imd.Store(reducer, log={"path": path, **log}, **state).close()
    texts = [str(each.message) for each in recwarn]
    assert len(texts) == (0 if message is None else 1) and (message or "") in "".join(texts)


@pytest.mark.parametrize("ends", ["close", "with", "delete"])
def test_a_log_that_is_lost_is_told(path, monkeypatch, ends):
    """The file was deleted, so that syncing it fails."""
    hooked = []
    monkeypatch.setattr("sys.unraisablehook", hooked.append)
    store = imd.Store(add, state=0, log={"path": path, "durability": "none"})
    store.dispatch("add", 1)
    path.unlink()
    if ends == "delete":
        del store
        (failure,) = hooked
        assert isinstance(failure.exc_value, imd.StorageError)
        assert repr(failure.object) == "the end of the store 'add'"
        return
    with pytest.raises(imd.StorageError, match="the store was closed, and "):
        if ends == "close":
            store.close()
        else:
            with store:
                pass
    assert store.closed
    store.close()


def test_what_opens_can_be_read(path):
    deep = imd.from_json("[" * 2046 + "]" * 2046)
    keep(path, lambda state, action: state, [imd.value({"type": "x"}).set("/payload", deep)], state=0)
    keep(path, lambda state, action: state, [{"type": "x", "payload": "a" * 99}] * 40, state=0)
    with limited(input=1000):
        first, *rest = imd.log.entries(path)
        saved = imd.log.snapshot(path)
    assert first.actions[0]["payload"] == deep
    assert len(rest) == 40
    assert (saved.number + saved.entries, saved.last, saved.state) == (41, 41, 0)


def test_export_and_import(path):
    keep(path, add, [{"type": "add", "payload": number} for number in (1, 2, 4)], state=0)
    text = imd.log.export(path, add)
    copy = path.with_name("copy.imd")
    imd.log.import_(copy, text, add)
    assert keep(copy, add, state=0) == 7
    assert [entry.actions for entry in imd.log.entries(copy)] == [
        entry.actions for entry in imd.log.entries(path)
    ]
    with pytest.raises(imd.InvalidArgumentError):
        imd.log.import_(copy, text, add)
    with pytest.raises(imd.InvalidArgumentError):
        imd.log.import_(path.with_name("other.imd"), text.encode(), lambda state, action: state)
    assert not path.with_name("other.imd").exists()


def replay(path, function):
    with imd.Store(add, state=0, log=path) as store:
        store.replay(progress=function)


@pytest.mark.parametrize(
    "call",
    [
        imd.log.compact,
        lambda path, function: imd.log.redact(path, function, add),
        lambda path, function: imd.log.verify(path, progress=function),
        replay,
    ],
    ids=["reducer", "predicate", "progress of verify", "progress of replay"],
)
def test_ctrl_c_ends_a_call_that_calls_functions(path, call):
    """They run on another thread; the file stays as it was."""
    keep(path, add, [{"type": "add", "payload": 1}] * 2000, state=0)
    path.with_name("log.imd-snapshot").unlink()
    before = path.read_bytes()
    interrupted = threading.Event()

    def interrupt(first, second=None):
        if not interrupted.is_set():
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            interrupted.wait()
        return second is not None and not isinstance(second, int) and add(first, second)

    def handle(*arguments):
        interrupted.set()
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGINT, handle)
    try:
        with pytest.raises(KeyboardInterrupt):
            call(path, interrupt)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert path.read_bytes() == before


def test_a_function_of_a_log_has_the_context_of_the_call(path):
    keep(path, add, [{"type": "add", "payload": 1}], state=0)
    variable = contextvars.ContextVar("variable")
    variable.set(7)
    found = []
    imd.log.redact(path, lambda entry: found.append(variable.get()), add)
    assert found == [7]


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
        signal.raise_signal(signal.SIGINT)
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
            for call in (store.sync, store.refresh, store.replay):
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
