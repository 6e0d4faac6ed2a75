"""Limits of sizes, times and connections."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from animals_server import API, CHANGES, TIMEOUT, Answer, Server, ask, delete, update

POST = f"POST {API} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
GET = f"GET {CHANGES} HTTP/1.1\r\nHost: x\r\n"


@contextmanager
def connect(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        yield connection


def read_to_end(connection: socket.socket) -> bytes:
    """Everything that the server sends until it closes the connection."""
    received = b""
    try:
        while more := connection.recv(1 << 20):
            received += more
    except ConnectionResetError:
        pass
    return received


def send(connection: socket.socket, data: bytes) -> None:
    """Sends as much as the server accepts."""
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.sendall(data)


def read_until(connection: socket.socket, text: bytes) -> bytes:
    received = b""
    while text not in received:
        more = connection.recv(1 << 16)
        assert more, received
        received += more
    return received


def refusal(received: bytes) -> tuple[int, str]:
    """The status and the code of a single error response."""
    head, _, body = received.partition(b"\r\n\r\n")
    assert b"\r\nconnection: close\r\n" in head.lower() + b"\r\n", received
    assert b"\r\ncontent-type: application/json\r\n" in head.lower() + b"\r\n", received
    assert f"content-length: {len(body)}" in head.decode().lower(), received
    error = json.loads(body)["error"]
    assert error["message"]
    return int(head.split()[1]), error["code"]


# Most of these requests are incomplete: a response that waited for their end would never come.
@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (f"{POST}Content-Length: 10000000000\r\n\r\n", 413, "bodyTooLarge"),
        (f"{POST}Content-Length: 9223372036854775808\r\n\r\n", 413, "bodyTooLarge"),
        (f"{POST}Content-Length: 1048577\r\n\r\n{{", 413, "bodyTooLarge"),
        (f"{POST}Content-Length: 99999999999999999999999\r\n\r\n", 400, "invalidHTTP"),
        (f"{POST}Content-Length: -1\r\n\r\n", 400, "invalidHTTP"),
        (
            f"{POST}Transfer-Encoding: chunked\r\n\r\n" + f"10000\r\n{' ' * 65536}\r\n" * 17,
            413,
            "bodyTooLarge",
        ),
        (
            f"{POST}Transfer-Encoding: chunked\r\n\r\n" + f"10\r\n{' ' * 16}\r\n" * 65_537,
            413,
            "bodyTooLarge",
        ),
        (f"{POST}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n", 400, "invalidHTTP"),
        (f"{POST}Transfer-Encoding: chunked\r\n\r\nx\r\n", 400, "invalidHTTP"),
        (f"{POST}X: {'x' * 10_000_000}", 431, "headersTooLarge"),
        (f"{POST}{'x' * 10_000_000}", 431, "headersTooLarge"),
        (POST + "".join(f"X-{n}: x\r\n" for n in range(200)), 431, "headersTooLarge"),
        (POST + "".join(f"X-{n}: {'x' * 10_000}\r\n" for n in range(7)), 431, "headersTooLarge"),
        (f"GET /{'x' * 10_000_000}", 414, "urlTooLong"),
        (f"GET /{'x' * 10_000} HTTP/1.1\r\n", 414, "urlTooLong"),
        (f"\r\n\r\nGET /{'x' * 10_000} HTTP/1.1\r\nHost: x\r\n\r\n", 414, "urlTooLong"),
        ("hello\r\n\r\n", 400, "invalidHTTP"),
        ("\x16\x03\x01\x02\x00\x01\x00", 400, "invalidHTTP"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "invalidHTTP"),
        ("GET / HTTP/9.9\r\n\r\n", 400, "invalidHTTP"),
        ("\0" * 1_000_000, 400, "invalidHTTP"),
        (f"{POST}X\r\n\r\n", 400, "invalidHTTP"),
        (f"{POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}", 400, "invalidHTTP"),
    ],
)
def test_too_large_and_invalid_requests(server: Server, sent: str, status: int, code: str) -> None:
    with connect(server) as connection:
        send(connection, sent.encode("latin-1"))
        assert refusal(read_to_end(connection)) == (status, code)
    assert server.ask("{}").body == b"{}"


@pytest.mark.parametrize("last", [b"", b"\n", b"hello\r\n\r\n", b"GET /x"])
def test_a_request_that_the_client_aborts(server: Server, last: bytes) -> None:
    with connect(server) as connection:
        connection.sendall(f"{POST}Content-Length: 100\r\n\r\n{{}}".encode() + last)
        connection.shutdown(socket.SHUT_WR)
        assert refusal(read_to_end(connection)) == (400, "invalidHTTP")


def test_responses_before_a_refusal_are_complete(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall((f"{POST}Content-Length: 2\r\n\r\n{{}}" * 3 + "hello\r\n\r\n").encode())
        received = read_to_end(connection)
    assert received.count(b"HTTP/1.1 200 OK\r\n") == 3
    assert received.count(b"HTTP/1.1 ") == 4
    assert refusal(received[received.rindex(b"HTTP/1.1 ") :]) == (400, "invalidHTTP")


def test_the_largest_head(server: Server) -> None:
    path = "/" + "x" * (8192 - len("GET / HTTP/1.1\r"))
    headers = {f"X-{number}": "x" * 8_000 for number in range(6)}
    assert server.ask("", headers, path, "GET").status == 404
    assert server.ask("", headers, path + "x", "GET").status == 414


def test_a_client_that_sends_its_whole_body_gets_the_response(server: Server) -> None:
    """The response must not be lost with the rest of the body."""
    with connect(server) as connection:
        connection.sendall(f"{POST}Content-Length: 3000000\r\n\r\n".encode())
        connection.sendall(b" " * 3_000_000)
        assert refusal(read_to_end(connection)) == (413, "bodyTooLarge")


def test_an_endless_body_after_a_response(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(b"POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n")
        received = read_until(connection, b'"notFound"')
        send(connection, b" " * 50_000_000)
        received += read_to_end(connection)
        assert received.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("path", [API, CHANGES])
def test_a_request_to_upgrade_the_protocol(server: Server, path: str) -> None:
    with connect(server) as connection:
        head = f"PUT {path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        connection.sendall(head.encode())
        assert refusal(read_to_end(connection)) == (405, "methodNotAllowed")


def test_head_has_no_body(server: Server) -> None:
    with closing(server.connect()) as connection:
        for _ in range(2):
            answer = ask(connection, "", {}, API, "HEAD")
            assert (answer.status, answer.headers["Allow"]) == (405, "POST")


@pytest.mark.parametrize(
    "sent",
    [
        "P",
        "\r\n\r\nPOST ",
        f"{POST}X-Slow: ",
        f"{POST}Content-Length: 2\r\n\r\n",
        f"{POST}Content-Length: 2\r\n\r\n{{",
        f"{POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{{\r\n",
    ],
)
def test_a_request_that_arrives_too_slowly(sent: str) -> None:
    with Server("--request-timeout", 0.2) as server, connect(server) as connection:
        connection.sendall(sent.encode())
        assert refusal(read_to_end(connection)) == (408, "requestTimeout")


def test_a_request_that_arrives_byte_by_byte() -> None:
    """Bytes that trickle in do not extend the time of a request."""
    with Server("--request-timeout", 0.2) as server, connect(server) as connection:
        connection.sendall(POST.encode())
        connection.settimeout(0.01)
        received = b""
        while not received:
            send(connection, b"X")
            with suppress(TimeoutError):
                received = connection.recv(1)
        connection.settimeout(TIMEOUT)
        assert refusal(received + read_to_end(connection)) == (408, "requestTimeout")


def test_the_time_of_the_next_request_is_its_own() -> None:
    with (
        Server("--request-timeout", 0.2, "--idle-timeout", 60) as server,
        connect(server) as connection,
    ):
        for _ in range(2):
            connection.sendall(f"{POST}Content-Length: 2\r\n\r\n{{}}".encode())
            assert read_until(connection, b"\r\n\r\n{}").startswith(b"HTTP/1.1 200 ")
        connection.sendall(POST.encode())
        assert refusal(read_to_end(connection)) == (408, "requestTimeout")


def test_the_rest_of_a_request_that_has_its_answer() -> None:
    with Server("--request-timeout", 0.2) as server, connect(server) as connection:
        connection.sendall(b"POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n")
        assert read_to_end(connection).count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("sent", ["", "\r\n", f"{POST}Content-Length: 2\r\n\r\n{{}}"])
def test_a_connection_that_is_idle(sent: str) -> None:
    with Server("--idle-timeout", 0.2) as server, connect(server) as connection:
        connection.sendall(sent.encode())
        assert read_to_end(connection).count(b"HTTP/1.1 200 ") == ("{}" in sent)


def test_a_stream_of_changes_is_not_idle() -> None:
    with (
        Server("--idle-timeout", 0.1, "--request-timeout", 0.1) as server,
        server.changes() as changes,
    ):
        first = next(changes).id
        for _ in range(3):
            with connect(server) as idle:
                assert read_to_end(idle) == b""
        server.ask({"mutation": [update("Dog", "Hound", "Omnivore", "Mammal")]})
        assert next(changes).id == first + 1


def test_heartbeats_continue() -> None:
    with (
        Server("--idle-timeout", 0.1, "--heartbeat", 0.05) as server,
        connect(server) as connection,
    ):
        connection.sendall(f"{GET}\r\n".encode())
        received = read_until(connection, b"event: reset")
        assert b"\r\nAnimals-Heartbeat: 50\r\n" in received
        for _ in range(10):
            read_until(connection, b": still here")


def test_the_default_heartbeat(server: Server) -> None:
    with connect(server) as connection:
        connection.sendall(f"{GET}\r\n".encode())
        assert b"\r\nAnimals-Heartbeat: 10000\r\n" in read_until(connection, b"event: reset")


def ask_for_16_megabytes(server: Server, connection: socket.socket) -> None:
    """Connects, and sends a request whose response exceeds all buffers in between."""
    server.ask({"mutation": [update("Dog", "x" * 1_000_000, "Omnivore", "Mammal")]})
    body = json.dumps({"query": [{"animals": {}}] * 16})
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 17)
    connection.settimeout(TIMEOUT)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(f"{POST}Content-Length: {len(body)}\r\n\r\n{body}".encode())


def test_a_client_that_reads_nothing() -> None:
    with Server("--idle-timeout", 0.3) as server, socket.socket() as connection:
        ask_for_16_megabytes(server, connection)
        wait_for_connections(server, 0)
        assert len(read_to_end(connection)) < 16_000_000


def test_a_client_that_reads_slowly() -> None:
    """A response may take longer than the timeout, as long as some bytes are sent."""
    with (
        Server("--idle-timeout", 1, "--heartbeat", 0.1) as server,
        socket.socket() as connection,
        connect(server) as clock,
    ):
        clock.sendall(f"{GET}\r\n".encode())
        read_until(clock, b"event: reset")
        ask_for_16_megabytes(server, connection)
        received = 0
        for beats in range(1, 31):
            while received < beats * 500_000:
                more = connection.recv(1 << 16)
                assert more, received
                received += len(more)
            read_until(clock, b": still here")
        assert received + len(read_to_end(connection)) > 16_000_000


def test_a_half_closed_connection_gets_the_whole_response(server: Server) -> None:
    with socket.socket() as connection:
        ask_for_16_megabytes(server, connection)
        connection.shutdown(socket.SHUT_WR)
        assert len(read_to_end(connection)) > 16_000_000


def wait_for_connections(server: Server, count: int) -> None:
    """Waits until the server has this many established connections."""
    port = f":{server.port:04X}"
    established = "01"
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        table = Path(f"/proc/{server.process.pid}/net/tcp").read_text().splitlines()
        rows = [line.split() for line in table[1:]]
        if sum(row[1].endswith(port) and row[3] == established for row in rows) == count:
            return
    raise TimeoutError(f"the server does not have {count} connections")


def ask_when_free(server: Server, body: object) -> Answer:
    """Sends a request until the server has noticed that connections were closed."""
    end = time.monotonic() + TIMEOUT
    while (answer := server.ask(body)).status == 503 and time.monotonic() < end:
        pass
    return answer


def test_connections_beyond_the_limit() -> None:
    with Server("--max-connections", 2) as server:
        with server.changes() as first, server.changes() as second:
            next(first), next(second)
            answer = server.ask("{}")
            assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
            assert answer.json["error"]["code"] == "tooManyConnections"
            assert answer.json["error"]["limit"] == 2
            with connect(server) as silent:
                assert read_to_end(silent) == b""
        assert ask_when_free(server, "{}").body == b"{}"


def test_many_more_connections_than_the_limit() -> None:
    with Server("--max-connections", 5) as server, server.changes() as changes:
        next(changes)
        connections = [
            socket.create_connection(("127.0.0.1", server.port), TIMEOUT) for _ in range(200)
        ]
        for connection in connections:
            send(connection, b"G")
        for connection in connections:
            connection.close()
        assert ask_when_free(server, {"mutation": [delete("Dog")]}).status == 200
        assert next(changes).event == "change"


@pytest.mark.parametrize(
    "sent", [POST, f"{POST}Content-Length: 2\r\n\r\n{{", f"{POST}Content-Length: 9999999\r\n\r\n"]
)
def test_slow_clients_do_not_delay_the_stop(sent: str) -> None:
    with Server() as server, connect(server) as connection, connect(server) as silent:
        connection.sendall(sent.encode())
        if "9999999" in sent:
            read_until(connection, b"bodyTooLarge")
        assert server.ask("{}").status == 200
        assert (server.stop(), server.log) == (0, "")
        assert read_to_end(silent) == b""
