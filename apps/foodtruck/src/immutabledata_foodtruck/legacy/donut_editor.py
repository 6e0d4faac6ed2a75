"""The screen that edits the donuts of the menu."""

from __future__ import annotations

from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Grid, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, Label, Select

from .donut import DOUGHS, GLAZES, TOPPINGS, Donut
from .model import FoodTruckModel


def _options(titles: dict[str, str]) -> list[tuple[str, str]]:
    return [(title, name) for name, title in titles.items()]


class DonutEditor(ModalScreen[None]):
    """Edits the model directly: each change of a field changes the donut at once."""

    BINDINGS = [Binding("escape", "dismiss(None)", "Close")]
    AUTO_FOCUS = "#name"

    def __init__(self, model: FoodTruckModel, donut_id: int) -> None:
        """Shows one of the donuts of the model first."""
        super().__init__()
        self.model = model
        self.donut = self._donut(donut_id)
        self.donut_select: Select[int] = Select(
            self._names(), id="donut", allow_blank=False, value=donut_id
        )
        self.name_input = Input(id="name", select_on_focus=False)
        self.dough_select = Select(_options(DOUGHS), id="dough", allow_blank=False)
        self.glaze_select = Select(_options(GLAZES), id="glaze", prompt="None")
        self.topping_select = Select(_options(TOPPINGS), id="topping", prompt="None")

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Edit the donuts"
            with Grid(classes="fields"):
                for label, field in [
                    ("Donut", self.donut_select),
                    ("Name", self.name_input),
                    ("Dough", self.dough_select),
                    ("Glaze", self.glaze_select),
                    ("Topping", self.topping_select),
                ]:
                    yield Label(label)
                    yield field
        yield Footer()

    def on_mount(self) -> None:
        self.show()

    def _donut(self, donut_id: int) -> Donut:
        return next(donut for donut in self.model.donuts if donut.id == donut_id)

    def _names(self) -> list[tuple[str, int]]:
        return [(donut.name, donut.id) for donut in self.model.donuts]

    def show(self) -> None:
        """Shows the donut in the fields."""
        with self.prevent(Input.Changed, Select.Changed):
            self._show_names()
            self.name_input.value = self.donut.name
            self.dough_select.value = self.donut.dough
            self.glaze_select.value = self.donut.glaze or Select.NULL
            self.topping_select.value = self.donut.topping or Select.NULL

    def _show_names(self) -> None:
        with self.prevent(Select.Changed):
            self.donut_select.set_options(self._names())
            self.donut_select.value = self.donut.id

    @on(Select.Changed, "#donut")
    def choose(self) -> None:
        if self.donut_select.selection is not None:
            self.donut = self._donut(self.donut_select.selection)
            self.show()

    @on(Input.Changed, "#name")
    @on(Select.Changed, "#dough,#glaze,#topping")
    def edit(self) -> None:
        before = replace(self.donut)
        self.donut.name = self.name_input.value
        self.donut.dough = self.dough_select.selection or before.dough
        self.donut.glaze = self.glaze_select.selection
        self.donut.topping = self.topping_select.selection
        if self.donut != before:  # Fields also report the values that show() has set.
            self._show_names()
            self.model.publish_donuts()
