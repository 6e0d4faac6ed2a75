"""What the application shows when the feed or the database fails."""

import pytest
from quakes_store import lock_database


@pytest.mark.parametrize("fault", ["cut", "text", "html", "error", "redirect"])
async def test_a_faulty_feed(run, server, fault):
    async with run() as user:
        await user.refresh()
        before = user.quakes
        server.fault = fault
        await user.refresh()
        assert user.is_failed
        assert user.status.startswith("Couldn't get the feed: ")
        assert user.status.endswith(" The stored quakes are shown.")
        assert server.url in user.status
        assert user.quakes == before
        server.fault = None
        await user.refresh()
        assert user.status == "Ready"


async def test_a_closed_port_at_the_start(run, server):
    async with run() as user:
        await user.refresh()
        before = user.quakes
    server.close()
    async with run() as user:
        assert user.quakes == before
        await user.refresh()
        assert user.status == (
            f"Couldn't get the feed: no response from {server.url}: connection refused. "
            "The stored quakes are shown."
        )
        assert user.quakes == before
        assert user.screen[0].split(" ", 2)[2].strip() == "Quakes — stand-in"


async def test_a_slow_feed(run, server):
    async with run() as user:
        server.fault = "slow"
        await user.press("r", "w")
        assert user.status == "Getting the quakes of the last week…"
        assert user.quakes == "Waiting for the quakes…"
        assert user.keys["Fetch"] is False
        await user.press("r")
        assert user.top == "BrowseScreen"
        server.fault = None
        await user.until_ready()
        assert len(user.quakes) == 100
        assert user.keys["Fetch"] is True


async def test_quakes_that_cannot_be_read(run, server):
    server.feed.features("all_day")[3]["geometry"]["coordinates"] = [1]
    async with run() as user:
        await user.refresh()
        assert len(user.quakes) == 99
        await user.until(lambda: user.toasts)
        assert user.toasts[0][1].startswith("1 quake of the feed could not be read: ")
        assert user.status == "Ready"


async def test_a_delete_that_fails(run, tmp_path):
    async with run() as user:
        await user.refresh()
        before = user.quakes
        with lock_database(tmp_path / "quakes.sqlite"):
            await user.press("d")
            assert user.quakes == before[1:]
            assert user.status == "Deleting…"
            await user.until_ready()
            assert user.quakes == before
            assert user.status.startswith(f"{before[0][2]} was not deleted: ")
            assert user.status.endswith("is locked by another program; try again later. Try again.")
            # There is nothing to restore.
            await user.press("u")
            assert user.quakes == before
        await user.press("home", "d")
        await user.until(lambda: user.status == "Ready")
        assert user.quakes == before[1:]


async def test_loading_a_damaged_database_again(run, tmp_path):
    path = tmp_path / "quakes.sqlite"
    async with run() as user:
        await user.refresh()
        before = user.quakes
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    async with run() as user:
        assert "Load" in user.keys
        assert user.status.startswith("Couldn't load the stored quakes: ")
        assert user.status.endswith(" Press l to load them again.")
        path.write_bytes(content)
        await user.press("l")
        await user.until_ready()
        assert user.quakes == before
        assert user.status == "Ready"
        assert "Load" not in user.keys
