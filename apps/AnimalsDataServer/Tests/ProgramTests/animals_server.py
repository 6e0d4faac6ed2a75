"""Runs an animals server as a program, and sends it requests."""

import http.client
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Optional

PROGRAM = Path(
    os.environ.get("ANIMALS_DATA_SERVER")
    or Path(__file__).parents[4] / ".build-server/debug/AnimalsDataServer"
)
API = "/animals/api"
CHANGES = "/animals/changes"
JSON = {"Content-Type": "application/json"}

# In seconds; for operations that usually take milliseconds.
TIMEOUT = 30


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> object:
        return json.loads(self.body)


class Event(NamedTuple):
    id: int
    event: str
    data: object


class Server:
    """The program on loopback, by default on a free port."""

    def __init__(self, *options: object, port: int = 0) -> None:
        self.process = subprocess.Popen(
            [PROGRAM, "--port", str(port), *map(str, options)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.ready = self.process.stdout.readline()
        if not self.ready:
            raise RuntimeError(self.process.communicate()[1])
        self.port = int(self.ready.rsplit(":", 1)[1])

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)

    def ask(
        self, body: object, headers: dict = JSON, path: str = API, method: str = "POST"
    ) -> Answer:
        """Sends a request on a new connection. A body that is not text or bytes is sent as JSON."""
        connection = self.connect()
        try:
            return ask(connection, body, headers, path, method)
        finally:
            connection.close()

    @contextmanager
    def changes(self, last: Optional[object] = None) -> Iterator[Iterator[Event]]:
        """The events after the one with the id last."""
        connection = self.connect()
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        try:
            connection.request("GET", CHANGES, headers=headers)
            response = connection.getresponse()
            assert response.status == 200, response.read()
            assert response.headers["Content-Type"] == "text/event-stream"
            yield events(response)
        finally:
            connection.close()

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal, and returns the exit status."""
        self.process.send_signal(number)
        self.rest, self.log = self.process.communicate(timeout=TIMEOUT)
        return self.process.returncode


def ask(
    connection: http.client.HTTPConnection,
    body: object,
    headers: dict = JSON,
    path: str = API,
    method: str = "POST",
) -> Answer:
    text = body if isinstance(body, (str, bytes)) else json.dumps(body)
    connection.request(method, path, text, headers)
    response = connection.getresponse()
    return Answer(response.status, response.headers, response.read())


def events(lines: Iterator[bytes]) -> Iterator[Event]:
    """The events of a stream, without its comments."""
    fields: dict[str, str] = {}
    for line in lines:
        name, _, text = line.decode().rstrip("\n").partition(": ")
        if line.startswith(b":"):
            continue
        if name:
            fields[name] = text
        elif fields:
            yield Event(int(fields["id"]), fields["event"], json.loads(fields["data"]))
            fields = {}


def add(name: str, diet: str = "Carnivore", category: str = "Bird") -> dict:
    return {"addAnimal": {"name": name, "diet": diet, "categoryId": category}}


def update(id: str, name: str, diet: str, category: str) -> dict:
    return {"updateAnimal": {"animalId": id, "name": name, "diet": diet, "categoryId": category}}


def delete(id: str) -> dict:
    return {"deleteAnimal": {"animalId": id}}
