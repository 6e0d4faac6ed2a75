"""The pane with the categories."""

from __future__ import annotations

from typing import Any

from immutabledata_terminal import ListPane, Status, printable
from textual.content import Content
from textual.widgets import Button

from .records import Category


class CategoriesPane(ListPane):
    """All categories by name, and the button that reloads the sample data."""

    def __init__(self) -> None:
        self.button = Button("Reload samples", action="screen.reload", compact=True)
        super().__init__("Categories", "categoryId", id="categories", button=self.button)
        self.status = Status()

    def on_mount(self) -> None:
        self.observe("selectCategoriesValues", self.show_records)
        self.observe("selectCategoriesStatus", self.show_status)
        self.dispatch("ui/categoryList/onAppear")

    def line(self, category: Category) -> Content:
        return Content(printable(category["name"]))

    def show_status(self, output: Any) -> None:
        self.status = Status.of(output)
        self.button.disabled = self.status.is_waiting
        self.refresh_placeholder()
        self.refresh_bindings()

    def placeholder(self) -> str:
        if self.status.is_waiting:
            return "Waiting for the categories…"
        if self.status.has_failed:
            return "Couldn't load categories."
        return "There are no categories. Reload the sample data to add some."
