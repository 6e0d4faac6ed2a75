"""The layout on screens of three sizes, on which nothing is cut off."""

import pytest

SIZES = [(60, 16), (80, 24), (100, 30)]
at_all_sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))

COMMANDS = ["/ Find", "←→ Day", "r Fetch", "s Sort", "d Delete", "uU Undo", "q Quit"]


@at_all_sizes
async def test_browses(run, size):
    async with run(size) as user:
        await user.refresh()
        browse = user.browse
        await user.check_footer(*COMMANDS)
        assert user.screen[-2] == " Ready"
        bar = user.text_of(browse.days)[0].split()
        assert bar == ["◀", "Sat", "21", "Nov", "2026", "▶", "Today", "Go", "to…", "UTC"]
        rows = [line.strip() for line in user.text_of(browse.quakes.list)]
        for row, (time, magnitude, place) in zip(rows, user.quakes):
            assert row.startswith(f"{time}   {magnitude}  {place[:8]}")
        assert user.text_of(browse.quakes.head) == ["Time▼     Mag.  Place"]
        shown = user.text_of(browse.map)
        assert "◉" in "".join(shown)
        width, height = browse.map.size
        columns, lines = browse.map.extent
        assert columns == width or lines == height
        assert 3 * (lines - 1) < columns <= 8 * lines
        if size != (60, 16):
            assert user.screen[0].split(" ", 2)[2].strip() == "Quakes — stand-in"
            user.check_whole(browse.quakes.button)
            assert user.text_of(browse.detail)[1].strip().endswith("UTC")


@at_all_sizes
async def test_dialogs(run, size):
    async with run(size) as user:
        await user.refresh()
        await user.press("r")
        title, *text, _ = [line for line in user.dialog() if line]
        assert title == f"╭─ Get the quakes of {'─' * 34}╮"
        assert text == ["The last hour", "The last day", "The last week", "The last month"]
        await user.check_footer("esc Cancel")

        await user.press("escape", "g", "x", "enter")
        user.dialog()
        dialog = user.app.screen
        user.check_whole(dialog.input, dialog.message, *dialog.query("Button"))
        await user.check_footer("esc Cancel")

        await user.press("escape", "D")
        user.dialog()
        user.check_whole(user.app.screen.question, *user.app.screen.query("Button"))


@at_all_sizes
async def test_shows_a_failure(run, server, size):
    server.fault = "html"
    async with run(size) as user:
        await user.refresh()
        user.check_whole(user.browse.status)
