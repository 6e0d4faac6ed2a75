"""The screen: the orders, one of them, and the newest ones."""

from __future__ import annotations

from immutabledata_terminal import UNDO_BINDINGS, Find, StoreWidget
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Header

from .activity_banner import ActivityBanner
from .legacy import DonutEditor, FoodTruckModel
from .migration import ModelHistory
from .newest_card import NewestCard
from .order_pane import OrderPane
from .orders_pane import FILTERS, OrdersPane


class BrowseScreen(Screen[None], StoreWidget):
    """Shows the store. It knows the model only to open the legacy screen, and to undo."""

    BINDINGS = [
        Binding("n", "next_status", "Step"),
        Binding("c", "complete", "Complete"),
        Binding("space", "mark", "Mark", show=False),
        Binding("e", "edit_donuts", "Edit"),
        Binding("a", "add_order", "Add"),
        *UNDO_BINDINGS,
        Binding("slash", "find", "Find", key_display="/"),
        Binding("f", "filter", "Filter", show=False),
        Binding("s", "sort_by_next", "Sort"),
        Binding("r", "reverse", "Reverse", show=False),
        Binding("q", "app.quit", "Quit"),
    ]
    AUTO_FOCUS = "#orders Rows"

    def __init__(self, model: FoodTruckModel, history: ModelHistory) -> None:
        super().__init__()
        self.model = model
        self.history = history
        self.banner = ActivityBanner()
        self.orders = OrdersPane()
        self.order = OrderPane()
        self.newest = NewestCard()

    def compose(self) -> ComposeResult:
        yield Header(icon="≡")
        yield self.banner
        with Container(id="panes"):
            yield self.orders
            with Vertical(id="side"):
                yield self.order
                yield self.newest
        yield Footer()

    def on_mount(self) -> None:
        self.watch(self.orders, "selected", self.show_order)

    def show_order(self, order_id: str | None) -> None:
        self.order.order_id = order_id

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "find":
            return not isinstance(self.focused, Find)
        enabled = {
            "next_status": self.order.has_next_status,
            "complete": bool(self.orders.marked_orders) or self.order.can_complete,
            "edit_donuts": not self.order.edit_button.disabled,
            "undo": self.history.can_undo,
            "redo": self.history.can_redo,
        }
        return True if enabled.get(action, True) else None

    @on(NewestCard.Chosen)
    def choose(self, event: NewestCard.Chosen) -> None:
        self.orders.choose(event.order_id)

    # ---- The orders that are shown ---------------------------------------------------------------

    def action_find(self) -> None:
        self.orders.find.begin()

    def action_filter(self) -> None:
        """Shows the orders of the next status; after the last, all orders."""
        index = FILTERS.index(self.orders.status) + 1
        self.orders.status = FILTERS[index % len(FILTERS)]

    def action_sort(self, column: str) -> None:
        self.orders.sorting = self.orders.sorting.by(column)

    def action_sort_by_next(self) -> None:
        self.orders.sorting = self.orders.sorting.next()

    def action_reverse(self) -> None:
        self.orders.sorting = self.orders.sorting.reversed()

    # ---- Actions ---------------------------------------------------------------------------------

    def action_next_status(self) -> None:
        self.dispatch("ui/orderDetailView/onTapStatusButton", orderID=self.order.order_id)

    def action_mark(self) -> None:
        self.orders.toggle_mark()
        self.refresh_bindings()

    def action_complete(self) -> None:
        """Completes the marked orders; without any, the selected one."""
        marked = self.orders.marked_orders
        ids = [order["id"] for order in marked if order["status"] != "completed"]
        self.orders.clear_marks()
        for order_id in ids if marked else [self.order.order_id]:
            self.dispatch("ui/ordersView/onTapCompleteOrderButton", orderID=order_id)
        self.refresh_bindings()

    def action_add_order(self) -> None:
        self.dispatch("ui/ordersView/onTapAddOrderButton")

    def action_undo(self) -> None:
        self.history.undo()

    def action_redo(self) -> None:
        self.history.redo()

    def action_edit_donuts(self) -> None:
        """Opens the legacy screen with the first donut of the order."""
        if self.order.order and self.order.order["donuts"]:
            donut = self.order.order["donuts"][0]
            self.app.push_screen(DonutEditor(self.model, donut["id"]))
