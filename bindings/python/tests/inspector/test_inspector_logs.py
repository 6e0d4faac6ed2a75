"""A log as a source: what is repeated, and what a log has by itself."""

import pytest
from waiting import wait_until

import immutabledata as imd
from immutabledata._inspector import log_file as log_module
from immutabledata._inspector.api import Api
from immutabledata._inspector.failures import InspectorError, UnknownStateError
from immutabledata._inspector.log_file import LogFile


@imd.drafting
def reduce(draft, action):
    if action["type"] == "added":
        draft["items"].append(action["payload"])
    if action["type"] == "failed":
        raise ValueError("no")


@pytest.fixture(autouse=True)
def _often(monkeypatch):
    monkeypatch.setattr(log_module, "_INTERVAL", 0.01)


@pytest.fixture
def path(tmp_path):
    """A log with actions, a batch, and jumps."""
    path = tmp_path / "a.imd"
    with imd.Store(reduce, {"items": []}, log=path, history=True) as store:
        for n in range(5):
            store.dispatch("added", n)
        store.dispatch_batch([{"type": "added", "payload": n} for n in (5, 6, 7)])
        store.undo()
        store.undo(3)
        store.redo()
        store.travel(0)
        store.travel(4)
        store.dispatch("added", "last")
    return str(path)


@pytest.fixture
def opened():
    opened = []

    def open(*arguments, **options):
        opened.append(LogFile(*arguments, **options))
        wait_until(opened[-1], lambda: opened[-1].is_read or opened[-1].problem)
        return opened[-1]

    yield open
    for log in opened:
        log.close()


@pytest.mark.parametrize("history", [True, None])
def test_the_states_of_a_log(opened, path, history):
    log = opened(path, reduce, history=history)
    record = log.records[1]
    assert log.problem is None
    states = [record.state(number)[1]["items"] for number in range(14)]
    library = [imd.log.state_at(path, number, reduce)["items"] for number in range(14)]
    assert len(record.commits) == 14
    # In the middle of a batch, a log has only the state after all of it.
    assert states[6:8] == [[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6]]
    assert states[:6] + states[8:] == library[:6] + library[8:]
    assert record.state(14)[1]["items"] == [0, 1, 2, 3, "last"]
    rows = list(record.commits.rows())
    assert [row.batch for row in rows[4:9]] == [0, 1, 1, 0, 0]
    assert [row.type for row in rows[8:10]] == ["@@history/undone"] * 2
    assert rows[8].jump


def test_a_log_that_grows(opened, path):
    log = opened(path, reduce, history=True)
    with imd.Store(reduce, {"items": []}, log=path, history=True) as store:
        store.dispatch("added", "more")
        store.sync()
        wait_until(log, lambda: log.records[1].last == 15)
        store.undo()
        store.sync()
        wait_until(log, lambda: log.records[1].last == 16)
    record = log.records[1]
    assert record.state(15)[1]["items"][-1] == "more"
    assert record.state(16)[1]["items"] == [0, 1, 2, 3, "last"]


def test_a_log_without_entries(opened, tmp_path):
    path = str(tmp_path / "a.imd")
    with imd.Store(reduce, {"items": [7]}, log=path) as store:
        log = opened(path, reduce)
        wait_until(log, lambda: not log.records[1].states.is_broken)
        assert log.records[1].state(None) == (0, {"items": [7]})
        store.dispatch("added", 8)
        store.sync()
        wait_until(log, lambda: log.records[1].last == 1)
    assert log.records[1].state(1) == (1, {"items": [7, 8]})


def test_a_log_that_was_compacted(opened, path):
    imd.log.compact(path, reduce, keep={"entries": 2})
    log = opened(path, reduce, history=True)
    record = log.records[1]
    assert list(record.commits.numbers) == [13, 14]
    assert record.commit(13).problem == "the log was compacted, and has no state before this commit"
    assert record.state(14)[1] == {"items": [0, 1, 2, 3, "last"]}
    with imd.Store(reduce, {"items": []}, log=path, history=True) as store:
        store.dispatch("added", "more")
        store.undo(2)
        store.sync()
        wait_until(log, lambda: record.last == 16)
    assert record.state(15)[1]["items"][-1] == "more"
    assert record.state(16)[1] == {"items": [0, 1, 2, 3]}


