"""The main screen: categories, the animals of one, and one of those."""

from __future__ import annotations

from typing import Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Footer, Header

from .animals import AnimalsPane
from .categories import CategoriesPane
from .detail import DetailPane
from .editor import Editor
from .observing import Observing
from .printable import printable
from .question import Question
from .records import Animal
from .status import Status
from .status_line import StatusLine


class BrowseScreen(Screen[None], Observing):
    """Three panes, each showing what is chosen in the one before, and a line of status."""

    BINDINGS = [
        Binding("a", "add", "Add"),
        Binding("e", "edit", "Edit"),
        Binding("d,delete", "delete", "Delete", key_display="d"),
        Binding("ctrl+r", "reload", "Reload samples"),
        Binding("r", "retry", "Try again"),
        Binding("q", "app.quit", "Quit"),
        Binding("left", "move(-1)", show=False),
        Binding("right", "move(1)", show=False),
    ]
    AUTO_FOCUS = "#categories OptionList"

    def __init__(self, category_id: str | None = None) -> None:
        """Begins with that category, if it is there."""
        super().__init__()
        self.categories = CategoriesPane()
        self.categories.choose(category_id)
        self.animals = AnimalsPane()
        self.detail = DetailPane()
        self.status = StatusLine()

    def compose(self) -> ComposeResult:
        yield Header()
        with Container(id="panes"):
            yield self.categories
            yield self.animals
            yield self.detail
        yield self.status
        yield Footer()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "retry":
            return self.status.has_fetch_failed
        enabled = {
            "reload": not self.categories.status.is_waiting,
            "add": not self.animals.status.is_waiting,
            "edit": self.detail.is_changeable,
            "delete": self.detail.is_changeable,
        }
        return True if enabled.get(action, True) else None

    # ---- What is chosen --------------------------------------------------------------------------

    def on_mount(self) -> None:
        self.watch(self.categories, "chosen", self.show_category)
        self.watch(self.animals, "chosen", self.show_animal)

    def show_category(self, category_id: str | None) -> None:
        self.animals.category_id = category_id

    def show_animal(self, animal_id: str | None) -> None:
        self.detail.animal_id = self.status.animal_id = animal_id

    async def action_enter(self) -> None:
        """Goes on to the animals of the category, or to the editor of the animal."""
        if self.focused is self.categories.list:
            self.action_move(1)
        else:
            await self.run_action("screen.edit")

    def action_move(self, step: int) -> None:
        """Moves the focus to the pane before or after."""
        panes = [self.categories, self.animals, self.detail]
        inside = self.focused.ancestors if self.focused else [self.animals]
        place = next((index for index, pane in enumerate(panes) if pane in inside), 0) + step
        if 0 <= place < len(panes):
            # At once: the key behind this one is for that pane.
            self.set_focus((self.categories.list, self.animals.list, self.detail.edit)[place])

    # ---- What is done ----------------------------------------------------------------------------

    def action_add(self) -> None:
        self._open_editor(Editor(category_id=self.categories.chosen))

    def action_edit(self) -> None:
        self._open_editor(Editor(self.detail.animal))

    def action_delete(self) -> None:
        animal = self.detail.animal
        if animal is None:
            return
        id, name = animal["animalId"], printable(animal["name"])

        def answer(yes: bool | None) -> None:
            if yes:
                self.send("ui/animalDetail/onTapDeleteSelectedAnimalButton", animalId=id)
                self._report_failure(id, f"{name} was not deleted")

        self.app.push_screen(Question("Delete", f"Delete {name}?", "Delete"), answer)

    def action_reload(self) -> None:
        def answer(yes: bool | None) -> None:
            if yes:
                self.send("ui/categoryList/onTapReloadSampleDataButton")

        text = "Replace all categories and animals by the sample data?"
        self.app.push_screen(Question("Reload", text, "Reload"), answer)

    def action_retry(self) -> None:
        self.animals_app.reopen(self.categories.chosen)

    def _open_editor(self, editor: Editor) -> None:
        def closed(saved: Animal | None) -> None:
            if saved is not None:
                self.categories.choose(saved["categoryId"])
                self.animals.choose(saved["animalId"])
            elif editor.is_saving:
                self._report_failure(editor.animal_id, f"{editor.name_input.value} was not saved")

        self.app.push_screen(editor, closed)

    def _report_failure(self, animal_id: str, title: str) -> None:
        """Tells the user if what is done to an animal fails, wherever they are by then."""

        def show(output: Any) -> None:
            status = Status.of(output)
            if status.has_failed:
                self.notify(status.error, title=title, severity="error", markup=False)
            if not status.is_waiting:
                self._end(show)

        self.observe("selectAnimalStatus", show, coalesce=False, animalId=animal_id)
