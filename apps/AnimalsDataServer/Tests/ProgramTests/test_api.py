"""Requests and responses, byte by byte."""

import json
import random
import socket
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from animals_server import API, JSON, TIMEOUT, PROGRAM, Server, add, ask, delete, update

CATEGORIES = ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"]
ANIMALS = [
    ("Dog", "Dog", "Carnivore", "Mammal"),
    ("Cat", "Cat", "Carnivore", "Mammal"),
    ("Kangaroo", "Red kangaroo", "Herbivore", "Mammal"),
    ("Bibbon", "Southern gibbon", "Herbivore", "Mammal"),
    ("Sparrow", "House sparrow", "Omnivore", "Bird"),
    ("Newt", "Newt", "Carnivore", "Amphibian"),
]


def category(name: str) -> str:
    return f'{{"categoryId":"{name}","name":"{name}"}}'


def animal(id: str, name: str, diet: str, category: str) -> str:
    return f'{{"animalId":"{id}","categoryId":"{category}","diet":"{diet}","name":"{name}"}}'


def ok(server: Server, body: str) -> str:
    answer = server.ask(body)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json"), answer
    return answer.body.decode()


def elements(body: str) -> list[str]:
    """The records of an answer, sorted, since their order is unspecified; without their braces."""
    return sorted(body[body.rindex("[{") + 2 : body.index("}]")].split("},{"))


def test_categories(server: Server) -> None:
    body = ok(server, '{"query":[{"categories":{}}]}')
    assert body.startswith('{"query":[{"categories":{"categories":[')
    assert body.endswith("]}}]}")
    assert elements(body) == sorted(category(name)[1:-1] for name in CATEGORIES)


def test_animals(server: Server) -> None:
    body = ok(server, '{"query":[{"animals":{}}]}')
    assert body.startswith('{"query":[{"animals":{"animals":[')
    assert body.endswith("]}}]}")
    assert elements(body) == sorted(animal(*fields)[1:-1] for fields in ANIMALS)


def test_add_update_and_delete(server: Server) -> None:
    body = ok(
        server,
        '{"mutation":[{"addAnimal":{"name":"Eagle","diet":"Carnivore","categoryId":"Bird"}}]}',
    )
    id = json.loads(body)["mutation"][0]["addAnimal"]["animal"]["animalId"]
    eagle = animal(id, "Eagle", "Carnivore", "Bird")
    assert body == f'{{"mutation":[{{"addAnimal":{{"animal":{eagle}}}}}]}}'
    assert eagle in ok(server, '{"query":[{"animals":{}}]}')

    golden = animal(id, "Golden eagle", "Omnivore", "Bird")
    body = ok(
        server,
        f'{{"mutation":[{{"updateAnimal":{{"animalId":"{id}","name":"Golden eagle",'
        '"diet":"Omnivore","categoryId":"Bird"}}]}',
    )
    assert body == f'{{"mutation":[{{"updateAnimal":{{"animal":{golden}}}}}]}}'
    assert golden in ok(server, '{"query":[{"animals":{}}]}')

    body = ok(server, f'{{"mutation":[{{"deleteAnimal":{{"animalId":"{id}"}}}}]}}')
    assert body == f'{{"mutation":[{{"deleteAnimal":{{"animal":{golden}}}}}]}}'
    assert id not in ok(server, '{"query":[{"animals":{}}]}')


def test_reload(server: Server) -> None:
    ok(server, '{"mutation":[{"deleteAnimal":{"animalId":"Dog"}}]}')
    animals = ",".join(animal(*fields) for fields in ANIMALS)
    categories = ",".join(map(category, CATEGORIES))
    assert ok(server, '{"mutation":[{"reloadSampleData":{}}]}') == (
        f'{{"mutation":[{{"reloadSampleData":{{"animals":[{animals}],'
        f'"categories":[{categories}]}}}}]}}'
    )
    assert elements(ok(server, '{"query":[{"animals":{}}]}')) == sorted(
        animal(*fields)[1:-1] for fields in ANIMALS
    )


@pytest.mark.parametrize("name", ["Éclair", "𝄞", 'a"b\\c', "\n\t\u0001", "", "e\u0301", "</x>"])
def test_any_name_round_trips(server: Server, name: str) -> None:
    answer = server.ask({"mutation": [add(name)]}).json
    stored = answer["mutation"][0]["addAnimal"]["animal"]
    animals = server.ask('{"query":[{"animals":{}}]}').json["query"][0]["animals"]["animals"]
    assert stored["name"] == name
    assert stored in animals


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        ({"body": "{"}, 400, "invalidJSON"),
        ({"body": b'{"query":"\xff"}'}, 400, "invalidJSON"),
        ({"body": b"{}\x00"}, 400, "invalidJSON"),
        ({"body": "[" * 5000}, 400, "invalidJSON"),
        ({"body": '{"query":[1]}'}, 422, "invalidRequest"),
        ({"body": {"query": [{"animals": {}}] * 17}}, 422, "tooManyOperations"),
        ({"body": {"mutation": [delete("Dog")] * 1001}}, 422, "tooManyOperations"),
        ({"body": {"mutation": [add("\0")]}}, 422, "invalidRequest"),
        ({"body": {"mutation": [delete("Dodo")]}}, 404, "animalNotFound"),
        ({"body": {"mutation": [update("Dodo", "", "Omnivore", "")]}}, 404, "animalNotFound"),
        ({"body": "{}", "headers": {}}, 415, "unsupportedMediaType"),
        ({"body": "{}", "headers": {"Content-Type": "text/json"}}, 415, "unsupportedMediaType"),
        ({"body": " " * 1_048_577}, 413, "bodyTooLarge"),
        ({"body": "{}", "path": "/"}, 404, "notFound"),
        ({"body": "{}", "path": "/animals/api/x"}, 404, "notFound"),
        ({"body": "", "method": "GET"}, 405, "methodNotAllowed"),
        ({"body": "{}", "method": "PUT"}, 405, "methodNotAllowed"),
        ({"body": "{}", "path": "/animals/changes"}, 405, "methodNotAllowed"),
    ],
)
def test_errors(server: Server, request_: dict, status: int, code: str) -> None:
    before = server.ask('{"query":[{"animals":{}}]}').body
    answer = server.ask(**request_)
    assert (answer.status, answer.headers["Content-Type"]) == (status, "application/json")
    assert answer.json["error"]["code"] == code
    assert answer.json["error"]["message"]
    assert server.ask('{"query":[{"animals":{}}]}').body == before


