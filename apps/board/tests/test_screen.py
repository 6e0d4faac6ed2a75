"""The layout on screens of several sizes."""

import pytest
from conftest import add

SIZES = [(24, 10), (40, 12), (60, 16), (80, 24), (200, 50)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
async def test_everything_is_in_view(run, size):
    """Columns that do not fit are left and right of the view."""
    async with run(size) as user:
        width = size[0]
        top = user.screen[user.board.region.y]
        titles = [title for title in ("To do", "Doing", "Done") if title in top]
        assert titles == ["To do", "Doing", "Done"][: max(1, min(3, width // 24))]
        assert ("›" in "".join(user.screen)) == (len(titles) < 3)
        user.cell_of("Oak")
        await user.press("right", "right")
        assert "Done" in user.screen[user.board.region.y]
        assert ("‹" in "".join(user.screen)) == (len(titles) < 3)
        lines = user.text_of(user.board)
        assert lines[0].strip()[0] + lines[0].strip()[-1] == "╭╮"
        assert lines[-1].strip()[0] + lines[-1].strip()[-1] == "╰╯"
        await user.press("n")
        user.check_whole(user.app.screen.title_input)
        await user.press("escape", "question_mark")
        assert user.dialog()


async def test_long_texts_are_cut(run):
    def fill(store):
        add(store, "a", title="word " * 40, notes="first line " * 9 + "\nsecond line")
        add(store, "b", title="x" * 200)

    async with run(fill=fill) as user:
        lines = [line[3:24].rstrip(" │") for line in user.screen[2:10]]
        assert lines[:2] == ["word word word word"] * 2
        assert lines[2].startswith("word word")
        assert lines[2].endswith("…")
        assert lines[3].startswith("first line")
        assert lines[3].endswith("…")
        assert lines[4:7] == ["", "x" * 20, "x" * 20]
        assert lines[7] == "x" * 19 + "…"


async def test_control_characters_and_wide_ones(run):
    def fill(store):
        add(store, "a", title="a\x1b[31mb\u202ec")
        add(store, "b", title="東京の木" * 8)

    async with run(fill=fill) as user:
        assert "a�[31mb�c" in "\n".join(user.screen)
        await user.press("down", "enter")
        assert user.top == "Editor"


async def test_a_large_board(run):
    def fill(store):
        cards = ({"id": str(n), "column": "todo", "title": f"Tree {n}"} for n in range(1000))
        store.dispatch_batch({"type": "board/added", "payload": card} for card in cards)

    async with run(fill=fill) as user:
        await user.press("end")
        assert user.selected == "999"
        user.cell_of("Tree 999")
        assert "↑ 99" in user.screen[1]


async def test_the_theme(run):
    async with run() as user:
        dark = user.app.export_screenshot()
        user.app.theme = "textual-light"
        await user.until(lambda: "#d0d0d0" in user.app.export_screenshot().lower())
        assert dark.count("#2d2d2d") > user.app.export_screenshot().count("#2d2d2d")


async def test_a_tiny_terminal(run):
    async with run(size=(10, 5)) as user:
        await user.press("n", "x", "escape", "question_mark", "escape", "L", "J", "slash", "escape")
        await user.pilot.resize_terminal(1, 1)
        await user.pilot.resize_terminal(80, 24)
        user.cell_of("Oak")
