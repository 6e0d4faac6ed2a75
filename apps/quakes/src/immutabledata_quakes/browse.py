"""The screen: the day, the list of its quakes, and the map."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Awaitable, Callable

from immutabledata_terminal import (
    UNDO_BINDINGS,
    Action,
    Confirmation,
    Find,
    Step,
    StoreWidget,
    UndoList,
)
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Header

from .day_bar import DayBar
from .detail import Detail
from .dialogs import DayDialog, RangeDialog
from .quakes_pane import SORTS, QuakesPane
from .status_line import QuakesStatusLine
from .time_zone import TimeZone
from .undo import DELETE, DELETE_ALL, RESTORE, reverse_of
from .world import WorldMap


class BrowseScreen(Screen[None], StoreWidget):
    """The list and the map show the same quakes and the same selection."""

    BINDINGS = [
        Binding("slash", "find", "Find", key_display="/"),
        Binding("left", "move_day(-1)", "Day", group=Binding.Group("Day", compact=True)),
        Binding("right", "move_day(1)", "Day", group=Binding.Group("Day", compact=True)),
        Binding("t", "today", "Today", show=False),
        Binding("g", "go_to_day", "Go to a day", show=False),
        Binding("r", "refresh_quakes", "Fetch"),
        Binding("l", "load", "Load"),
        Binding("s", "sort", "Sort"),
        Binding("d,delete", "delete", "Delete", key_display="d"),
        Binding("D", "delete_all", "Delete all", show=False),
        *UNDO_BINDINGS,
        Binding("q", "app.quit", "Quit"),
    ]
    AUTO_FOCUS = "#quakes Rows"

    def __init__(
        self, zone: TimeZone, load: Callable[[date | None], Awaitable[None]], day: date | None = None
    ) -> None:
        """day: the first day to show; None for today. load loads the stored quakes again."""
        super().__init__()
        self.zone = zone
        self.load = load
        self._day = day or zone.today()
        self.days = DayBar(zone)
        self.quakes = QuakesPane(zone)
        self.map = WorldMap()
        self.detail = Detail(zone)
        self.status = QuakesStatusLine()
        self.undo_list = UndoList()

    def compose(self) -> ComposeResult:
        yield Header(icon="≡")
        yield self.days
        with Container(id="panes"):
            yield self.quakes
            with Vertical(id="world", classes="pane") as pane:
                pane.border_title = "Map"
                yield self.map
                yield self.detail
        yield self.status
        yield Footer()

    def on_mount(self) -> None:
        self.watch(self.quakes, "day", self.days.show, init=False)
        self.watch(self.quakes, "quakes", self.map.show_quakes, init=False)
        self.watch(self.quakes, "selected", self.show_quake, init=False)
        self.watch(self.quakes, "total", self.refresh_bindings, init=False)
        self.quakes.day = self._day
        self.dispatch("ui/quakeList/onAppear")

    def show_quake(self, quake_id: str | None) -> None:
        self.detail.quake_id = quake_id
        self.map.select(quake_id)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "load":
            return self.status.has_load_failed
        if action == "find":
            return not isinstance(self.focused, Find)
        enabled = {
            "refresh_quakes": not self.quakes.status.is_waiting,
            "delete": self.quakes.selected is not None,
            "delete_all": self.quakes.total > 0,
            "undo": self.undo_list.can_undo,
            "redo": self.undo_list.can_redo,
        }
        return True if enabled.get(action, True) else None

    @on(WorldMap.Chosen)
    def choose(self, event: WorldMap.Chosen) -> None:
        self.quakes.select(event.quake_id)

    # ---- The quakes that are shown ---------------------------------------------------------------

    def action_find(self) -> None:
        self.quakes.find.begin()

    def action_sort(self) -> None:
        """Selects the next sort key and order."""
        self.quakes.sorting = (self.quakes.sorting + 1) % len(SORTS)

    def action_today(self) -> None:
        self.quakes.day = self.zone.today()

    def action_move_day(self, days: int) -> None:
        try:
            self.quakes.day = (self.quakes.day or self.zone.today()) + timedelta(days)
        except OverflowError:
            self.app.bell()  # The calendar has the years 1 to 9999.

    def action_go_to_day(self) -> None:
        def show(day: date | None) -> None:
            if day is not None:
                self.quakes.day = day

        self.app.push_screen(DayDialog(self.quakes.day or self.zone.today()), show)

    # ---- Actions ---------------------------------------------------------------------------------

    def action_refresh_quakes(self) -> None:
        def refresh(range: str | None) -> None:
            if range is not None:
                self.status.begin_refresh(range)
                self.dispatch("ui/quakeList/onTapRefreshQuakesButton", range=range)

        self.app.push_screen(RangeDialog(self.status.range), refresh)

    async def action_load(self) -> None:
        """Loads the stored quakes again."""
        await self.load(self.quakes.day)

    def action_delete(self) -> None:
        quake_id = self.quakes.selected
        if quake_id is not None:
            self.change({"type": DELETE, "payload": {"quakeId": quake_id}})

    def action_delete_all(self) -> None:
        def answer(yes: bool | None) -> None:
            if yes:
                self.change({"type": DELETE_ALL})

        count = self.quakes.total
        question = (
            "Delete the stored quake?" if count == 1 else f"Delete all {count:,} stored quakes?"
        )
        self.app.push_screen(Confirmation("Delete all quakes", question, "Delete all"), answer)

    def change(self, action: Action) -> None:
        """Deletes or restores quakes, and records how to take that back."""
        reverse = reverse_of(action, self.store)
        if not self.dispatch(action["type"], **action.get("payload", {})):
            self.undo_list.rejected()
        else:
            if action["type"] != RESTORE:
                self.status.begin_deletion()
            # The state shows it at once. If the deletion fails, the quakes are shown again, and to
            # restore them changes nothing.
            self.undo_list.succeeded("", Step("", reverse))
        self.refresh_bindings()

    def action_undo(self) -> None:
        self._take(self.undo_list.undo())

    def action_redo(self) -> None:
        self._take(self.undo_list.redo())

    def _take(self, step: Step | None) -> None:
        if step is None:
            return
        self.change(step.action)
        quakes = step.action.get("payload", {}).get("quakes", ())
        if len(quakes) == 1:
            # It may be of another day.
            self.quakes.day = self.zone.day(quakes[0]["time"]) or self.quakes.day
            self.quakes.select(quakes[0]["quakeId"])
