"""What takes the changes of animals back."""

from __future__ import annotations

from typing import Any, Callable
from uuid import uuid4

import immutabledata as imd
from immutabledata_terminal import Action, Step, UndoList

from .records import Animal

ADD = "ui/animalEditor/onTapAddAnimalButton"
UPDATE = "ui/animalEditor/onTapUpdateAnimalButton"
DELETE = "ui/animalDetail/onTapDeleteSelectedAnimalButton"


class AnimalChanges:
    """Follows the actions of a store, and records each change of an animal in an UndoList.

    A change is recorded with its outcome: only then has the database or the server made it.
    """

    PATTERNS = (UPDATE, "data/persistentSession/did*")

    def __init__(
        self, store: imd.Store, steps: UndoList, ended: Callable[[Animal | None], object]
    ) -> None:
        """ended is called after each change, with the animal that an undo or a redo has saved."""
        self._steps = steps
        self._ended = ended
        self._before: dict[str, Animal] = {}
        """The animals before the changes that are in progress."""
        self._listener = store.listener(*self.PATTERNS)(self._follow)

    def cancel(self) -> None:
        self._listener.cancel()

    async def _follow(self, action: Any, old: Any, new: Any) -> None:
        if action["type"] == UPDATE:
            return self._begin(action["payload"]["animalId"], old)
        event, payload = action["type"].rsplit("/", 1)[1], action.get("payload", {})
        success = payload.get("result", {}).get("success")
        if event == "didReloadSampleData" and success is not None:
            self._steps.clear()
            self._ended(None)
        elif event in ("didAddAnimal", "didUpdateAnimal", "didDeleteAnimal"):
            animal = None if success is None else success["animal"].to_python()
            self._end(event, payload["id" if event == "didAddAnimal" else "animalId"], animal)

    def _begin(self, id: str, old: Any) -> None:
        """Keeps the animal before an update. While one is in progress, no other begins."""
        status = old["animals"]["queue"].get(id)
        if status is None or "waiting" not in status:
            self._before[id] = old["animals"]["data"][id].to_python()

    def _end(self, event: str, key: str, animal: Animal | None) -> None:
        before = self._before.pop(key, None)
        begun = self._steps.begun(key)
        if animal is None:
            self._steps.failed(key)
        elif event == "didAddAnimal":
            if begun is not None:
                # The database has given the animal another id.
                self._steps.rename("animalId", begun.replaces, animal["animalId"])
            self._steps.succeeded(key, deletion(animal))
        elif event == "didDeleteAnimal":
            self._steps.succeeded(key, addition(animal))
        elif before is not None and (begun is not None or before != animal):
            self._steps.succeeded(key, update(before))
        shown = None if begun is None or event == "didDeleteAnimal" else animal
        self._ended(shown)


def deletion(animal: Animal) -> Step:
    id = animal["animalId"]
    return Step(id, {"type": DELETE, "payload": {"animalId": id}})


def update(animal: Animal) -> Step:
    return Step(animal["animalId"], {"type": UPDATE, "payload": animal})


def addition(animal: Animal) -> Step:
    """The status of the new animal has a temporary id."""
    fields: Action = {name: value for name, value in animal.items() if name != "animalId"}
    id = str(uuid4())
    return Step(id, {"type": ADD, "payload": {"id": id, **fields}}, replaces=animal["animalId"])
