"""The client of the protocol: requests, notifications, and programs that keep to nothing."""

import json
import os
import socket
import threading

import pytest
from fake_program import FakeProgram, FakeStore

import immutabledata as imd
from immutabledata._inspector import connection as connection_module
from immutabledata._inspector import programs, sockets
from immutabledata._inspector.connection import Connection
from immutabledata._inspector.failures import GoneError, InspectorError


class Listener:
    """Collects what a connection says."""

    def __init__(self):
        self.condition = threading.Condition()
        self.notifications = []
        self.reasons = []

    def notify(self, method, params):
        with self.condition:
            self.notifications.append((method, params))
            self.condition.notify_all()

    def ended(self, reason):
        with self.condition:
            self.reasons.append(reason)
            self.condition.notify_all()

    def wait(self, condition):
        with self.condition:
            assert self.condition.wait_for(condition, 30)


@pytest.fixture
def listener():
    return Listener()


@pytest.fixture
def connection(program, listener):
    with Connection(program.path, listener.notify, listener.ended) as connection:
        yield connection


def test_requests_have_results(connection, program):
    assert connection.request("stores")["stores"][0]["name"] == "store 1"
    assert connection.request("state", store=1, path="/items") == {"commit": 2, "value": ["a"]}


def test_requests_of_several_threads(connection):
    answers = []

    def ask():
        answers.extend(connection.request("state", store=1)["commit"] for _ in range(50))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [2] * 200


@pytest.mark.parametrize(
    ("method", "params", "code", "status", "message"),
    [
        ("state", {"store": 7}, "closed", 404, "there is no such store"),
        ("dispatch", {"store": 1, "action": {"type": "no"}}, "reducerFailed", 409, "such action"),
        ("select", {"store": 1, "expression": "["}, "invalidSelector", 409, "expression"),
    ],
)
def test_refusals(connection, method, params, code, status, message):
    with pytest.raises(InspectorError, match=message) as caught:
        connection.request(method, **params)
    assert (caught.value.code, caught.value.status) == (code, status)


def test_a_program_that_is_not_controlled(tmp_path):
    with FakeProgram(tmp_path / "a.sock") as program, Connection(program.path) as connection:
        with pytest.raises(InspectorError, match="does not allow") as caught:
            connection.request("dispatch", store=1, action={"type": "a"})
        assert caught.value.code == "notControlled"


def test_notifications_come_after_the_attach(connection, program, listener):
    assert connection.request("attach", store=1)["commit"] == 2
    program.commit({"type": "set"}, {"items": []})
    program.notify("closed", {"store": 1})
    listener.wait(lambda: len(listener.notifications) == 2)
    (first, commit), (second, _) = listener.notifications
    assert (first, second) == ("commit", "closed")
    assert commit["commit"] == 3
    assert commit["patch"][0]["op"] == "remove"


def test_the_end_of_the_program(program, listener):
    connection = Connection(program.path, listener.notify, listener.ended)
    assert connection.request("stores")
    program.close(unlink=False)
    listener.wait(lambda: listener.reasons)
    assert listener.reasons == ["the program has ended the connection"]
    assert not connection.is_open
    with pytest.raises(GoneError, match="has ended"):
        connection.request("stores")
    connection.close()


def test_a_request_without_an_answer_fails_when_the_program_ends(tmp_path, listener):
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "a.sock"))
    server.listen()
    with Connection(str(tmp_path / "a.sock")) as connection:
        client, _ = server.accept()
        failures = []

        def ask():
            with pytest.raises(GoneError) as caught:
                connection.request("stores")
            failures.append(str(caught.value))

        thread = threading.Thread(target=ask)
        thread.start()
        assert b"stores" in client.recv(1000)
        client.close()
        thread.join()
    assert failures == ["the program has ended the connection"]
    with Connection(str(tmp_path / "a.sock")) as connection:
        with pytest.raises(GoneError, match="did not answer within"):
            connection.request("stores", timeout=0.01)
    server.close()


