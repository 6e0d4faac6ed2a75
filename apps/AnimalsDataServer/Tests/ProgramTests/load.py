"""Puts load on an animals server, and checks that no acknowledged change is lost.

    load.py [--seconds 60] [--clients 8] [--kill SECONDS] [--requests 1000000]

Starts a server on loopback with a database in a temporary folder. Each client adds, updates and
deletes its own animals, also several in one request, queries all, and checks the statuses. A reader
follows the changes. With --kill the server is killed repeatedly by SIGKILL and restarted; clients
then check that an unacknowledged request had either its whole effect or none. In the end the server
is stopped and restarted, and its animals must be those that the clients and the reader expect.

Prints a table, and exits 1 if there was a problem.
"""

import argparse
import http.client
import json
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Optional

from animals_server import TIMEOUT, Answer, Event, Server, add, ask, delete, update

DIETS = ["Herbivore", "Carnivore", "Omnivore"]
CATEGORIES = ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"]

# The most animals of a client, to bound the size of responses.
ANIMALS = 20

Animals = dict[str, dict]


def all_animals(answer: Answer) -> Animals:
    animals = answer.json["query"][0]["animals"]["animals"]
    return {animal["animalId"]: animal for animal in animals}


def difference(expected: dict[str, dict], actual: dict[str, dict]) -> str:
    """Describes a difference; empty if both are equal. Expected animals may lack an id."""
    for name in sorted(expected.keys() | actual.keys()):
        if name not in actual:
            return f"{expected[name]} is missing"
        if name not in expected:
            return f"{actual[name]} is unexpected"
        if not expected[name].items() <= actual[name].items():
            return f"{actual[name]} instead of {expected[name]}"
    return ""


class Run:
    """The state that all threads of a run share."""

    def __init__(self, database: Path, seconds: float, requests: int) -> None:
        self.database = database
        self.budget = requests
        self.server = Server("--database", database)
        self.end = time.monotonic() + seconds
        self.port = self.server.port
        self.lock = threading.Lock()
        self.times: dict[str, list[float]] = {}
        self.problems: list[str] = []
        self.has_failed = threading.Event()
        self.is_running = threading.Event()
        self.is_running.set()
        self.interrupted = 0
        self.kills = 0

    def take_request(self) -> bool:
        """Takes a request from the budget; False at the end of the run."""
        with self.lock:
            self.budget -= 1
            return self.budget >= 0 and time.monotonic() < self.end and not self.problems

    def problem(self, text: str) -> None:
        with self.lock:
            self.problems.append(text)
        self.has_failed.set()

    def record_time(self, kind: str, seconds: float) -> None:
        with self.lock:
            self.times.setdefault(kind, []).append(seconds)

    def restart(self) -> None:
        self.is_running.clear()
        self.server.process.kill()
        self.server.process.communicate()
        self.kills += 1
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                self.server = Server("--database", self.database, port=self.port)
                self.is_running.set()
                return
            except RuntimeError:
                # A connecting client may briefly use the port as its own local port.
                if time.monotonic() > end:
                    raise

    def connect(self) -> http.client.HTTPConnection:
        """Connects as soon as the server is running."""
        end = time.monotonic() + TIMEOUT
        while True:
            self.is_running.wait(TIMEOUT)
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
            try:
                connection.connect()
                return connection
            except ConnectionError:
                if time.monotonic() > end:
                    raise


class Client:
    """Tracks its animals by name. The ids of unacknowledged additions are unknown."""

    def __init__(self, run: Run, number: int) -> None:
        self.run = run
        self.prefix = f"{number} "
        self.random = random.Random(number)
        self.made = 0
        self.animals: dict[str, dict] = {}

    def work(self) -> None:
        try:
            self.connection = self.run.connect()
            try:
                while self.run.take_request():
                    self.send_request()
            finally:
                self.connection.close()
        except Exception as problem:
            self.run.problem(f"client {self.prefix}: {problem!r}")

    def send_request(self) -> None:
        kind = self.random.choices(["query", "missing", "one", "several"], [4, 1, 4, 1])[0]
        after = dict(self.animals)
        if kind == "query":
            body: dict = {"query": [{self.random.choice(["animals", "categories"]): {}}]}
        elif kind == "missing":
            body = {"mutation": [self.mutation({}), delete("missing")]}
        else:
            count = 1 if kind == "one" else self.random.randint(2, 5)
            body = {"mutation": [self.mutation(after) for _ in range(count)]}
        begin = time.monotonic()
        try:
            answer = ask(self.connection, body)
        except (http.client.HTTPException, ConnectionError):
            self.check_interrupted(after)
            return
        self.run.record_time(kind, time.monotonic() - begin)
        if answer.status != (404 if kind == "missing" else 200):
            self.run.problem(f"{answer.status} for {json.dumps(body)}: {answer.body!r}")
        elif kind in ("one", "several"):
            self.acknowledge(after, answer.json["mutation"])

    def mutation(self, after: dict[str, dict]) -> dict:
        """A random mutation, which is also applied to after."""
        fields = (self.random.choice(DIETS), self.random.choice(CATEGORIES))
        known = [name for name, animal in after.items() if "animalId" in animal]
        kind = self.random.choice(["add", "update", "delete"])
        if not known or (kind == "add" and len(after) < ANIMALS):
            self.made += 1
            name = f"{self.prefix}{self.made}"
            after[name] = {"name": name, "diet": fields[0], "categoryId": fields[1]}
            return add(name, *fields)
        name = self.random.choice(known)
        id = after[name]["animalId"]
        if kind == "delete":
            del after[name]
            return delete(id)
        after[name] = {**after[name], "diet": fields[0], "categoryId": fields[1]}
        return update(id, name, *fields)

    def acknowledge(self, after: dict[str, dict], mutations: list[dict]) -> None:
        for mutation in mutations:
            for kind, result in mutation.items():
                animal = result["animal"]
                if kind == "addAnimal" and animal["name"] in after:
                    after[animal["name"]]["animalId"] = animal["animalId"]
        self.animals = after

    def check_interrupted(self, after: dict[str, dict]) -> None:
        """After an interruption, checks that the last request had its whole effect or none."""
        with self.run.lock:
            self.run.interrupted += 1
        while True:
            self.connection.close()
            self.connection = self.run.connect()
            try:
                answer = ask(self.connection, {"query": [{"animals": {}}]})
                break
            except (http.client.HTTPException, ConnectionError):
                pass
        actual = self.mine(all_animals(answer))
        if difference(self.animals, actual) and difference(after, actual):
            self.run.problem(
                f"client {self.prefix}: {difference(self.animals, actual)}; "
                f"or, if it took effect, {difference(after, actual)}"
            )
        self.animals = actual

    def mine(self, animals: Animals) -> dict[str, dict]:
        return {
            animal["name"]: animal
            for animal in animals.values()
            if animal["name"].startswith(self.prefix)
        }


