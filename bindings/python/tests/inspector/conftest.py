import pytest
from browser_client import Browser
from fake_program import FakeProgram, FakeStore
from waiting import wait_until

from immutabledata._inspector import server as server_module
from immutabledata._inspector.live import LiveProgram
from immutabledata._inspector.server import InspectorServer


def set_value(state, action):
    """A reducer that sets a member."""
    if action["type"] != "set":
        raise ValueError("there is no such action")
    return state.set(*action["payload"])


@pytest.fixture
def program(tmp_path):
    """A program with a store that has two commits."""
    store = FakeStore(state={"items": ["a"], "deep": {"n": 0}}, reducer=set_value)
    with FakeProgram(tmp_path / "board.sock", store) as program:
        program.commit({"type": "set", "payload": ["/deep/n", 1]}, store.state.set("/deep/n", 1))
        program.commit({"type": "set", "payload": ["/deep/n", 2]}, store.state.set("/deep/n", 2))
        yield program


@pytest.fixture
def live(program):
    """The program as the inspector sees it, after it has attached."""
    live = LiveProgram(program.path)
    wait_until(live, lambda: not live.records[1].states.is_broken)
    yield live
    live.close()


@pytest.fixture
def browser(live, monkeypatch):
    files = {"index.html": b"<!doctype html>", "main.js": b"export {};", "style.css": b"a {}"}
    monkeypatch.setattr(server_module, "page_files", lambda: files)
    monkeypatch.setattr(server_module, "_POLL", 0.01)
    server = InspectorServer(live)
    server.start()
    yield Browser(server)
    server.close()