def test_a_reducer_that_is_another_one(opened, path):
    def fails(state, action):
        if action.get("payload") == 3:
            raise ValueError("not this")
        return reduce(state, action)

    log = opened(path, fails, history=True)
    record = log.records[1]
    assert len(record.commits) == 14
    assert log.problem == "commit 4 cannot be repeated: ValueError: not this"
    assert log.describe()["problem"] == log.problem
    assert record.commit(4).problem == log.problem
    assert record.state(3)[1]["items"] == [0, 1, 2]
    with pytest.raises(UnknownStateError):
        record.state(4)


def test_an_action_that_was_redacted(opened, path):
    imd.log.redact(path, lambda entry: entry.number == 5, reduce)
    log = opened(path, reduce, history=True)
    record = log.records[1]
    assert record.commit(5).type == "(redacted)"
    assert record.commit(6).problem == "the log was compacted, and has no state before this commit"
    assert len(record.commits) == 14
    assert record.state(14)[1] == {"items": [0, 1, 2, 3, "last"]}


def test_actions_without_a_reducer(opened, path):
    log = opened(path)
    record = log.records[1]
    assert [row.commit for row in record.commits.rows()] == list(range(1, 15))
    assert record.commit(6).patch is None
    assert log.part(record, None, "/items") == (0, [])
    with pytest.raises(UnknownStateError, match="only has the state after commit 0"):
        log.part(record, 3, "")
    assert log.request(record, "describe")["actions"] == [{"type": "added"}]
    for method in ("select", "dispatch"):
        with pytest.raises(InspectorError, match="needs a running program"):
            log.request(record, method)


def test_the_log_of_a_domain(opened, tmp_path):
    path = str(tmp_path / "counter.imd")
    with imd.open("counter", log=path, history=True) as store:
        store.dispatch("didTapIncrementButton")
        store.dispatch("didTapIncrementButton")
        store.undo()
    log = opened(path, domain="counter", history=True)
    api = Api(log)
    values = [
        api.get(["stores", "1", "value"], {"commit": str(number)})["value"] for number in range(4)
    ]
    assert values == ['{"value":0}', '{"value":1}', '{"value":2}', '{"value":1}']
    assert api.get(["stores", "1", "commits"], {})["total"] == 3
    with pytest.raises(InspectorError, match="no commit 9"):
        api.get(["stores", "1", "state"], {"commit": "9"})


def test_a_library_with_other_domains(opened, tmp_path, other):
    path = str(tmp_path / "counter.imd")
    with imd.open("counter", log=path) as store:
        store.dispatch("didTapIncrementButton")
    log = opened(path, domain="counter", library=other)
    api = Api(log)
    assert api.get(["stores", "1", "value"], {"path": "/value"})["value"] == "1"
    action = api.get(["stores", "1", "commit", "1"], {})["action"]
    assert action == '{"type":"didTapIncrementButton"}'
    alone = opened(path, library=other)
    assert alone.part(alone.records[1], None, "/value") == (0, 0)


def test_a_log_with_several_writers(opened, tmp_path):
    path = str(tmp_path / "shared.imd")
    options = {"path": path, "shared": True}
    with imd.Store(reduce, {"items": []}, log=options) as one:
        with imd.Store(reduce, {"items": []}, log=options) as two:
            one.dispatch("added", 1)
            two.dispatch("added", 2)
            one.dispatch("added", 3)
    log = opened(path, reduce)
    record = log.records[1]
    assert record.state(None)[1] == {"items": [1, 2, 3]}
    writers = [row.writer for row in record.commits.rows()]
    assert writers[0] == writers[2] != writers[1]


def test_no_log(tmp_path):
    with pytest.raises(imd.Error):
        LogFile(str(tmp_path / "none.imd"))
    (tmp_path / "a.txt").write_text("text")
    with pytest.raises(imd.Error):
        LogFile(str(tmp_path / "a.txt"))


def test_the_api_of_a_log(opened, path):
    api = Api(opened(path, reduce, history=True))
    program = api.program()
    assert (program["source"], program["process"], program["connected"]) == ("log", None, True)
    (store,) = program["stores"]
    assert (store["commits"], store["readOnly"], store["log"]) == (14, True, path)
    with pytest.raises(InspectorError, match="needs a running program"):
        api.post(["stores", "1", "dispatch"], {"action": {"type": "added"}})
    with pytest.raises(InspectorError, match="needs a running program"):
        api.post(["stores", "1", "select"], {"expression": "items"})
    assert api.get(["stores", "1", "history"], {}) == {"entries": []}
