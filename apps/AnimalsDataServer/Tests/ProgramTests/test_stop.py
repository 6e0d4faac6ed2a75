"""A server that stops finishes the requests in progress, ends streams and loses nothing."""

import http.client
import os
import signal
import socket
import threading
import time
from pathlib import Path

import pytest
from animals_server import API, CHANGES, TIMEOUT, Server, add, ask, update

HALF = (
    f"POST {API} HTTP/1.1\r\nHost: x\r\n"
    "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{"
)


def wait_until_closed(server: Server) -> None:
    """Waits until the server accepts no connections, and so has received the signal."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            server.ask("{}")
        except ConnectionError:
            return
    pytest.fail("the server still accepts connections")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals(server: Server, number: int) -> None:
    connection = server.connect()
    assert ask(connection, "{}").status == 200
    assert (server.stop(number), server.log) == (0, "")
    connection.close()


def test_streams_end(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        connection.sendall(f"GET {CHANGES} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        received = b""
        while b"event: reset" not in received:
            received += connection.recv(1000)
        assert server.stop() == 0
        while more := connection.recv(1000):
            received += more
        assert received.endswith(b"\r\n0\r\n\r\n")


def begin(server: Server) -> socket.socket:
    """Sends half of a request, and ensures that the server has read it."""
    connection = socket.create_connection(("127.0.0.1", server.port), TIMEOUT)
    connection.sendall(HALF.encode())
    # Each thread of the server reads its connections in turn, so the half has been read before the
    # last of these requests is answered.
    for _ in range(4 * (os.cpu_count() or 1)):
        assert server.ask("{}").status == 200
    return connection


def test_requests_in_progress_are_answered(server: Server) -> None:
    with begin(server) as connection:
        server.process.send_signal(signal.SIGTERM)
        wait_until_closed(server)
        connection.sendall(b"}")
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 OK\r\n")
        assert server.stop() == 0


def test_responses_in_progress_are_sent_completely(server: Server) -> None:
    for number in range(8):
        server.ask({"mutation": [add(str(number) + "x" * 500_000)]})
    query = b'{"query":[{"animals":{}},{"animals":{}},{"animals":{}},{"animals":{}}]}'
    with socket.socket() as connection:
        # Small, so that most of the answer waits in the server.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(TIMEOUT)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(
            f"POST {API} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(query)}\r\n\r\n".encode()
            + query
        )
        received = connection.recv(1000)
        server.process.send_signal(signal.SIGTERM)
        wait_until_closed(server)
        while more := connection.recv(1 << 20):
            received += more
        assert server.stop() == 0
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    assert length > 16_000_000
    assert len(body) == length


def test_an_incomplete_request_does_not_delay_the_stop(server: Server) -> None:
    with begin(server):
        assert server.stop() == 0


def test_a_client_that_does_not_read_does_not_delay_the_stop(server: Server) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(f"GET {CHANGES} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert connection.recv(1000)
        for _ in range(8):
            server.ask({"mutation": [update("Dog", "x" * 500_000, "Omnivore", "Bird")]})
        assert server.stop() == 0


def test_stop_under_load(database: Path) -> None:
    acknowledged: list[dict] = []
    problems: list[object] = []
    answered = threading.Semaphore(0)

    def client(number: int) -> None:
        connection = server.connect()
        for count in range(1_000_000):
            try:
                answer = ask(connection, {"mutation": [add(f"{number} {count}")]})
            except (ConnectionError, http.client.RemoteDisconnected):
                return
            except Exception as problem:
                problems.append(problem)
                return
            if answer.status != 200:
                problems.append(answer)
                return
            acknowledged.append(answer.json["mutation"][0]["addAnimal"]["animal"])
            answered.release()

    with Server("--database", database) as server:
        threads = [threading.Thread(target=client, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for _ in range(200):
            assert answered.acquire(timeout=TIMEOUT)
        assert (server.stop(), server.log) == (0, "")
        for thread in threads:
            thread.join(TIMEOUT)
    assert not problems
    with Server("--database", database) as server:
        answer = server.ask('{"query":[{"animals":{}}]}').json
        stored = {animal["animalId"]: animal for animal in answer["query"][0]["animals"]["animals"]}
        assert [stored.get(animal["animalId"]) for animal in acknowledged] == acknowledged
