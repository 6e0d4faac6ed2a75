"""A stand-in for an animals server in the process, which answers the requests of stores.

A test can delay its answers, make them fail, and send changes as if another client had made them.
"""

import json
import uuid

import immutabledata as imd

URL = "http://animals.test"
JSON = {"Content-Type": "application/json"}
CATEGORIES = [
    {"categoryId": name, "name": name}
    for name in ("Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile")
]
ANIMALS = [
    {"animalId": id, "name": name, "diet": diet, "categoryId": category}
    for id, name, diet, category in (
        ("Dog", "Dog", "Carnivore", "Mammal"),
        ("Cat", "Cat", "Carnivore", "Mammal"),
        ("Kangaroo", "Red kangaroo", "Herbivore", "Mammal"),
        ("Bibbon", "Southern gibbon", "Herbivore", "Mammal"),
        ("Sparrow", "House sparrow", "Omnivore", "Bird"),
        ("Newt", "Newt", "Carnivore", "Amphibian"),
    )
]


class FakeServer:
    """The server of the stores that it opens."""

    def __init__(self):
        self.stores = []
        self.errors = []  # the failures of the next answers
        self._seen = []
        self._streams = []
        self._is_held = False
        self._held = []
        self._followers = []
        self._changes = 0
        self._cut = None  # why connections fail
        self._lost = []
        self._reload()

    def open(self):
        store = imd.open("animals", remote=URL)
        connected = store.stream(types=["data/connection/didConnect"])
        store.set_fetch(self._fetch)
        connected.next(timeout=30)
        self._streams.append(store.stream(types=["ui/*"]))
        self.stores.append(store)
        return store

    @property
    def store(self):
        return self.stores[-1]

    @property
    def seen(self):
        """The types of the user interface's actions so far."""
        for stream in self._streams:
            try:
                while True:
                    self._seen.append(stream.next(timeout=0).action["type"])
            except (imd.TimedOutError, imd.ClosedError):
                pass
        return self._seen

    def hold(self):
        self._is_held = True

    def release(self):
        self._is_held = False
        while self._held:
            self._answer(self._held.pop(0))

    def send(self, **change):
        """Sends a change to the last store, as in send(deleteAnimal={"animal": …})."""
        self._changes += 1
        event = f"id: {self._changes}\nevent: change\ndata: {json.dumps(change)}\n\n"
        self._followers[-1].receive(200, {"Content-Type": "text/event-stream"}, event.encode())

    def cut(self, error):
        """Ends the connection of the last store, and refuses others until restore()."""
        self._cut = error
        self._followers[-1].reject(error)

    @property
    def is_reconnecting(self):
        """Whether an attempt to connect is waiting."""
        return bool(self._lost)

    def restore(self):
        self._cut = None
        while self._lost:
            self._follow(self._lost.pop())

    def _follow(self, request):
        self._followers.append(request)
        event = f"id: {self._changes}\nevent: reset\ndata: {{}}\n\n"
        request.receive(200, {"Content-Type": "text/event-stream"}, event.encode())

    def _fetch(self, request):
        if request.is_streamed and self._cut is not None:
            # The attempt waits, like one to a stopped server.
            self._lost.append(request)
        elif request.is_streamed:
            self._follow(request)
        elif self._is_held:
            self._held.append(request)
        else:
            self._answer(request)

    def _answer(self, request):
        if self.errors:
            return request.reject(self.errors.pop(0))
        answer = {
            part: [self._perform(*one) for each in asked for one in each.items()]
            for part, asked in json.loads(request.body).items()
        }
        request.resolve(200, JSON, json.dumps(answer).encode())

    def _perform(self, kind, content):
        perform = {
            "categories": self._fetch_categories,
            "animals": self._fetch_animals,
            "addAnimal": self._add,
            "updateAnimal": self._save,
            "deleteAnimal": self._delete,
            "reloadSampleData": self._reload,
        }[kind]
        return {kind: perform(**content)}

    def _fetch_categories(self):
        return {"categories": list(self.categories.values())}

    def _fetch_animals(self):
        return {"animals": list(self.animals.values())}

    def _add(self, **fields):
        return self._save(animalId=str(uuid.uuid4()), **fields)

    def _save(self, **animal):
        self.animals[animal["animalId"]] = animal
        return {"animal": animal}

    def _delete(self, animalId):
        return {"animal": self.animals.pop(animalId)}

    def _reload(self):
        self.categories = {each["categoryId"]: dict(each) for each in CATEGORIES}
        self.animals = {each["animalId"]: dict(each) for each in ANIMALS}
        return {**self._fetch_categories(), **self._fetch_animals()}
