"""The editor of an animal, new or there already."""

from __future__ import annotations

from typing import Any, Optional
from uuid import uuid4

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Input, Label, Select, Static

from .observing import Observing
from .printable import printable
from .records import DIETS, Animal, Category
from .status import Status


class Editor(ModalScreen[Optional[Animal]], Observing):
    """Edits an animal, and closes when what it saved is kept: with that animal as its result.

    A new animal has an id that is made up here, by which its status is followed; the animal itself
    gets another. Closed while a save is under way, it leaves the save to go on: is_saving.
    """

    BINDINGS = [
        Binding("ctrl+s", "save", "Save"),
        Binding("escape", "cancel", "Cancel"),
    ]
    AUTO_FOCUS = "#name"

    def __init__(self, animal: Animal | None = None, category_id: str | None = None) -> None:
        """Without an animal it is for a new one, which category_id is suggested for."""
        super().__init__()
        self.animal_id = animal["animalId"] if animal else str(uuid4())
        self.heading = "Edit the animal" if animal else "Add an animal"
        self.status = Status()
        self._category_id = animal["categoryId"] if animal else category_id
        self._is_done = False
        self._sent: Animal = {}
        self._others: set[str] = set()
        self.name_input = Input(
            printable(animal["name"]) if animal else "",
            id="name",
            placeholder="What is it called?",
            select_on_focus=False,
        )
        self.diet_select = Select(
            ((diet, diet) for diet in DIETS),
            id="diet",
            prompt="What does it eat?",
            value=animal["diet"] if animal else Select.NULL,
        )
        self.category_select: Select[str] = Select((), id="category", prompt="What is it?")
        self.words = Static(id="words", markup=False)
        self.save_button = Button("Save", action="screen.save", variant="primary", id="save")

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = self.heading
            with Grid(classes="fields"):
                yield Label("Name")
                yield self.name_input
                yield Label("Diet")
                yield self.diet_select
                yield Label("Category")
                yield self.category_select
            yield self.words
            with Horizontal(classes="buttons"):
                yield Button("Cancel", action="screen.cancel", id="cancel")
                yield self.save_button
        yield Footer()

    def on_mount(self) -> None:
        self.observe("selectCategoriesValues", self.show_categories)
        # Of a quick save, the latest status alone is a success again.
        self.observe(
            "selectAnimalStatus", self.show_status, coalesce=False, animalId=self.animal_id
        )
        self.store.poll()

    @property
    def is_saving(self) -> bool:
        return self.status.is_waiting

    @property
    def can_save(self) -> bool:
        return (
            not self.is_saving
            and not self._is_done
            and self.name_input.value != ""
            and self.diet_select.selection is not None
            and self._category_id is not None
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return True if action != "save" or self.can_save else None

    def show_categories(self, categories: list[Category]) -> None:
        ids = [category["categoryId"] for category in categories]
        chosen = self._category_id
        with self.prevent(Select.Changed):
            self.category_select.set_options(
                (printable(each["name"]), each["categoryId"]) for each in categories
            )
            if chosen in ids:
                self.category_select.value = chosen
        self._category_id = self.category_select.selection
        self._refresh()

    def show_status(self, output: Any) -> None:
        """Closes the editor when what it waits for succeeds: not for what others did before."""
        was_waiting, self.status = self.status.is_waiting, Status.of(output)
        if was_waiting and self.status.kind == "success":
            self._is_done = True
        self._refresh()
        self._close_if_done()

    def on_screen_resume(self) -> None:
        self._close_if_done()

    @on(Input.Changed)
    @on(Select.Changed)
    def field_changed(self) -> None:
        self._category_id = self.category_select.selection
        self._refresh()

    @on(Input.Submitted)
    def name_submitted(self) -> None:
        self.focus_next()

    def action_save(self) -> None:
        if not self.can_save:
            return
        self._sent = {
            "name": self.name_input.value,
            "diet": self.diet_select.selection or "",
            "categoryId": self._category_id or "",
        }
        if self._stored() is None:
            self._others = set(self._animals())
            kind, id = "onTapAddAnimalButton", {"id": self.animal_id}
        else:
            kind, id = "onTapUpdateAnimalButton", {"animalId": self.animal_id}
        self.send(f"ui/animalEditor/{kind}", **id, **self._sent)

    def action_cancel(self) -> None:
        self.dismiss(None)

    def _stored(self) -> Animal | None:
        animal: Animal | None = self.store.select("selectAnimal", animalId=self.animal_id)
        return animal

    def _animals(self) -> dict[str, Animal]:
        """The animals of the category that was sent, by id."""
        animals: dict[str, Animal] = self.store.select(
            "selectAnimals", categoryId=self._sent["categoryId"]
        )
        return animals

    def _added(self) -> Animal | None:
        """The animal that was added: it was not there when it was sent."""
        for id, animal in self._animals().items():
            if id not in self._others and animal["name"] == self._sent["name"]:
                return animal
        return None

    def _refresh(self) -> None:
        self.save_button.disabled = not self.can_save
        self.words.update(self._words())
        self.words.set_class(self.status.has_failed, "-failure")
        self.refresh_bindings()

    def _words(self) -> str:
        if self.status.is_waiting:
            return "Saving…"
        if self.status.has_failed:
            return f"It was not saved: {self.status.error}"
        return ""

    def _close_if_done(self) -> None:
        # Something may stand before it, such as the palette of commands.
        if self._is_done and self.is_active:
            self.dismiss(self._stored() or self._added())
