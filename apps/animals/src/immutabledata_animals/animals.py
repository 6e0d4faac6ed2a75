"""The pane with the animals of a category."""

from __future__ import annotations

from typing import Any

from immutabledata_terminal import ListPane, Status, printable
from rich.cells import cell_len
from textual.content import Content
from textual.reactive import var
from textual.widgets import Button

from .records import DIETS, Animal


class AnimalsPane(ListPane):
    """The animals of a category by name, and the button that adds one."""

    category_id: var[str | None] = var(None)

    def __init__(self) -> None:
        self.button = Button("Add an animal", action="screen.add", compact=True)
        super().__init__("Animals", "animalId", id="animals", button=self.button)
        self.status = Status()
        self._name_width = 0

    def on_mount(self) -> None:
        self.observe("selectAnimalsStatus", self.show_status)

    def watch_category_id(self, category_id: str | None) -> None:
        self.find.end()
        self.observe("selectAnimalsValues", self.show_animals, categoryId=category_id)
        self.store.poll()
        if category_id is not None:
            self.dispatch("ui/animalList/onAppear")

    def show_animals(self, animals: list[Animal]) -> None:
        # Aligns the diets, except after long names.
        self._name_width = min(max((cell_len(each["name"]) for each in animals), default=0), 20)
        self.show_records(animals)

    def line(self, animal: Animal) -> Content:
        name, diet = printable(animal["name"]), animal["diet"]
        gap = " " * max(self._name_width - cell_len(name), 0)
        return Content.assemble(("● ", DIETS.get(diet, "")), f"{name}{gap}  ", (diet, "dim"))

    def show_status(self, output: Any) -> None:
        self.status = Status.of(output)
        self.button.disabled = self.status.is_waiting
        self.refresh_placeholder()
        self.refresh_bindings()

    def placeholder(self) -> str:
        if self.category_id is None:
            return "Choose a category to see its animals."
        if self.status.is_waiting:
            return "Waiting for the animals…"
        if self.status.has_failed:
            return "Couldn't load animals."
        return "There are no animals here yet. Add one."
