"""The option inspect, and a real store as the inspector sees it."""

import os
import re
import subprocess
import sys

import pytest
from waiting import wait_until

import immutabledata as imd
from immutabledata._inspector import programs
from immutabledata._inspector.failures import GoneError, InspectorError
from immutabledata._inspector.live import LiveProgram


@imd.drafting
def reduce(draft, action):
    if action["type"] == "added":
        draft["todos"].append(action["payload"])
    else:
        raise ValueError("there is no such action")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("inspect", [5, "yes", ["control"]])
def test_wrong_types(inspect):
    message = f"inspect must be a bool or InspectOptions, not {type(inspect).__name__}"
    with pytest.raises(TypeError, match=re.escape(message)):
        imd.Store(reduce, {}, inspect=inspect)
    with pytest.raises(TypeError, match=re.escape(message)):
        imd.open("counter", inspect=inspect)


def test_wrong_members():
    with pytest.raises(imd.InvalidArgumentError, match='"contol"'):
        imd.Store(reduce, {}, inspect={"contol": True})


def test_stores_that_opt_in(folder):
    store = imd.Store(reduce, {"todos": []}, inspect=True)
    counter = imd.open("counter", inspect={"control": True})
    silent = imd.Store(reduce, {"todos": []}, inspect=False)
    (found,) = programs.find()
    assert found.process == os.getpid()
    assert [each["control"] for each in found.stores] == [False, True]
    assert [each["domain"] for each in found.stores] == [None, "counter"]
    for each in (store, counter, silent):
        each.close()
    assert list(programs.find()) == []


def test_the_path_of_the_socket(tmp_path):
    path = tmp_path / "a.sock"
    with imd.Store(reduce, {"todos": []}, inspect={"path": path}):
        live = LiveProgram(str(path))
        assert all(record.has_patches for record in live.records.values())
        live.close()
    with pytest.raises(GoneError):
        LiveProgram(str(path))


@pytest.mark.parametrize(("variable", "count"), [("1", 2), ("0", 1)])
def test_the_variable(folder, variable, count):
    program = """
import immutabledata as imd
from immutabledata._inspector.programs import find
stores = [imd.open("counter"), *(imd.open("counter", inspect=each) for each in (True, False))]
print(*(len(found.stores) for found in find()))
"""
    env = {**os.environ, "IMMUTABLEDATA_INSPECT": variable}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{count}\n", "")


def test_what_the_inspector_sees(tmp_path):
    path = tmp_path / "a.sock"
    options = {"path": path, "control": True}
    store = imd.Store(reduce, {"todos": []}, history=True, inspect=options)
    store.dispatch("added", 0)
    live = LiveProgram(str(path))
    (record,) = live.records.values()
    wait_until(live, lambda: not record.states.is_broken)
    states = {1: store.state}
    for n in range(1, 300):
        store.dispatch("added", n)
        states[n + 1] = store.state
    store.dispatch_batch([{"type": "added", "payload": n} for n in "ab"])
    store.undo()
    states[303] = store.state
    store.redo()
    states[304] = store.state
    wait_until(live, lambda: record.last == 304)
    for number, state in states.items():
        assert record.state(number) == (number, state)
    assert record.state(301)[1]["todos"][-1] == "a"
    assert record.commit(303).jump
    live.request(record, "dispatch", action={"type": "added", "payload": "c"})
    assert store.state["todos"][-1] == "c"
    assert live.request(record, "undo", steps=2)["steps"] == 2
    assert len(store.state["todos"]) == 300
    with pytest.raises(InspectorError, match="no such action") as caught:
        live.request(record, "dispatch", action={"type": "none"})
    assert caught.value.code == "reducerFailed"
    assert live.request(record, "select", expression="length(todos)")["value"] == 300
    store.close()
    wait_until(live, lambda: not record.is_open)
    assert record.state(200) == (200, states[200])
    live.close()


def test_what_is_redacted_stays_so(tmp_path):
    path = tmp_path / "a.sock"
    options = {"trace": {"show": [], "redact": ["/pin"]}, "inspect": {"path": path}}
    with imd.Store(lambda state, action: state.set("/n", 1), {"pin": 1234, "n": 0}, **options):
        live = LiveProgram(str(path))
        (record,) = live.records.values()
        wait_until(live, lambda: not record.states.is_broken)
        assert record.state(None)[1] == {"n": 0, "pin": "[redacted]"}
        live.close()
