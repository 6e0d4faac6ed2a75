"""The main screen: the categories, the animals of one, and the details of one animal."""

from __future__ import annotations

from typing import Any, Awaitable, Callable

from immutabledata_terminal import (
    UNDO_BINDINGS,
    Confirmation,
    Find,
    Status,
    Step,
    StoreWidget,
    UndoList,
    printable,
)
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Footer, Header

from .animals import AnimalsPane
from .categories import CategoriesPane
from .changes import DELETE, AnimalChanges
from .detail import DetailPane
from .editor import Editor
from .records import Animal
from .status_line import AnimalsStatusLine


class BrowseScreen(Screen[None], StoreWidget):
    """Three panes, each showing the selection of the previous one, and a status line."""

    BINDINGS = [
        Binding("a", "add", "Add"),
        Binding("e", "edit", "Edit"),
        Binding("d,delete", "delete", "Delete", key_display="d"),
        *UNDO_BINDINGS,
        Binding("slash", "find", "Find", key_display="/"),
        Binding("r", "retry", "Retry"),
        Binding("ctrl+r", "reload", "Reload"),
        Binding("q", "app.quit", "Quit"),
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
    ]
    AUTO_FOCUS = "#categories Rows"

    def __init__(
        self, retry: Callable[[str | None], Awaitable[None]], category_id: str | None = None
    ) -> None:
        """Selects a category, if it exists. retry fetches everything again, and shows a category."""
        super().__init__()
        self.retry = retry
        self.attempts: dict[str, str] = {}
        """What was last attempted with each animal: "saved" or "deleted"."""
        self.undo_list = UndoList()
        self.categories = CategoriesPane()
        self.categories.select(category_id)
        self.animals = AnimalsPane()
        self.detail = DetailPane()
        self.status = AnimalsStatusLine(self.attempts)

    def compose(self) -> ComposeResult:
        yield Header(icon="≡")
        with Container(id="panes"):
            yield self.categories
            yield self.animals
            yield self.detail
        yield self.status
        yield Footer()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "retry":
            return self.status.has_fetch_failed
        if action in ("undo", "redo") and self.status.has_fetch_failed:
            return False  # The retry begins anew.
        if action == "find":
            return not isinstance(self.focused, Find)
        enabled = {
            "reload": not self.categories.status.is_waiting,
            "add": not self.animals.status.is_waiting,
            "edit": self.detail.is_changeable,
            "delete": self.detail.is_changeable,
            "undo": self.undo_list.can_undo,
            "redo": self.undo_list.can_redo,
        }
        return True if enabled.get(action, True) else None

    # ---- Selection -------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self.watch(self.categories, "selected", self.show_category)
        self.watch(self.animals, "selected", self.show_animal)
        self._changes = AnimalChanges(self.store, self.undo_list, self.show_change)

    def on_unmount(self) -> None:
        super().on_unmount()
        self._changes.cancel()

    def show_category(self, category_id: str | None) -> None:
        self.animals.category_id = category_id

    def show_animal(self, animal_id: str | None) -> None:
        self.detail.animal_id = self.status.animal_id = animal_id

    async def action_enter(self) -> None:
        """Moves to the animals of the category, or opens the editor of the animal."""
        if self.focused is self.categories.list:
            self.action_move(1)
        else:
            await self.run_action("screen.edit")

    def action_move(self, step: int) -> None:
        """Moves the focus to another pane."""
        panes = [self.categories, self.animals, self.detail]
        inside = self.focused.ancestors if self.focused else [self.animals]
        index = next((index for index, pane in enumerate(panes) if pane in inside), 0) + step
        if 0 <= index < len(panes):
            # Not deferred: the next key is for that pane.
            self.set_focus((self.categories.list, self.animals.list, self.detail.edit)[index])

    def action_find(self) -> None:
        """Starts to find in the list that has the focus, otherwise in the animals."""
        (self.categories if self.categories.has_focus_within else self.animals).find.begin()

    # ---- Actions ---------------------------------------------------------------------------------

    def action_add(self) -> None:
        self._open_editor(Editor(self.attempts, category_id=self.categories.selected))

    def action_edit(self) -> None:
        self._open_editor(Editor(self.attempts, self.detail.animal))

    def action_delete(self) -> None:
        animal = self.detail.animal
        if animal is None:
            return
        id, name = animal["animalId"], printable(animal["name"])

        def answer(yes: bool | None) -> None:
            if yes:
                self.attempts[id] = "deleted"
                self.dispatch(DELETE, animalId=id)
                self._report_failure(id, f"{name} was not deleted")

        self.app.push_screen(Confirmation("Delete the animal", f"Delete {name}?", "Delete"), answer)

    def action_undo(self) -> None:
        self._take(self.undo_list.undo(), "The change was not undone")

    def action_redo(self) -> None:
        self._take(self.undo_list.redo(), "The change was not made again")

    def _take(self, step: Step | None, failure: str) -> None:
        """Dispatches the action of a step. Its outcome ends it."""
        if step is None:
            return
        status = self.store.select("selectAnimalStatus", animalId=step.key)
        if Status.of(status).is_waiting:
            # Another change of the animal is in progress. The store would ignore this one.
            self.undo_list.failed(step.key)
            self.app.bell()
            return
        self.attempts[step.key] = "deleted" if step.action["type"] == DELETE else "saved"
        if self.dispatch(step.action["type"], **step.action["payload"]):
            self._report_failure(step.key, failure)
        else:
            self.undo_list.rejected()
        self.refresh_bindings()

    def show_change(self, animal: Animal | None) -> None:
        """Shows the animal that an undo or a redo has saved, if any."""
        if animal is not None:
            self._select(animal)
        self.refresh_bindings()

    def _select(self, animal: Animal) -> None:
        self.categories.select(animal["categoryId"])
        self.animals.select(animal["animalId"])

    def action_reload(self) -> None:
        def answer(yes: bool | None) -> None:
            if yes:
                self.dispatch("ui/categoryList/onTapReloadSampleDataButton")

        text = "Replace all categories and animals with the sample data?"
        self.app.push_screen(Confirmation("Reload the sample data", text, "Reload"), answer)

    async def action_retry(self) -> None:
        await self.retry(self.categories.selected)

    def _open_editor(self, editor: Editor) -> None:
        def closed(saved: Animal | None) -> None:
            if saved is not None:
                self._select(saved)
            elif editor.is_saving:
                self._report_failure(editor.animal_id, f"{editor.name_input.value} was not saved")

        self.app.push_screen(editor, closed)

    def _report_failure(self, animal_id: str, title: str) -> None:
        """Notifies the user if the change of an animal fails, on any screen."""

        def show(output: Any) -> None:
            status = Status.of(output)
            if status.has_failed:
                self.notify(status.error, title=title, severity="error", markup=False)
            if not status.is_waiting:
                self.end_observation(show)

        self.observe("selectAnimalStatus", show, coalesce=False, animalId=animal_id)