def test_bodies_with_random_faults(server: Server) -> None:
    bodies = [
        b'{"query":[{"animals":{}},{"categories":{}}]}',
        b'{"mutation":[{"addAnimal":{"name":"Eagle","diet":"Carnivore","categoryId":"Bird"}}]}',
        b'{"mutation":[{"deleteAnimal":{"animalId":"Dog"}},{"reloadSampleData":{}}]}',
    ]
    generator = random.Random(1)
    statuses = set()
    with closing(server.connect()) as connection:
        for _ in range(2000):
            body = bytearray(generator.choice(bodies))
            for _ in range(generator.randint(1, 3)):
                place = generator.randrange(len(body))
                body[place : place + generator.randint(0, 2)] = generator.choice(
                    [b"", b"[", b'"', b"}", b"\\", b"\xff", b"1e999", b"null", b"\0"]
                )
            answer = ask(connection, bytes(body))
            statuses.add(answer.status)
            assert ("error" in answer.json) == (answer.status != 200)
    assert statuses <= {200, 400, 404, 422}
    assert len(statuses) >= 3


def test_the_largest_body(server: Server) -> None:
    assert server.ask("{}" + " " * (1_048_576 - 2)).body == b"{}"


def test_body_limit() -> None:
    with Server("--body-limit", 10) as server:
        assert server.ask("{}" + " " * 8).status == 200
        assert server.ask("{}" + " " * 9).json["error"]["limit"] == 10


def test_many_requests_on_one_connection(server: Server) -> None:
    connection = server.connect()
    for body in ["{}", "{", "{}"] * 10:
        connection.request("POST", API, body, JSON)
        response = connection.getresponse()
        assert response.status == (200 if body == "{}" else 400)
        assert response.read()
    connection.close()


def test_text_that_is_not_http(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as connection:
        connection.sendall(b"hello\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")
    assert ok(server, "{}") == "{}"


def test_changes_persist_after_a_restart(database: Path) -> None:
    with Server("--database", database) as server:
        eagle = server.ask({"mutation": [add("Eagle")]}).json["mutation"][0]["addAnimal"]["animal"]
        server.ask({"mutation": [delete("Dog")]})
        assert server.stop() == 0
    with Server("--database", database) as server:
        query = server.ask('{"query":[{"animals":{}}]}').json["query"][0]
        ids = {animal["animalId"] for animal in query["animals"]["animals"]}
        assert eagle in query["animals"]["animals"]
        assert ids == {fields[0] for fields in ANIMALS[1:]} | {eagle["animalId"]}


def test_waits_for_a_locked_database(database: Path) -> None:
    with Server("--database", database) as server, closing(sqlite3.connect(database)) as other:
        other.execute("BEGIN IMMEDIATE")
        with closing(server.connect()) as waiting:
            waiting.request("POST", API, json.dumps({"mutation": [delete("Dog")]}), JSON)
            # Requests that do not need the database do not wait.
            assert all(server.ask("{", path=path).status >= 400 for path in ("/", API) * 10)
            other.rollback()
            assert waiting.getresponse().status == 200


def test_a_database_that_stays_locked(database: Path) -> None:
    with Server("--database", database) as server, closing(sqlite3.connect(database)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = server.ask({"mutation": [delete("Dog")]})
        assert (answer.status, answer.json["error"]["code"]) == (500, "storeFailed")
        other.rollback()
        assert server.ask({"mutation": [delete("Dog")]}).status == 200
        assert server.stop() == 0
        assert "a request failed: " in server.log


def test_the_ready_message(server: Server) -> None:
    assert server.ready == f"AnimalsDataServer listens on http://127.0.0.1:{server.port}\n"
    assert server.stop() == 0
    assert (server.rest, server.log) == ("", "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--port", "65536"], "'65536' is invalid for '--port <port>'"),
        (["--body-limit", "0"], "'--body-limit' must be at least 1."),
        (["--database", "/dev/null/none"], "/dev/null/none"),
    ],
)
def test_options_that_are_rejected(options: list[str], message: str) -> None:
    result = subprocess.run([PROGRAM, *options], capture_output=True, text=True, timeout=TIMEOUT)
    assert result.returncode != 0
    assert message in result.stderr


def test_a_port_in_use(server: Server) -> None:
    with pytest.raises(RuntimeError) as failure:
        Server(port=server.port)
    assert str(failure.value) == (
        f"Error: port {server.port} of 127.0.0.1 is in use; "
        "choose another with '--port', or 0 for a free one.\n"
    )
