"""Undo, by an action that restores quakes."""

import pytest


@pytest.mark.parametrize(("undo", "redo"), [("u", "U"), ("ctrl+z", "ctrl+y")])
async def test_a_deletion(run, undo, redo):
    async with run() as user:
        assert user.keys["Undo"] is user.keys["Redo"] is False
        await user.refresh()
        before = user.quakes
        await user.press("down", "d", "d")
        assert len(user.quakes) == 98
        await user.press(undo)
        # It is shown.
        assert user.quakes == [before[0], *before[2:]]
        assert user.browse.quakes.list.cursor == 1
        await user.press(undo)
        assert user.quakes == before
        assert user.keys["Undo"] is False
        await user.press(redo, redo)
        assert len(user.quakes) == 98
        assert user.keys["Redo"] is False
        await user.press(undo)
        await user.until_ready()
        assert user.status == "Ready"
    # The cache has them, too.
    async with run() as user:
        assert user.quakes == [before[0], *before[2:]]


async def test_all_quakes(run):
    async with run() as user:
        await user.refresh()
        before = user.quakes
        await user.press("D", "y", "u")
        assert user.quakes == before
        await user.press("U")
        assert len(user.quakes) != 100
        await user.press("u")
        await user.until_ready()
    async with run() as user:
        assert user.quakes == before


async def test_the_day_of_a_quake_is_shown(run):
    async with run() as user:
        await user.refresh()
        first = user.quakes[0]
        await user.press("d", "right")
        assert len(user.quakes) != 99
        await user.press("u")
        assert "Sat 21 Nov 2026" in user.screen[1]
        assert user.quakes[0] == first


async def test_a_newer_quake_stays(run, server):
    async with run() as user:
        await user.refresh()
        quake = user.browse.quakes.selected
        await user.press("d")
        feature = next(each for each in server.feed.features("all_day") if each["id"] == quake)
        feature["properties"]["mag"] = 9.5
        await user.refresh()
        await user.press("u")
        assert user.quakes[0][1] == "9.5"


async def test_a_new_deletion_drops_what_was_undone(run):
    async with run() as user:
        await user.refresh()
        await user.press("d", "u", "end", "d")
        assert user.keys["Redo"] is False
        await user.press("u")
        assert len(user.quakes) == 100
