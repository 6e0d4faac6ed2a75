"""The shared widgets in a small application, whose store has its own reducer."""

import contextlib

import immutabledata as imd
import pytest
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Footer

from immutabledata_terminal import (
    Confirmation,
    ListPane,
    Status,
    StatusLine,
    StoreApp,
    StoreWidget,
    printable,
)
from immutabledata_terminal.testing import User


def reduce(state, action):
    if action["type"] == "removed":
        names = [each for each in state["names"] if each != action["payload"]["name"]]
        if len(names) == len(state["names"]):
            raise imd.ReducerFailedError(f"there is no {action['payload']['name']}")
        return state.set("/names", names)
    return state.set("/status", action["payload"]["status"])


def open_store(names=("Oak", "Elm", "Yew"), status=None):
    store = imd.Store(reduce, state={"names": list(names), "status": status})
    store.define("trees", "names[].{name: @, id: @}")
    store.define("status", "status")
    return store


class Trees(ListPane):
    def __init__(self):
        super().__init__("Trees", "id", id="trees", button=Button("Remove"))

    def on_mount(self):
        self.observe("trees", self.show_records)

    def line(self, record):
        return Content(printable(record["name"]))

    def placeholder(self):
        return "There are no trees."


class Line(StatusLine):
    def on_mount(self):
        self.observe("status", self.show)

    def show(self, output):
        self.status = Status.of(output)
        self.show_message()

    def message(self):
        return ("failure", self.status.error) if self.status.has_failed else ("ready", "Ready")


class TreesScreen(Screen, StoreWidget):
    BINDINGS = [
        Binding("d", "remove", "Remove"),
        Binding("slash", "find", "Find", key_display="/"),
        Binding("q", "ask", "Quit"),
    ]
    AUTO_FOCUS = "Rows"

    def compose(self):
        self.trees, self.line = Trees(), Line()
        yield self.trees
        yield self.line
        yield Footer()

    def action_remove(self):
        self.dispatch("removed", name=self.trees.selected)

    def action_find(self):
        self.trees.find.begin()

    def action_ask(self):
        def answer(yes):
            if yes:
                self.app.exit()

        self.app.push_screen(Confirmation("Quit", "Really?", "Quit"), answer)


class TreesApp(StoreApp):
    TITLE = "Trees"

    def first_screen(self):
        return TreesScreen()


@pytest.fixture
def run():
    @contextlib.asynccontextmanager
    async def run(open_store=open_store):
        app = TreesApp(open_store, "wood")
        async with app.run_test(size=(60, 16), notifications=True) as pilot:
            user = User(app, pilot)
            await user.until(lambda: user.text_of(app.screen.line) == [" Ready"])
            yield user

    return run


def shown(user):
    pane = user.app.screen.trees
    return [record["name"] for record in pane.list.records] or pane.list.text


async def test_shows_records(run):
    async with run() as user:
        pane = user.app.screen.trees
        assert [line.strip() for line in user.text_of(pane.list)[:3]] == ["Oak", "Elm", "Yew"]
        assert (pane.selected, pane.border_subtitle) == ("Oak", "3")
        await user.check_footer("d Remove", "/ Find", "q Quit")


async def test_keeps_the_selection(run):
    async with run() as user:
        pane = user.app.screen.trees
        await user.press("end")
        user.app.store.dispatch("removed", payload={"name": "Oak"})
        await user.until(lambda: shown(user) == ["Elm", "Yew"])
        assert pane.selected == "Yew"
        await user.press("d")
        assert (shown(user), pane.selected) == (["Elm"], "Elm")
        await user.press("d")
        assert (shown(user), pane.selected) == ("There are no trees.", None)
        assert pane.selected_record is None


async def test_finds(run):
    async with run() as user:
        await user.press("slash", "E")
        assert shown(user) == ["Elm", "Yew"]
        assert user.app.screen.trees.border_subtitle == "2 of 3"
        await user.press("x")
        assert shown(user) == 'No name contains "Ex".'
        await user.press("escape")
        assert len(shown(user)) == 3


async def test_a_record_to_select_ends_the_search(run):
    async with run() as user:
        await user.press("slash", "O")
        user.app.screen.trees.select("Yew")
        await user.until(lambda: user.app.screen.trees.selected == "Yew")
        assert len(shown(user)) == 3


async def test_reports_a_rejected_action(run):
    async with run() as user:
        user.app.screen.dispatch("removed", name="Ash\x1b")
        await user.until(lambda: user.toasts)
        assert "there is no Ash�" in user.toasts[0][1]
        assert len(shown(user)) == 3


async def test_shows_a_failure(run):
    async with run() as user:
        failure = {"failure": {"error": "too\x07dry"}}
        user.app.store.dispatch("set", payload={"status": failure})
        line = user.app.screen.line
        await user.until(lambda: user.text_of(line) == [" too�dry"])
        assert line.has_class("-failure")
        assert not line.has_class("-ready")


async def test_asks(run):
    async with run() as user:
        await user.press("q", "n")
        assert user.top == "TreesScreen"
        await user.press("q")
        assert "Really?" in user.dialog()
        user.check_whole(*user.app.screen.query("Button"))
        await user.press("y")
        await user.until(lambda: not user.app.is_running)
    assert user.app.store.closed


async def test_reopens(run):
    stores = []

    def open_next():
        if len(stores) == 2:
            raise imd.InvalidArgumentError("no more")
        stores.append(open_store(["Oak"], None) if stores else open_store())
        return stores[-1]

    async with run(open_next) as user:
        await user.app.reopen(TreesScreen)
        await user.until(lambda: user.app.screen.is_mounted and shown(user) == ["Oak"])
        assert [store.closed for store in stores] == [True, False]
        await user.app.reopen(TreesScreen)
        await user.until(lambda: user.toasts)
        assert user.toasts == [("Cannot open the trees", "no more")]
        assert not stores[1].closed


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (None, ("empty", "")),
        ({"waiting": {}}, ("waiting", "")),
        ({"success": {}}, ("success", "")),
        ({"failure": {"error": "a\nb"}}, ("failure", "a�b")),
    ],
)
def test_status(output, status):
    assert Status.of(output) == status
    assert Status.of(output).is_waiting is (status[0] == "waiting")
    assert Status.of(output).has_failed is (status[0] == "failure")
