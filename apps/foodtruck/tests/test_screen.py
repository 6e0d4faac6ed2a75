"""The layout on screens of several sizes, on which nothing is cut off."""

import re

import pytest

SIZES = [(40, 12), (60, 16), (80, 24), (200, 50)]
at_all_sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
COMMANDS = ["n Step", "c Complete", "e Edit", "a Add", "uU Undo", "/ Find", "s Sort", "q Quit"]


@at_all_sizes
async def test_browses(run, size):
    async with run(size) as user:
        await user.choose("Order#1217")
        width = size[0]
        browse = user.browse
        await user.check_footer(*(COMMANDS if width >= 80 else COMMANDS[:3]))
        rows = [line.strip() for line in user.text_of(browse.orders.list)]
        assert any(row.startswith("Order#1217 placed") for row in rows)
        assert user.text_of(browse.orders.head)[0].startswith("Order      Status▼")
        order = user.text_of(browse.order)
        assert any("Order#1217  placed" in line for line in order)
        if width >= 80:
            assert "Placed▼₂" in user.text_of(browse.orders.head)[0]
            assert all(re.search(r" \d\d:\d\d", row) for row in rows if row)
            user.check_whole(*browse.query("Button"))
            assert user.screen[0].strip(" ≡") == "Food truck — today"
            assert len(user.text_of(browse.newest)) == 7
        await user.tap("n")
        assert user.text_of(browse.banner)[0].startswith(" Preparing Order#1217, ")


@at_all_sizes
async def test_the_legacy_screen(run, size):
    """It leaves the order in view where there is room."""
    async with run(size) as user:
        await user.choose("Order#1217")
        await user.press("e")
        await user.until(lambda: user.top == "DonutEditor")
        dialog = user.app.screen.query_one(".dialog")
        shown = "\n".join(user.text_of(dialog))
        for text in ["Edit the donuts", "Donut", "Name", "Dough", "Glaze", "Topping"]:
            assert text in shown
        await user.check_footer("esc Close")
        if size[0] >= 80:
            assert dialog.region.right < user.browse.order.region.x + 1
