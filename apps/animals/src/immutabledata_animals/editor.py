"""The editor of a new or an existing animal."""

from __future__ import annotations

from typing import Any, Optional
from uuid import uuid4

from immutabledata_terminal import Status, StoreWidget, printable
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Input, Label, Select, Static

from .changes import ADD, UPDATE
from .records import DIETS, Animal, Category


class Editor(ModalScreen[Optional[Animal]], StoreWidget):
    """Edits an animal, and closes when it is saved, with the animal as its result.

    The status of a new animal has a temporary id, made here; the animal itself gets another id. If
    the editor is closed during a save (is_saving), the save continues. If another client deletes
    the animal, the editor says so, and saving adds it as a new animal.
    """

    BINDINGS = [
        Binding("ctrl+s", "save", "Save"),
        Binding("escape", "cancel", "Cancel"),
    ]
    AUTO_FOCUS = "#name"

    def __init__(
        self,
        attempts: dict[str, str],
        animal: Animal | None = None,
        category_id: str | None = None,
    ) -> None:
        """Edits animal, or a new one, for which category_id is preselected. Adds to attempts."""
        super().__init__()
        self.attempts = attempts
        self.animal_id = animal["animalId"] if animal else str(uuid4())
        self.heading = "Edit the animal" if animal else "Add an animal"
        self.status = Status()
        self.is_deleted = False
        self._is_new = animal is None
        self._category_id = animal["categoryId"] if animal else category_id
        self._is_done = False
        self._submitted: Animal = {}
        self._existing_ids: set[str] = set()
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
        self.category_select: Select[str] = Select((), id="category", prompt="Which category?")
        self.message = Static(id="message", markup=False)
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
            yield self.message
            with Horizontal(classes="buttons"):
                yield Button("Cancel", action="screen.cancel", id="cancel")
                yield self.save_button
        yield Footer()

    def on_mount(self) -> None:
        self.observe("selectCategoriesValues", self.show_categories)
        # Without coalescing: after a quick save, the latest status would again be a success.
        self.observe(
            "selectAnimalStatus", self.show_status, coalesce=False, animalId=self.animal_id
        )
        self.observe("selectAnimal", self.show_animal, animalId=self.animal_id)
        self.store.poll()

    @property
    def is_saving(self) -> bool:
        return self.status.is_waiting

    @property
    def can_save(self) -> bool:
        return not (self.is_saving or self._is_done or self._missing)

    @property
    def has_failed(self) -> bool:
        """Whether its own save failed, as opposed to an earlier change of the animal."""
        return bool(self._submitted) and self.status.has_failed

    @property
    def _missing(self) -> list[str]:
        """What the user has to do before the animal can be saved."""
        steps = {
            "enter a name": self.name_input.value.strip(),
            "choose a diet": self.diet_select.selection,
            "choose a category": self._category_id,
        }
        return [step for step, value in steps.items() if not value]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return True if action != "save" or self.can_save else None

    def show_categories(self, categories: list[Category]) -> None:
        ids = [category["categoryId"] for category in categories]
        selected = self._category_id
        with self.prevent(Select.Changed):
            self.category_select.set_options(
                (printable(each["name"]), each["categoryId"]) for each in categories
            )
            if selected is not None and selected in ids:
                self.category_select.value = selected
        self._category_id = self.category_select.selection
        self._refresh()

    def show_animal(self, animal: Animal | None) -> None:
        self.is_deleted = animal is None and not self._is_new
        self._refresh()

    def show_status(self, output: Any) -> None:
        """Closes the editor when its own save succeeds, but not for an earlier success."""
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
        self._submitted = {
            "name": self.name_input.value,
            "diet": self.diet_select.selection or "",
            "categoryId": self._category_id or "",
        }
        self.attempts[self.animal_id] = "saved"
        if self._is_new or self.is_deleted:
            self._existing_ids = set(self._animals())
            kind, id = ADD, {"id": self.animal_id}
        else:
            kind, id = UPDATE, {"animalId": self.animal_id}
        self.dispatch(kind, **id, **self._submitted)

    def action_cancel(self) -> None:
        self.dismiss(None)

    def _stored(self) -> Animal | None:
        animal: Animal | None = self.store.select("selectAnimal", animalId=self.animal_id)
        return animal

    def _animals(self) -> dict[str, Animal]:
        """The animals of the submitted category, by id."""
        animals: dict[str, Animal] = self.store.select(
            "selectAnimals", categoryId=self._submitted["categoryId"]
        )
        return animals

    def _added(self) -> Animal | None:
        """The added animal: the one that did not exist when it was submitted."""
        for id, animal in self._animals().items():
            if id not in self._existing_ids and animal["name"] == self._submitted["name"]:
                return animal
        return None

    def _refresh(self) -> None:
        self.save_button.disabled = not self.can_save
        self.message.update(self._message_text())
        self.message.set_class(self.has_failed or self.is_deleted, "-failure")
        self.refresh_bindings()

    def _message_text(self) -> str:
        if self.is_saving:
            return "Saving…"
        lines = []
        if self.has_failed:
            lines.append(f"It was not saved: {self.status.error}.")
        if self.is_deleted:
            lines.append("This animal was deleted. Save adds it again.")
        if self._missing:
            lines.append(f"To save, {' and '.join(self._missing)}.")
        return "\n".join(lines)

    def _close_if_done(self) -> None:
        # Another screen may cover it, such as the command palette.
        if self._is_done and self.is_active:
            self.dismiss(self._stored() or self._added())
