"""A running program as a source: its stores, gaps, its end, and its return."""

import os
from contextlib import suppress

import pytest
from fake_program import FakeProgram, FakeStore
from waiting import wait_until

from immutabledata._inspector import live as live_module
from immutabledata._inspector import session as session_module
from immutabledata._inspector.failures import GoneError, InspectorError, UnknownStateError
from immutabledata._inspector.live import LiveProgram


def commits(live, count, store=1):
    """Waits until a store has some commits, and returns its record."""
    record = live.records[store]
    numbers = record.commits.numbers
    wait_until(live, lambda: len(numbers) >= count and record.last >= numbers[-1])
    return record


def test_the_state_after_each_commit(live, program):
    program.commit({"type": "set", "payload": [1]}, {"items": ["b"]})
    program.commit({"type": "cleared"}, {})
    record = commits(live, 2)
    assert record.state(2) == (2, {"items": ["a"], "deep": {"n": 2}})
    assert record.state(3) == (3, {"items": ["b"]})
    assert record.state(None) == (4, {})
    with pytest.raises(UnknownStateError):
        record.state(1)
    with pytest.raises(UnknownStateError, match="no commit 5 yet"):
        record.state(5)
    assert record.commit(3).action == '{"payload":[1],"type":"set"}'
    description = record.describe()
    assert (description["commits"], description["first"], description["last"]) == (2, 3, 4)


def test_details_of_a_commit(live, program):
    long = {"type": "t" * 600, "payload": {"text": "x" * 1000}}
    program.commit(long, {}, microseconds=5, writer=3, batch=True)
    jump = {"type": "@@history/undone", "payload": {"number": 1}}
    with program.lock:
        commit = program.stores[1].next(jump, {"items": []})
        del commit["microseconds"]
        program.notify("commit", commit)
    record = commits(live, 2)
    row = record.commit(3)
    assert (row.microseconds, row.writer, row.batch, row.jump) == (5, 3, 1, 0)
    assert len(row.type) == 500
    assert len(row.preview) == 120
    assert record.commit(4).jump


def test_dropped_commits_are_a_gap_until_the_state_is_read(live, program):
    program.drop(5, {"type": "after"}, {"n": 1})
    record = commits(live, 1)
    assert record.dropped == 5
    assert record.commit(8).dropped == 5
    assert record.state(None) == (8, {"n": 1})
    program.commit({"type": "later"}, {"n": 2})
    commits(live, 2)
    assert record.state(9) == (9, {"n": 2})
    assert record.commit(9).dropped == 0


def test_the_state_is_read_once_in_a_while(live, program, monkeypatch):
    monkeypatch.setattr(session_module, "_PAUSE", 0.2)
    before = [method for method, _ in program.requests].count("state")
    for n in range(200):
        program.commit({"type": "huge"}, {"n": n}, problem="it would exceed the work budget")
    record = commits(live, 200)

    def is_known():
        with suppress(UnknownStateError):
            return record.state(None)[1] == {"n": 199}

    wait_until(live, is_known)
    assert record.commit(5).problem == "it would exceed the work budget"
    reads = [method for method, _ in program.requests].count("state") - before
    assert 1 <= reads < 20


def test_stores_that_are_opened_and_closed(live, program):
    program.open(FakeStore(2, {"n": 1}, name="second"))
    wait_until(live, lambda: 2 in live.records and not live.records[2].states.is_broken)
    program.commit({"type": "a"}, {"n": 2}, store=2)
    assert commits(live, 1, 2).state(None) == (1, {"n": 2})
    program.notify("closed", {"store": 2})
    wait_until(live, lambda: not live.records[2].is_open)
    assert live.records[2].state(1) == (1, {"n": 2})


def test_stores_without_patches_have_their_present_state(tmp_path):
    store = FakeStore(1, {"value": {"n": 40}}, domain="counter", patches=False)
    with FakeProgram(tmp_path / "a.sock", store) as program:
        live = LiveProgram(program.path)
        wait_until(live, lambda: live.records[1].last == 0)
        program.wait_for("attach")
        program.commit({"type": "a"}, {"value": {"n": 41}})
        record = commits(live, 1)
        assert live.part(record, None, "/value") == (1, {"n": 41})
        assert live.part(record, 1, "/value/n") == (1, 41)
        with pytest.raises(UnknownStateError, match="only the present state"):
            live.part(record, 0, "")
        assert "state" not in [method for method, _ in program.requests][:2]
        live.close()


def test_requests_about_a_store(live, program):
    record = live.records[1]
    assert live.request(record, "statistics")["process"] == {"stores": 1}
    live.request(record, "dispatch", action={"type": "set", "payload": ["/deep/n", 7]})
    assert commits(live, 1).state(3)[1]["deep"] == {"n": 7}
    with pytest.raises(InspectorError, match="no such action"):
        live.request(record, "dispatch", action={"type": "none"})


def test_the_trace_is_asked_for_while_somebody_reads_it(live, program):
    with live.events.subscribed(wants_trace=True) as subscriber:
        live.set_trace(True)
        program.wait_for("attach", 2)
        program.notify("trace", {"store": 1, "line": {"trace": "selector", "name": "open"}})
        news = subscriber.wait(30)
        while not news.trace:
            news = subscriber.wait(30)
        assert news.trace == [(1, '{"name":"open","trace":"selector"}')]
        program.notify("trace", {"store": 1, "line": {"trace": "a" * 100_000}})
        news = subscriber.wait(30)
        assert len(str(news.trace)) < 300
    live.set_trace(False)
    program.wait_for("attach", 3)
    assert program.requests[-1] == ("attach", {"store": 1, "trace": False})


