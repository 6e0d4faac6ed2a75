"""Deleting and reloading, with delays and failures."""

import immutabledata as imd

UNREACHABLE = "no response from http://animals.test:"


async def test_deletes(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("down", "down", "down", "down", "right", "down", "d")
        assert user.top == "Confirmation"
        await user.press("enter")
        assert user.top == "BrowseScreen"
        assert len(user.animals) == 4
        await user.press("d", "y")
        await user.until(lambda: len(user.animals) == 3)
        assert "Dog" not in server.animals
        assert user.detail[:2] == ["Red", "kangaroo"]
        await user.press("delete", "right", "enter")
        await user.until(lambda: len(user.animals) == 2)
        assert user.detail[:2] == ["Southern", "gibbon"]


async def test_deletes_the_last_animal(run):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "d", "y")
        await user.until(lambda: user.animals == "There are no animals here yet. Add one.")
        assert user.detail == []
        assert user.status == "Ready"
        assert user.app.focused is user.browse.animals.list


async def test_shows_a_delete_in_progress(run, server):
    async with run() as user:
        await user.until_fetched()
        server.hold()
        await user.press("right", "d", "y")
        assert user.status == "Waiting until this animal is deleted…"
        assert user.keys["Edit"] is user.keys["Delete"] is False
        assert user.browse.detail.edit.disabled
        assert user.browse.detail.delete.disabled
        await user.press("d", "e")
        assert user.top == "BrowseScreen"
        server.release()
        await user.until(lambda: not user.detail)


async def test_a_failed_delete(run, server):
    async with run() as user:
        await user.until_fetched()
        server.errors.append("no connection")
        await user.press("right", "d", "y")
        await user.until(lambda: user.toasts)
        assert user.toasts == [("Newt was not deleted", f"{UNREACHABLE} no connection")]
        assert (
            user.status == f"This animal was not deleted: {UNREACHABLE} no connection. Try again."
        )
        await user.press("d", "y")
        await user.until(lambda: not user.detail)
        assert len(user.toasts) == 1


async def test_deleting_an_animal_that_was_deleted_meanwhile(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "d")
        server.send(deleteAnimal={"animal": server.animals["Newt"]})
        await user.until(lambda: not user.detail)
        await user.press("y")
        assert [message for _, message in user.toasts] == ['there is no animal "Newt"']


async def test_reloads(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "d", "y")
        await user.until(lambda: not user.detail)
        server.hold()
        await user.press("ctrl+r", "y")
        assert user.status == "Waiting for the categories and the animals…"
        assert user.keys["Reload"] is user.keys["Add"] is False
        assert user.browse.categories.button.disabled
        assert user.browse.animals.button.disabled
        assert user.animals == "Waiting for the animals…"
        await user.press("ctrl+r", "a")
        assert user.top == "BrowseScreen"
        server.release()
        await user.until_fetched()
        assert user.status == "Ready"
        assert user.keys["Reload"] is user.keys["Add"] is True


async def test_does_not_reload_without_confirmation(run, server):
    async with run() as user:
        await user.until_fetched()
        for keys in (["n"], ["escape"], ["enter"], ["right", "left", "enter"]):
            await user.press("ctrl+r", *keys)
            assert user.top == "BrowseScreen"
        await user.click("#categories Button")
        await user.click("#cancel")
        assert "ui/categoryList/onTapReloadSampleDataButton" not in server.seen


async def test_retries_failed_fetches(run, server):
    server.errors += ["no connection", "still none"]
    async with run() as user:
        failed = f"Couldn't load categories: {UNREACHABLE} no connection. Press r to try again."
        await user.until(lambda: user.status == failed)
        assert user.categories == "Couldn't load categories."
        await user.press("r")
        await user.until(lambda: "still none" in user.status)
        assert user.keys["Retry"] is True
        await user.press("r")
        await user.until_fetched()
        assert len(server.stores) == 3
        assert [store.closed for store in server.stores] == [True, True, False]
        assert "Retry" not in user.keys
        assert user.status == "Ready"
        await user.press("r")
        assert len(server.stores) == 3


async def test_shows_a_lost_connection_until_there_is_one_again(run, server):
    async with run() as user:
        await user.until_fetched()
        assert user.status == "Ready"
        server.cut("connection reset")
        await user.until(lambda: user.status.startswith("No connection since "))
        assert user.status.endswith(f", trying again: {UNREACHABLE} connection reset")
        # A failure meanwhile is reported, and is not shown after the connection is restored.
        server.errors.append("still none")
        await user.press("right", "d", "y")
        await user.until(lambda: user.toasts)
        assert user.status.startswith("No connection since ")
        server.animals["Newt"]["name"] = "New newt"
        await user.until(lambda: server.is_reconnecting)
        server.restore()
        await user.until(lambda: user.status == "Ready")
        assert user.animals == ["● New newt Carnivore"]


async def test_keeps_the_category_after_a_retry(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("down")
        server.errors.append("no connection")
        await user.press("ctrl+r", "y")
        await user.until(lambda: "no connection" in user.status)
        assert user.detail[0] == "House"
        await user.press("r")
        await user.until(lambda: user.status == "Ready" and user.detail)
        assert user.detail[0] == "House"


async def test_keeps_the_store_if_opening_another_fails(run, server):
    server.errors.append("no connection")
    async with run() as user:
        await user.until(lambda: "no connection" in user.status)
        user.app._open_store = lambda: imd.open("nothing")
        await user.press("r")
        assert user.toasts[0][0] == "Cannot open the animals"
        assert not server.store.closed
