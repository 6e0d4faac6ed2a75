"""The stream of changes: each once, in order, and resumable."""

import json
import socket
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from animals_server import API, CHANGES, JSON, TIMEOUT, Server, add, ask, delete, update


def last_change(server: Server) -> int:
    with server.changes() as changes:
        return next(changes).id


def test_changes_in_order(server: Server) -> None:
    with server.changes() as changes:
        reset = next(changes)
        assert (reset.event, reset.data) == ("reset", {})
        answers = [
            server.ask({"mutation": mutations}).json["mutation"]
            for mutations in (
                [add("Eagle")],
                [update("Dog", "Hound", "Omnivore", "Mammal"), delete("Cat")],
                [{"reloadSampleData": {}}],
            )
        ]
        expected = [mutation for answer in answers for mutation in answer]
        for number, mutation in enumerate(expected, reset.id + 1):
            assert next(changes) == (number, "change", mutation)


def test_bytes(server: Server) -> None:
    first = last_change(server)
    server.ask({"mutation": [delete("Dog")]})
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        connection.sendall(
            f"GET {CHANGES} HTTP/1.1\r\nHost: x\r\nLast-Event-ID: {first}\r\n\r\n".encode()
        )
        event = (
            f"id: {first + 1}\nevent: change\n"
            'data: {"deleteAnimal":{"animal":{"animalId":"Dog","categoryId":"Mammal",'
            '"diet":"Carnivore","name":"Dog"}}}\n\n'
        )
        text = ""
        while event not in text:
            received = connection.recv(1000)
            assert received, text
            text += received.decode()
        head, body = text.split("\r\n\r\n", 1)
        assert head.startswith("HTTP/1.1 200 OK\r\n")
        assert "Content-Type: text/event-stream" in head
        assert body == f"{len(event):x}\r\n{event}\r\n"


def test_a_reader_resumes_after_its_last_change(server: Server) -> None:
    first = last_change(server)
    for id in ("Dog", "Cat", "Newt"):
        server.ask({"mutation": [delete(id)]})
    with server.changes(first + 1) as changes:
        server.ask({"mutation": [delete("Sparrow")]})
        assert [
            (event.id, event.data["deleteAnimal"]["animal"]["animalId"])
            for event in (next(changes) for _ in range(3))
        ] == [(first + 2, "Cat"), (first + 3, "Newt"), (first + 4, "Sparrow")]


def test_a_reader_resumes_after_a_restart(database: Path) -> None:
    with Server("--database", database) as server:
        first = last_change(server)
        server.ask({"mutation": [delete("Dog")]})
        server.ask({"mutation": [delete("Cat")]})
        server.process.kill()
    with Server("--database", database) as server, server.changes(first + 1) as changes:
        server.ask({"mutation": [delete("Newt")]})
        assert [next(changes).id, next(changes).id] == [first + 2, first + 3]


def test_changes_by_another_server_of_the_database(database: Path) -> None:
    with Server("--database", database) as one, Server("--database", database) as other:
        first = last_change(one)
        gone = [(other, "Dog"), (one, "Cat"), (other, "Newt"), (one, "Sparrow")]
        with one.changes() as changes:
            assert next(changes).event == "reset"
            for server, id in gone:
                assert server.ask({"mutation": [delete(id)]}).status == 200
            events = [next(changes) for _ in gone]
        assert [event.id - first for event in events] == [1, 2, 3, 4]
        ids = [event.data["deleteAnimal"]["animal"]["animalId"] for event in events]
        assert ids == [id for _, id in gone]


def test_changes_by_another_server_arrive_without_a_request(database: Path) -> None:
    """No request or heartbeat triggers them."""
    options = ("--database", database, "--heartbeat", 3600)
    with Server(*options) as one, Server(*options) as other, one.changes() as changes:
        first = next(changes).id
        for number, id in enumerate(["Dog", "Cat", "Newt"], first + 1):
            assert other.ask({"mutation": [delete(id)]}).status == 200
            event = next(changes)
            assert event.id == number
            assert event.data["deleteAnimal"]["animal"]["animalId"] == id


