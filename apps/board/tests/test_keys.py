"""The board by its keys."""

from immutabledata_board.store import open_store

START = [["Oak", "Elm", "Yew"], ["Ash"], []]


async def test_goes_to_a_card(run):
    async with run() as user:
        for key, selected in [
            *(("down", "Elm"), ("j", "Yew"), ("down", "Yew"), ("up", "Elm"), ("k", "Oak")),
            *(("end", "Yew"), ("home", "Oak"), ("pagedown", "Yew"), ("pageup", "Oak")),
            *(("right", "Ash"), ("l", None), ("right", None), ("left", "Ash"), ("h", "Oak")),
        ]:
            await user.press(key)
            assert user.selected == selected, key


async def test_moves_a_card(run):
    async with run() as user:
        for key, shown in [
            ("shift+down", [["Elm", "Oak", "Yew"], ["Ash"], []]),
            ("J", [["Elm", "Yew", "Oak"], ["Ash"], []]),
            ("K", [["Elm", "Oak", "Yew"], ["Ash"], []]),
            ("shift+up", START),
            ("shift+right", [["Elm", "Yew"], ["Oak", "Ash"], []]),
            ("L", [["Elm", "Yew"], ["Ash"], ["Oak"]]),
            ("shift+left", [["Elm", "Yew"], ["Oak", "Ash"], []]),
            ("H", START),
        ]:
            await user.tap(key)
            assert (user.shown, user.selected) == (shown, "Oak"), key
        assert not user.toasts


async def test_keys_are_performed_in_their_order(run):
    """Also if each is pressed before the one before it has ended."""
    async with run() as user:
        await user.pilot.press("L", "L", "J", "d", "u", "u", "ctrl+y", "n")
        await user.until(lambda: user.top == "Editor")
        await user.tap("escape")
        assert user.shown == [["Elm", "Yew"], ["Ash"], ["Oak"]]


async def test_adds(run, path):
    async with run() as user:
        await user.press("n")
        assert "New card in To do" in "\n".join(user.dialog())
        await user.type("Fir")
        await user.tap("enter")
        id = user.selected
        assert user.shown == [["Oak", id, "Elm", "Yew"], ["Ash"], []]
        assert user.board.card.title == "Fir"
        await user.press("right", "right", "n")
        await user.type("Box")
        await user.tap("enter")
        assert len(user.shown[2]) == 1
    with open_store(path) as store:
        assert store.state["cards"][id] == {"title": "Fir", "notes": ""}


async def test_a_card_needs_a_title(run):
    async with run() as user:
        await user.press("n", "space", "enter")
        assert user.last_toast == "A title must not be empty."
        assert user.top == "Editor"
        await user.tap("escape")
        assert user.shown == START


async def test_edits(run):
    async with run() as user:
        await user.press("enter")
        await user.type(" tree")
        await user.press("tab")
        await user.type("tall")
        await user.tap("ctrl+s")
        assert user.board.card == ("Oak", "Oak tree", "tall")
        assert "tall" in "\n".join(user.screen)
        await user.tap("u")
        assert user.board.card == ("Oak", "Oak", "")


async def test_an_edit_without_a_change_is_no_step(run, path):
    async with run() as user:
        number = user.app.store.history.present
        await user.tap("enter", "enter")
        assert user.app.store.history.present == number


async def test_deletes_and_undoes(run):
    async with run() as user:
        await user.tap("down", "d")
        assert user.shown == [["Oak", "Yew"], ["Ash"], []]
        assert user.selected == "Yew"
        assert user.last_toast == 'Deleted "Elm". Press u to undo.'
        await user.tap("right", "ctrl+z")
        assert user.shown == START
        assert user.selected == "Elm"
        assert user.last_toast == "Undone: deleted a card."
        await user.tap("ctrl+y")
        assert user.shown == [["Oak", "Yew"], ["Ash"], []]
        await user.tap("u", "U")
        assert user.last_toast == "Redone: deleted a card."


async def test_undo_goes_back_to_the_start(run):
    async with run() as user:
        await user.tap(*"uuuu")
        assert user.shown == [[], [], []]
        assert not user.keys["Undo"]
        assert user.keys["Redo"]
        await user.tap(*"UUUU")
        assert user.shown == START
        assert not user.keys["Redo"]


async def test_keys_without_a_card(run):
    async with run(fill=lambda store: None) as user:
        assert (user.keys["Edit"], user.keys["Delete"], user.keys["Add"]) == (False, False, True)
        await user.tap("d", "enter", "L", "J", "down", "end")
        assert user.shown == [[], [], []]
        assert user.top == "BrowseScreen"


async def test_searches(run):
    async with run() as user:
        await user.press("slash", "e")
        assert user.shown == [["Elm", "Yew"], [], []]
        assert "2 of 3" in user.screen[1]
        assert "nothing found" in user.screen[2]
        await user.press("down", "enter")
        assert user.selected == "Yew"
        await user.tap("L")
        assert user.shown == [["Elm"], ["Yew"], []]
        await user.press("escape")
        assert user.shown == [["Oak", "Elm"], ["Ash", "Yew"], []]
        assert not user.app.browse.find.display


async def test_searches_notes(run):
    async with run() as user:
        await user.press("enter", "tab")
        await user.type("evergreen")
        await user.tap("ctrl+s")
        await user.press("slash")
        await user.type("GREEN")
        assert user.shown == [["Oak"], [], []]


async def test_a_new_card_ends_the_search_that_hides_it(run):
    async with run() as user:
        await user.press("slash", "e", "enter", "n")
        await user.type("Fir")
        await user.tap("enter")
        await user.until(lambda: len(user.shown[0]) == 4)
        assert user.board.card.title == "Fir"
        assert user.app.browse.find.value == ""


async def test_columns(run):
    async with run() as user:
        await user.press("right", "c")
        await user.type("Review")
        await user.tap("enter")
        titles = [column.title for column in user.board.shown.columns]
        assert titles == ["To do", "Doing", "Review", "Done"]
        assert user.board.column.title == "Review"
        await user.press("r")
        await user.type("ed")
        await user.tap("enter")
        assert user.board.column.title == "Reviewed"
        await user.tap("D")
        assert len(user.board.shown.columns) == 3
        await user.tap("u", "u")
        assert user.board.column.title == "Review"


async def test_a_column_with_cards_is_not_deleted(run):
    async with run() as user:
        await user.tap("D")
        assert user.last_toast == 'the column "To do" has cards; move or remove them first'
        assert user.shown == START


async def test_help(run):
    async with run() as user:
        await user.press("question_mark")
        shown = user.dialog()
        for key in ("hjkl", "shift+", "home end", "enter", "undo, redo", "q  "):
            assert any(key in line for line in shown), key
        await user.press("escape")
        assert user.top == "BrowseScreen"


async def test_quits(run, path):
    async with run() as user:
        await user.pilot.press("d", "q")
        await user.until(lambda: not user.app.is_running)
    with open_store(path) as store:
        assert "Oak" not in store.state["cards"]
