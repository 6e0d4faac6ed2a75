"""Undo, by actions that take changes back."""

import pytest

ADD = "ui/animalEditor/onTapAddAnimalButton"
UPDATE = "ui/animalEditor/onTapUpdateAnimalButton"
DELETE = "ui/animalDetail/onTapDeleteSelectedAnimalButton"
UNREACHABLE = "no response from http://animals.test:"


@pytest.fixture
def undo(server):
    """Presses a key and waits until the server has made the change."""

    async def undo(user, key="u"):
        name = "Undo" if key in ("u", "ctrl+z") else "Redo"
        await user.until(lambda: user.keys[name])
        await user.press(key)
        await user.until(lambda: user.keys["Undo"] or user.keys["Redo"])

    return undo


async def test_a_deletion(run, server, undo):
    async with run() as user:
        await user.until_fetched()
        assert user.keys["Undo"] is user.keys["Redo"] is False
        newt = server.animals["Newt"]
        await user.press("right", "d", "y")
        await user.until(lambda: "Newt" not in server.animals)
        await user.press("left", "end")
        await undo(user)
        # It has a new id, and is shown.
        await user.until(lambda: user.detail[:1] == ["Newt"])
        (added,) = [each for each in server.animals.values() if each["name"] == "Newt"]
        assert added["animalId"] != "Newt"
        assert {**added, "animalId": "Newt"} == newt
        assert user.keys["Undo"] is False
        await undo(user, "U")
        assert added["animalId"] not in server.animals
        await undo(user, "ctrl+z")
        await undo(user, "ctrl+y")
        assert all(each["name"] != "Newt" for each in server.animals.values())
        assert server.seen.count(ADD) == 2
        assert server.seen.count(DELETE) == 3


async def test_an_update_and_a_deletion_of_one_animal(run, server, undo):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "e", "s", "ctrl+s")
        await user.until(lambda: user.top == "BrowseScreen" and user.detail[0] == "Newts")
        await user.press("d", "y")
        await user.until(lambda: "Newt" not in server.animals)
        await undo(user)
        await undo(user)
        # Of the animal that was added again, by its new id.
        await user.until(lambda: user.detail[:1] == ["Newt"])
        assert not user.keys["Undo"]
        await undo(user, "U")
        await user.until(lambda: user.detail[:1] == ["Newts"])
        await undo(user, "U")
        await user.until(lambda: not user.keys["Redo"])
        assert len(server.animals) == 5


async def test_an_addition(run, server, undo):
    async with run() as user:
        await user.until_fetched()
        await user.press("a")
        await user.type("Olm")
        await user.press("tab", "enter", "down", "enter", "ctrl+s")
        await user.until(lambda: user.top == "BrowseScreen" and user.detail[:1] == ["Olm"])
        await undo(user)
        await user.until(lambda: user.animals == ["● Newt Carnivore"])
        await undo(user, "U")
        await user.until(lambda: user.detail[:1] == ["Olm"])
        assert len(server.animals) == 7


async def test_a_new_change_drops_what_was_undone(run, server, undo):
    async with run() as user:
        await user.until_fetched()
        for letter in "xy":
            await user.press("right", "e", letter, "ctrl+s")
            await user.until(lambda: user.top == "BrowseScreen")
        await undo(user)
        await user.until(lambda: user.keys["Undo"] and user.keys["Redo"])
        await user.press("right", "e", "z", "ctrl+s")
        await user.until(lambda: user.top == "BrowseScreen" and user.detail[0] == "Newtxz")
        await user.until(lambda: not user.keys["Redo"])
        await undo(user)
        await undo(user)
        await user.until(lambda: user.detail[0] == "Newt")


async def test_a_failed_undo_can_be_tried_again(run, server, undo):
    async with run() as user:
        await user.until_fetched()
        # A change that failed is no step.
        server.errors.append("no")
        await user.press("right", "d", "y")
        await user.until(lambda: user.toasts)
        assert not user.keys["Undo"]
        await user.press("d", "y")
        await user.until(lambda: user.keys["Undo"])
        server.errors.append("no room")
        await user.press("u")
        await user.until(lambda: len(user.toasts) == 2)
        assert user.toasts[1] == ("The change was not undone", f"{UNREACHABLE} no room")
        await undo(user)
        await user.until(lambda: user.detail[:1] == ["Newt"])


async def test_one_after_the_other(run, server, undo):
    async with run() as user:
        await user.until_fetched()
        for letter in "xy":
            await user.press("right", "e", letter, "ctrl+s")
            await user.until(lambda: user.top == "BrowseScreen")
        await user.until(lambda: user.keys["Undo"])
        server.hold()
        await user.press("u", "u", "U")
        assert user.keys["Undo"] is user.keys["Redo"] is False
        assert user.status == "Waiting until this animal is saved…"
        server.release()
        await user.until(lambda: user.keys["Redo"])
        assert user.detail[0] == "Newtx"
        assert server.seen.count(UPDATE) == 3


async def test_while_another_change_of_the_animal_is_in_progress(run, server, undo):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "e", "x", "ctrl+s")
        await user.until(lambda: user.top == "BrowseScreen")
        await user.until(lambda: user.keys["Undo"])
        server.hold()
        await user.press("e", "y", "ctrl+s", "escape", "u")
        assert server.seen.count(UPDATE) == 2
        server.release()
        await user.until(lambda: user.detail[0] == "Newtxy")
        await undo(user)
        await user.until(lambda: user.detail[0] == "Newtx")


async def test_an_animal_that_others_have_deleted(run, server, undo):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "e", "x", "ctrl+s")
        await user.until(lambda: user.top == "BrowseScreen")
        await user.until(lambda: user.keys["Undo"])
        server.send(deleteAnimal={"animal": server.animals["Newt"]})
        await user.until(lambda: not user.detail)
        await user.press("u")
        assert [message for _, message in user.toasts] == ['there is no animal "Newt"']
        assert user.keys["Undo"] is user.keys["Redo"] is False


async def test_the_sample_data_begins_anew(run, server, undo):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "d", "y")
        await user.until(lambda: user.keys["Undo"])
        await user.press("ctrl+r", "y")
        await user.until(lambda: not user.keys["Undo"])
        assert len(server.animals) == 6