def test_what_is_lost_when_the_trace_begins_is_a_gap(live, program):
    with program.lock:  # A commit is made, but not sent.
        program.stores[1].next({"type": "lost"}, {"n": 1})
        live.set_trace(True)
    program.wait_for("attach", 2)
    program.commit({"type": "a"}, {"n": 2})
    record = commits(live, 1)
    assert record.commit(4).dropped == 1
    assert record.state(None) == (4, {"n": 2})


def test_a_program_that_comes_back(live, program, tmp_path, monkeypatch):
    monkeypatch.setattr(live_module, "_INTERVAL", 0.01)
    program.commit({"type": "a"}, {"old": 1})
    old = commits(live, 1)
    program.close()
    wait_until(live, lambda: not live.describe()["connected"])
    assert old.state(3) == (3, {"old": 1})
    with pytest.raises(GoneError):
        live.request(old, "describe")
    with FakeProgram(tmp_path / "board.sock", FakeStore(1, {"new": 1}), FakeStore(2)) as again:
        wait_until(live, lambda: live.describe()["connected"] and 2 in live.records)
        wait_until(live, lambda: not live.records[1].states.is_broken)
        again.commit({"type": "b"}, {"new": 2})
        assert commits(live, 1).state(None) == (1, {"new": 2})
        with pytest.raises(GoneError, match="was started again"):
            live.request(old, "describe")


def test_a_program_that_comes_back_with_another_process(tmp_path, monkeypatch):
    monkeypatch.setattr(live_module, "_INTERVAL", 0.01)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = tmp_path / "immutabledata"
    folder.mkdir(mode=0o700)
    commands = {100: b"board\0", 101: b"other\0", 102: b"board\0"}
    monkeypatch.setattr(live_module, "_command_of", commands.get)
    before = FakeProgram(folder / "board-100.sock", FakeStore(1), process=100)
    with FakeProgram(folder / "board-99.sock", FakeStore(9), process=99):
        live = LiveProgram(before.path)
        before.close()
        with FakeProgram(folder / "board-101.sock", FakeStore(8), process=101):
            with FakeProgram(folder / "board-102.sock", FakeStore(2), process=102):
                wait_until(live, lambda: 2 in live.records)
                assert live.describe()["process"] == 102
        live.close()


def test_a_program_with_another_protocol(tmp_path):
    with FakeProgram(tmp_path / "a.sock", protocol=2) as program:
        with pytest.raises(InspectorError, match="version 2 of the protocol"):
            LiveProgram(program.path)


def test_a_program_that_sends_nonsense_has_ended(live, program):
    session = live._session
    program.send_raw(b'{"method":"commit","params":{"store":1}}\n')
    wait_until(live, lambda: session.reason is not None)
    assert "a wrong commit: KeyError" in session.reason


def test_the_oldest_commits_are_removed(tmp_path, monkeypatch):
    from immutabledata._inspector.database import CommitDatabase

    monkeypatch.setattr(session_module, "CommitDatabase", lambda: CommitDatabase(1000))
    with FakeProgram(tmp_path / "a.sock", FakeStore(1, {"n": 0})) as program:
        live = LiveProgram(program.path)
        wait_until(live, lambda: not live.records[1].states.is_broken)
        for n in range(1, 1501):
            program.commit({"type": "set"}, {"n": n})
        record = live.records[1]
        wait_until(live, lambda: record.last == 1500 and len(record.commits) <= 1000)
        first = record.commits.numbers[0]
        assert record.describe()["removed"] == first - 1
        for number in (first - 1, first, 1200, 1500):
            assert record.state(number) == (number, {"n": number})
        with pytest.raises(UnknownStateError):
            record.state(first - 2)
        assert record.commits.get(first - 1) is None
        live.close()


def test_a_large_database_is_cut(tmp_path, monkeypatch):
    from immutabledata._inspector.database import CommitDatabase

    monkeypatch.setattr(session_module, "CommitDatabase", lambda: CommitDatabase(1000, 1 << 20))
    with FakeProgram(tmp_path / "a.sock", FakeStore(1, {"n": 0})) as program:
        live = LiveProgram(program.path)
        wait_until(live, lambda: not live.records[1].states.is_broken)
        for n in range(100):
            program.commit({"type": "set", "payload": "x" * 100_000}, {"n": n})
        wait_until(live, lambda: live.records[1].last == 100 and live.size < 2 << 20)
        assert len(live.records[1].commits) < 20
        assert live.records[1].state(100) == (100, {"n": 99})
        live.close()


def test_nothing_is_left(program):
    def files():
        descriptors = [f"/proc/self/fd/{each}" for each in os.listdir("/proc/self/fd")]
        return {os.readlink(each) for each in descriptors if os.path.islink(each)}

    before = files()
    live = LiveProgram(program.path)
    wait_until(live, lambda: not live.records[1].states.is_broken)
    live.close()
    program.wait_for_nobody()
    assert files() <= before
