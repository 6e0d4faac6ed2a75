import contextlib
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from recipes import TIMEOUT, Running

PAGE = "daemon.md"


def start(folder: Path) -> Running:
    daemon = Running([sys.executable, "daemon.py"], cwd=folder)
    assert daemon.read() == ["tasks.sock"]
    return daemon


class Client:
    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.file = connection.makefile()

    def write(self, line: str) -> None:
        self.connection.sendall(line.encode() + b"\n")

    def read(self) -> str:
        return self.file.readline().rstrip("\n")


@contextlib.contextmanager
def connected(folder: Path) -> Iterator[Client]:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(TIMEOUT)
        connection.connect(str(folder / "tasks.sock"))
        yield Client(connection)


ADDED = '{"type":"tasks/added","payload":{"title":"%s"}}'


def test_two_clients(folder: Path) -> None:
    with start(folder) as daemon, connected(folder) as ann, connected(folder) as bob:
        assert [ann.read(), bob.read()] == ['{"tasks":[]}'] * 2
        ann.write(ADDED % "milk")
        bob.write(ADDED % "tea")
        shown = [[client.read(), client.read()] for client in (ann, bob)]
        assert shown[0] == shown[1]
        assert sorted(text.partition('"value":')[2] for text in shown[0]) == ['"milk"}]', '"tea"}]']
        ann.write('{"type":"tasks/removed","payload":{"index":2}}')
        ann.write("{")
        assert ann.read() == '{"error": "no element 2 in an array of 2"}'
        assert ann.read().startswith('{"error": ')
        ann.write('{"type":"tasks/removed","payload":{"index":0}}')
        assert [ann.read(), bob.read()] == ['[{"op":"remove","path":"/tasks/0"}]'] * 2
        daemon.process.send_signal(signal.SIGTERM)
        assert daemon.end() == ""
        assert [ann.read(), bob.read()] == ["", ""]


def test_clients_that_are_cut_off(folder: Path) -> None:
    with start(folder) as daemon, connected(folder) as ann, connected(folder) as bob:
        assert ann.read() == '{"tasks":[]}'
        for _ in range(40):
            ann.write(ADDED % ("milk" * 15_000))
            assert ann.read().endswith('milk"}]')
        assert sum(map(len, iter(lambda: bob.connection.recv(1 << 20), b""))) < 40 * 60_000
        ann.write("1" * 100_000)
        assert ann.read() == ""
        daemon.process.send_signal(signal.SIGTERM)
        assert daemon.end() == ""


def test_a_daemon_that_was_killed(folder: Path) -> None:
    with start(folder) as daemon, connected(folder) as client:
        client.write(ADDED % "milk")
        assert client.read() == '{"tasks":[]}'
        assert client.read() == '[{"op":"add","path":"/tasks/0","value":"milk"}]'
        daemon.process.kill()
    with start(folder), connected(folder) as client:
        assert client.read() == '{"tasks":["milk"]}'