def test_a_reader_does_not_wait_for_a_locked_database(database: Path) -> None:
    with Server("--database", database) as server, closing(sqlite3.connect(database)) as other:
        other.execute("BEGIN IMMEDIATE")
        with closing(server.connect()) as waiting:
            waiting.request("POST", API, json.dumps({"mutation": [delete("Dog")]}), JSON)
            with server.changes() as changes:
                first = next(changes)
                assert first.event == "reset"
                other.rollback()
                assert waiting.getresponse().status == 200
                assert next(changes).id == first.id + 1


def test_no_change_of_two_servers_is_lost(database: Path) -> None:
    """Readers that start during the changes of two processes get each change once."""
    count = 100
    with Server("--database", database) as one, Server("--database", database) as other:
        first = last_change(one)
        last = first + 2 * count
        problems: list[object] = []

        def change(server: Server) -> None:
            with closing(server.connect()) as connection:
                for number in range(count):
                    answer = ask(connection, {"mutation": [add(f"Eagle {number}")]})
                    if answer.status != 200:
                        problems.append(answer)

        def read(server: Server) -> None:
            known = first
            while known < last:
                with server.changes(known) as changes:
                    for event in (next(changes) for _ in range(min(7, last - known))):
                        if (event.id, event.event) != (known + 1, "change"):
                            problems.append((known, event))
                        known = event.id

        servers = [one, other]
        threads = [
            threading.Thread(target=work, args=(server,))
            for work in (change, read, read)
            for server in servers
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(TIMEOUT)
        assert not any(thread.is_alive() for thread in threads)
        assert not problems


@pytest.mark.parametrize("last", ["1000000", "-1", "x", "", "99999999999999999999", "1.5"])
def test_a_reader_that_cannot_resume_is_reset(server: Server, last: str) -> None:
    number = last_change(server)
    with server.changes(last) as changes:
        assert next(changes) == (number, "reset", {})
        server.ask({"mutation": [delete("Dog")]})
        assert next(changes).id == number + 1


def test_changes_that_were_discarded(server: Server) -> None:
    first = last_change(server)
    mutation = update("Dog", "Dog", "Omnivore", "Mammal")
    assert server.ask({"mutation": [mutation] * 1000}).status == 200
    with server.changes(first) as changes:
        assert [next(changes).id for _ in range(1000)] == list(range(first + 1, first + 1001))
    server.ask({"mutation": [mutation]})
    with server.changes(first) as changes:
        assert next(changes) == (first + 1001, "reset", {})


def test_many_readers_get_the_same_changes(server: Server) -> None:
    count, changes = 100, 50
    texts = []

    def read(started: threading.Barrier) -> None:
        with server.changes() as events:
            next(events)
            started.wait(TIMEOUT)
            texts.append(json.dumps([next(events) for _ in range(changes)]))

    started = threading.Barrier(count + 1)
    threads = [threading.Thread(target=read, args=(started,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    started.wait(TIMEOUT)
    for number in range(changes):
        server.ask({"mutation": [add(f"Eagle {number}")]})
    for thread in threads:
        thread.join(TIMEOUT)
    assert len(texts) == count
    assert len(set(texts)) == 1


def test_a_reader_that_does_not_read_is_disconnected_and_resumes(server: Server) -> None:
    mutation = update("Dog", "x" * 500_000, "Omnivore", "Mammal")
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(TIMEOUT)
        connection.connect(("127.0.0.1", server.port))
        connection.sendall(f"GET {CHANGES} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        received = b""
        while b"event: reset" not in received:
            received += connection.recv(1000)
        last = int(received.split(b"id: ")[1].split(b"\n")[0])
        with server.changes() as quick:
            next(quick)
            for number in range(1, 41):
                assert server.ask({"mutation": [mutation]}).status == 200
                assert next(quick).id == last + number
        rest = 0
        try:
            while received := connection.recv(1 << 20):
                rest += len(received)
        except ConnectionResetError:
            pass
        assert rest < 40 * 500_000
    with server.changes(last + 39) as changes:
        assert next(changes).id == last + 40
