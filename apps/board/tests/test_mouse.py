"""The board by the mouse."""

from conftest import add
from textual.events import MouseScrollDown

START = [["Oak", "Elm", "Yew"], ["Ash"], []]


async def test_a_click_selects(run):
    async with run() as user:
        await user.pilot.click(offset=user.cell_of("Yew"))
        assert user.selected == "Yew"
        await user.pilot.click(offset=user.cell_of("no cards"))
        assert user.board.selection.column == "done"


async def test_a_double_click_edits(run):
    async with run() as user:
        await user.pilot.click(offset=user.cell_of("Elm"), times=2)
        await user.until(lambda: user.top == "Editor")
        assert user.app.screen.title_input.value == "Elm"


async def test_a_drag_moves_to_another_column(run):
    async with run() as user:
        await user.drag("Elm", user.cell_of("Ash"))
        assert user.shown == [["Oak", "Yew"], ["Elm", "Ash"], []]
        assert user.selected == "Elm"
        x, y = user.cell_of("Ash")
        await user.drag("Oak", (x, y + 5))
        assert user.shown == [["Yew"], ["Elm", "Ash", "Oak"], []]
        await user.drag("Yew", user.cell_of("no cards"))
        assert user.shown == [[], ["Elm", "Ash", "Oak"], ["Yew"]]
        await user.tap("u", "u", "u")
        assert user.shown == START


async def test_a_drag_moves_in_a_column(run):
    async with run() as user:
        x, y = user.cell_of("Yew")
        await user.drag("Oak", (x, y + 1))
        assert user.shown[0] == ["Elm", "Yew", "Oak"]
        await user.drag("Yew", user.cell_of("Elm"))
        assert user.shown[0] == ["Yew", "Elm", "Oak"]
        await user.drag("Yew", (x + 3, user.cell_of("Yew")[1]))
        assert user.shown[0] == ["Yew", "Elm", "Oak"]


async def test_a_drag_shows_where_the_card_goes(run):
    async with run() as user:
        x, y = user.cell_of("no cards")
        await user.drag("Oak", (x, y), end=False)
        assert set(user.screen[y][x : x + 20]) == {"─"}
        await user.press("escape")
        assert "no cards" in user.screen[y]
        await user.pilot.mouse_up(offset=(x, y))
        assert user.shown == START


async def test_a_drag_reaches_columns_that_are_not_in_view(run):
    async with run(size=(60, 16)) as user:
        await user.drag("Oak", (59, 5), end=False)
        x, y = user.cell_of("no cards")
        await user.pilot.hover(offset=(x, y))
        await user.pilot.mouse_up(offset=(x, y))
        await user.tap("escape")
        assert user.shown == [["Elm", "Yew"], ["Ash"], ["Oak"]]
        await user.drag("Oak", (0, 5), end=False)
        user.cell_of("To do")


async def test_a_drag_ends_if_the_card_is_removed(run):
    async with run() as user:
        x, y = user.cell_of("no cards")
        await user.drag("Oak", (x, y), end=False)
        user.app.store.dispatch("board/removed", {"id": "Oak"})
        await user.until(lambda: user.shown[0] == ["Elm", "Yew"])
        assert "no cards" in user.screen[y]
        await user.pilot.mouse_up(offset=(x, y))
        await user.tap("u")
        assert user.shown == START


async def test_a_drag_goes_on_while_the_board_changes(run):
    async with run() as user:
        x, y = user.cell_of("no cards")
        await user.drag("Elm", (x, y), end=False)
        add(user.app.store, "Fir", before="Oak")
        await user.until(lambda: user.shown[0] == ["Fir", "Oak", "Elm", "Yew"])
        await user.pilot.mouse_up(offset=(x, y))
        await user.tap("escape")
        assert user.shown == [["Fir", "Oak", "Yew"], ["Ash"], ["Elm"]]


async def test_the_wheel_scrolls(run):
    def fill(store):
        for number in range(30):
            add(store, f"Tree {number:02}")

    async with run(fill=fill) as user:
        assert "↓ 20" in "\n".join(user.screen)
        await user.pilot._post_mouse_events([MouseScrollDown], offset=(5, 5))
        assert "Tree 00" not in "\n".join(user.screen)
        assert "↑ 2" in user.screen[1]
        assert user.selected == "Tree 00"
        await user.press("down")
        assert "Tree 01" in user.screen[2]
        await user.press("end")
        assert "Tree 29" in "\n".join(user.screen)
