"""The pane with the categories."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.widgets import Button

from .list_pane import ListPane
from .printable import printable
from .records import Category
from .status import Status


class CategoriesPane(ListPane):
    """All categories by name, and the button that reloads the sample data."""

    def __init__(self) -> None:
        button = Button("Reload samples", action="screen.reload", compact=True)
        super().__init__("Categories", "categoryId", button, id="categories")
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