class Reader:
    """Follows the changes, and applies them to the animals that it fetched first."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.animals: Animals = {}
        self.last: Optional[int] = None
        self.changes = 0
        self.resets = 0
        self.until: Optional[int] = None

    def work(self) -> None:
        try:
            while self.until is None or self.last != self.until:
                self.follow()
        except Exception as problem:
            self.run.problem(f"reader: {problem!r}")

    def follow(self) -> None:
        try:
            self.run.connect().close()
            with self.run.server.changes(self.last) as changes:
                for event in changes:
                    self.take(event)
                    if event.id == self.until:
                        return
        except (http.client.HTTPException, ConnectionError):
            pass

    def take(self, event: Event) -> None:
        if event.event == "reset":
            self.resets += 1
            self.animals = all_animals(self.run.server.ask({"query": [{"animals": {}}]}))
            self.last = event.id
            return
        if event.id != self.last + 1:
            self.run.problem(f"reader: {event.id} follows {self.last}")
        self.last = event.id
        self.changes += 1
        for kind, result in event.data.items():
            animal = result["animal"]
            if kind == "deleteAnimal":
                self.animals.pop(animal["animalId"], None)
            else:
                self.animals[animal["animalId"]] = animal


def load(seconds: float, clients: int, kill: Optional[float], requests: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder) / "animals.sqlite", seconds, requests)
        try:
            workers = [Client(run, number) for number in range(clients)]
            reader = Reader(run)
            reading = threading.Thread(target=reader.work)
            threads = [threading.Thread(target=worker.work) for worker in workers]
            for thread in [reading, *threads]:
                thread.start()
            while kill and time.monotonic() + kill < run.end and not run.has_failed.wait(kill):
                run.restart()
            for thread in threads:
                thread.join()
            if run.interrupted and not run.kills:
                run.problem(f"{run.interrupted} requests were not answered")
            finish(run, workers, reader, reading)
            report(run, reader)
        finally:
            run.server.process.kill()
            run.server.process.communicate()
    return 1 if run.problems else 0


def finish(run: Run, workers: list[Client], reader: Reader, reading: threading.Thread) -> None:
    """Makes a last change, which ends the reader, restarts the server, and compares the animals."""
    with run.server.changes() as changes:
        reader.until = next(changes).id + 1
    run.server.ask({"mutation": [update("Dog", "Dog", "Carnivore", "Mammal")]})
    reading.join(TIMEOUT)
    if reading.is_alive():
        run.problem(f"reader: at {reader.last}, not at {reader.until}")
    if run.server.stop() != 0:
        run.problem(f"the server exited with {run.server.process.returncode}")
    run.server = Server("--database", run.database)
    animals = all_animals(run.server.ask({"query": [{"animals": {}}]}))
    for worker in workers:
        if problem := difference(worker.animals, worker.mine(animals)):
            run.problem(f"client {worker.prefix}: in the database {problem}")
    if problem := difference(reader.animals, animals):
        run.problem(f"reader: in the database {problem}")


def report(run: Run, reader: Reader) -> None:
    print(f"{'request':10}{'count':>9}{'median ms':>12}{'99 % ms':>12}{'max ms':>12}")
    for kind, times in sorted(run.times.items()):
        times.sort()
        median, high = statistics.median(times), times[len(times) * 99 // 100]
        milliseconds = [1e3 * seconds for seconds in (median, high, times[-1])]
        print(f"{kind:10}{len(times):9}" + "".join(f"{number:12.2f}" for number in milliseconds))
    print(f"changes    {reader.changes} read, {reader.resets} resets")
    print(f"kills      {run.kills}, {run.interrupted} requests interrupted")
    print(f"problems   {len(run.problems)}")
    for problem in run.problems[:10]:
        print(f"  {problem}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=8, choices=range(1, 65), metavar="1…64")
    parser.add_argument("--kill", type=float, metavar="SECONDS", help="the interval of kills")
    parser.add_argument("--requests", type=int, default=1_000_000, help="the maximum in total")
    options = parser.parse_args()
    return load(options.seconds, options.clients, options.kill, options.requests)


if __name__ == "__main__":
    sys.exit(main())
