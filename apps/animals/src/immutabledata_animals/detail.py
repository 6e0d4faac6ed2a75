"""The pane with one animal."""

from __future__ import annotations

from typing import Any

from immutabledata_terminal import Status, StoreWidget, printable
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import var
from textual.widgets import Button, Static

from .records import DIETS, Animal, Category


class DetailPane(Vertical, StoreWidget):
    """The details of an animal, and the buttons that edit and delete it."""

    animal_id: var[str | None] = var(None)

    is_changeable: var[bool] = var(False, bindings=True)
    """Whether the animal can be edited and deleted."""

    def __init__(self) -> None:
        super().__init__(id="detail", classes="pane")
        self.border_title = "Animal"
        self.animal: Animal | None = None
        self.category: Category | None = None
        self.status = Status()
        self.text = Static(id="card")
        self.edit = Button("Edit", action="screen.edit", compact=True)
        self.delete = Button("Delete", action="screen.delete", variant="error", compact=True)

    def compose(self) -> ComposeResult:
        yield self.text
        with Horizontal(classes="buttons"):
            yield self.edit
            yield self.delete

    def watch_animal_id(self, animal_id: str | None) -> None:
        self.animal, self.category, self.status = None, None, Status()
        self.observe("selectAnimal", self.show_animal, animalId=animal_id)
        self.observe("selectCategory", self.show_category, animalId=animal_id)
        self.observe("selectAnimalStatus", self.show_status, animalId=animal_id)
        self.store.poll()

    def watch_is_changeable(self, is_changeable: bool) -> None:
        self.edit.disabled = self.delete.disabled = not is_changeable

    def show_animal(self, animal: Animal | None) -> None:
        self.animal = animal
        self._show()

    def show_category(self, category: Category | None) -> None:
        self.category = category
        self._show()

    def show_status(self, output: Any) -> None:
        self.status = Status.of(output)
        self._show()

    def _show(self) -> None:
        self.text.update(self._content())
        self.is_changeable = self.animal is not None and not self.status.is_waiting

    def _content(self) -> Content:
        if self.animal is None:
            return Content("Choose an animal to see it here.").stylize("dim")
        diet = self.animal["diet"]
        category = self.category["name"] if self.category else self.animal["categoryId"]
        return Content.assemble(
            (printable(self.animal["name"]), "bold"),
            "\n\n",
            ("Category  ", "dim"),
            printable(category),
            "\n",
            ("Diet      ", "dim"),
            ("● ", DIETS.get(diet, "")),
            diet,
        )