def test_a_long_request_is_refused_here(connection):
    with pytest.raises(InspectorError, match="at most 1 MiB"):
        connection.request("dispatch", store=1, action={"type": "a" * (1 << 20)})
    assert connection.request("stores")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"nonsense\n", "what is no message"),
        (b"[1]\n", "what is no message"),
        (b"\xff\xfe\n", "what is no message"),
        (b'{"method":"commit"}\n', "a wrong commit: "),
        (b"[" * 5000 + b"\n", "what is no message"),
    ],
)
def test_nonsense_ends_the_connection(program, line, reason):
    listener = Listener()

    def notify(method, params):
        listener.notify(method, params["store"])

    with Connection(program.path, notify, listener.ended) as connection:
        assert connection.request("stores")
        program.send_raw(line)
        listener.wait(lambda: listener.reasons)
    assert reason in listener.reasons[0]
    assert listener.notifications == []


def test_unknown_messages_are_ignored(connection, program):
    assert connection.request("stores")
    program.send_raw(b'{"method":"later","params":[1]}\n')
    program.send_raw(b'{"id":99,"result":1}\n{"id":[],"error":5}\n{}\n')
    assert connection.request("stores")


def test_a_line_without_end(program, listener, monkeypatch):
    monkeypatch.setattr(connection_module, "LONGEST_LINE", 1 << 20)
    with Connection(program.path, listener.notify, listener.ended) as connection:
        assert connection.request("stores")
        program.send_raw(b"[" + b"1," * (1 << 20))
        listener.wait(lambda: listener.reasons)
    assert "more than 64 MiB" in listener.reasons[0]


def test_what_nests_as_deep_as_values_can(connection, program, listener):
    deep = imd.from_json("[" * 2048 + "]" * 2048)
    program.stores[1].state = deep
    assert connection.request("state", store=1)["value"].to_json() == deep.to_json()
    # As a program in another language may write it.
    action = '{"type":"\\"}]","payload":' + "[" * 2047 + "]" * 2047 + "}"
    line = '{"method":"commit","params":{"commit":1,"store":1,"action":%s}}\n' % action
    program.send_raw(line.encode())
    listener.wait(lambda: listener.notifications)
    ((method, params),) = listener.notifications
    assert method == "commit"
    assert params["action"]["type"] == '"}]'
    assert params["commit"] == 1


# ---- Finding programs ----------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    folder = tmp_path / "immutabledata"
    folder.mkdir(mode=0o700)
    return folder


def test_the_folder(folder, monkeypatch):
    assert sockets.folder() == str(folder)
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert sockets.folder() == f"/tmp/immutabledata-{os.geteuid()}"


def test_programs_are_found(folder):
    stores = FakeStore(1), FakeStore(2, name="todos")
    with FakeProgram(folder / "board-12.sock", *stores, process=12):
        (folder / "notes.txt").touch()
        (found,) = programs.find()
        assert (found.process, found.program, len(found.stores)) == (12, "board", 2)
        assert sockets.path_of("12") == str(folder / "board-12.sock")
    with pytest.raises(InspectorError, match="process 12 cannot be inspected; a program opts in"):
        sockets.path_of("12")
    assert sockets.path_of("some/a.sock") == "some/a.sock"


def test_sockets_of_programs_that_were_killed_are_removed(folder):
    FakeProgram(folder / "board-12.sock").close(unlink=False)
    with FakeProgram(folder / "other-13.sock", program="other"):
        assert [each.program for each in programs.find()] == ["other"]
        assert [path.name for path in folder.iterdir()] == ["other-13.sock"]


def test_a_program_that_does_not_answer(folder, monkeypatch):
    monkeypatch.setattr(programs, "_PATIENCE", 0.05)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "stopped-14.sock"))
        server.listen()
        (found,) = programs.find()
    assert (found.program, found.process, found.stores) == ("stopped", 14, None)
    assert "did not answer" in found.problem


def test_a_folder_that_others_can_change_is_not_trusted(folder):
    with FakeProgram(folder / "board-12.sock"):
        folder.chmod(0o777)
        assert list(programs.find()) == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("a" * 200, "AF_UNIX path too long"),
        ("none.sock", "No such file"),
        ("a\0b", "No such file|null"),
    ],
)
def test_no_socket(path, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GoneError, match=message):
        Connection(path)


def test_a_file_is_no_socket(tmp_path):
    path = tmp_path / "a-1.sock"
    path.write_text(json.dumps({}))
    with pytest.raises(GoneError):
        Connection(str(path))
    assert path.exists()
