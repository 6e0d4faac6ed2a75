"""The editor: what it saves, when it can save, and when it closes."""

import uuid

import pytest

UNREACHABLE = "no response from http://animals.test:"
ADD = "ui/animalEditor/onTapAddAnimalButton"
UPDATE = "ui/animalEditor/onTapUpdateAnimalButton"


def can_save(user):
    editor = user.app.screen
    assert user.keys["Save"] is editor.can_save is not editor.save_button.disabled
    return editor.can_save


def message(user):
    return str(user.app.screen.message.content)


async def test_adds(run, server):
    stream = None
    async with run() as user:
        await user.until_fetched()
        stream = server.store.stream(types=["ui/animalEditor/*"])
        await user.press("down", "a")
        assert user.top == "Editor"
        await user.type("Bald Eagle")
        await user.press("tab", "enter", "down", "down", "enter", "ctrl+s")
        await user.until(lambda: user.top == "BrowseScreen")
        assert user.animals == ["● Bald Eagle Carnivore", "● House sparrow Omnivore"]
        assert user.detail[:2] == ["Bald", "Eagle"]
        action = stream.next(timeout=1).action
        payload = action["payload"].to_python()
        assert action["type"] == ADD
        assert str(uuid.UUID(payload.pop("id"))) not in server.animals
        assert payload == {"name": "Bald Eagle", "diet": "Carnivore", "categoryId": "Bird"}


async def test_updates_and_selects_the_animal(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "enter")
        assert user.top == "Editor"
        await user.press("ctrl+u")
        await user.type("Olm")
        await user.press("tab", "tab", "enter", "down", "enter", "tab", "tab", "enter")
        await user.until(lambda: user.top == "BrowseScreen")
        await user.until(lambda: len(user.animals) == 2)
        assert server.animals["Newt"] == {
            "animalId": "Newt",
            "name": "Olm",
            "diet": "Carnivore",
            "categoryId": "Bird",
        }
        assert user.detail == ["Olm", "Category", "Bird", "Diet", "●", "Carnivore"]


async def test_can_save_when_complete(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("a")
        assert not can_save(user)
        await user.press("tab", "enter", "down", "enter", "shift+tab")
        assert not can_save(user)
        await user.type("X")
        assert can_save(user)
        await user.press("tab", "tab", "enter", "home", "enter")
        assert user.app.screen.category_select.is_blank()
        assert not can_save(user)
        await user.press("ctrl+s")
        assert ADD not in server.seen
        await user.press("enter", "end", "enter")
        assert can_save(user)
        await user.press("shift+tab", "enter", "home", "enter")
        assert not can_save(user)


async def test_saves_only_once(run, server):
    async with run() as user:
        await user.until_fetched()
        server.hold()
        await user.press("right", "e")
        await user.type("s")
        await user.press("ctrl+s", "ctrl+s", "ctrl+s")
        assert not can_save(user)
        assert message(user) == "Saving…"
        server.release()
        await user.until(lambda: user.top == "BrowseScreen")
        assert server.seen.count(UPDATE) == 1
        assert user.animals == ["● Newts Carnivore"]


async def test_a_failure_is_shown_and_can_be_retried(run, server):
    async with run() as user:
        await user.until_fetched()
        server.errors.append("no room")
        await user.press("right", "e")
        await user.type("s")
        await user.press("ctrl+s")
        failure = f"It was not saved: {UNREACHABLE} no room."
        await user.until(lambda: message(user) == failure)
        assert can_save(user)
        await user.press("ctrl+s")
        await user.until(lambda: user.top == "BrowseScreen")
        assert user.animals == ["● Newts Carnivore"]


async def test_an_earlier_failure_is_not_its_own(run, server):
    async with run() as user:
        await user.until_fetched()
        server.errors.append("no connection")
        await user.press("right", "d", "y")
        await user.until(lambda: user.toasts)
        await user.press("e")
        assert (user.top, message(user)) == ("Editor", "")
        assert can_save(user)


async def test_opens_again_after_a_save(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("right")
        for letter in "abc":
            await user.press("e", letter, "ctrl+s")
            await user.until(lambda: user.top == "BrowseScreen")
        await user.until(lambda: user.animals == ["● Newtabc Carnivore"])


@pytest.mark.parametrize("key", ["escape", "cancel"])
async def test_cancels(run, server, key):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "e", "x")
        await (user.press(key) if key == "escape" else user.click("#cancel"))
        assert user.top == "BrowseScreen"
        assert UPDATE not in server.seen
        assert user.animals == ["● Newt Carnivore"]


async def test_reports_a_failure_after_being_cancelled(run, server):
    async with run() as user:
        await user.until_fetched()
        server.hold()
        server.errors.append("[no] room")
        await user.press("right", "e", "s", "ctrl+s", "escape")
        assert user.status == "Waiting until this animal is saved…"
        assert user.keys["Edit"] is user.keys["Delete"] is False
        server.release()
        await user.until(lambda: user.toasts)
        assert user.toasts == [("Newts was not saved", f"{UNREACHABLE} [no] room")]
        assert user.status == f"This animal was not saved: {UNREACHABLE} [no] room. Try again."
        assert user.keys["Edit"] is user.keys["Delete"] is True


async def test_changes_of_others_neither_close_it_nor_change_the_input(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "e", "s")
        server.send(updateAnimal={"animal": dict(server.animals["Newt"], name="Olm")})
        await user.until(lambda: user.detail[0] == "Olm")
        assert user.top == "Editor"
        assert user.app.screen.name_input.value == "Newts"


async def test_adds_an_animal_that_was_deleted_meanwhile(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "e")
        server.send(deleteAnimal={"animal": server.animals["Newt"]})
        await user.until(lambda: not user.detail)
        assert message(user) == "This animal was deleted. Save adds it again."
        assert ADD not in server.seen
        await user.press("ctrl+s")
        await user.until(lambda: user.top == "BrowseScreen")
        assert server.seen[-1] == ADD
        await user.until(lambda: user.animals == ["● Newt Carnivore"])


async def test_closes_when_it_is_no_longer_covered(run, server):
    async with run() as user:
        await user.until_fetched()
        server.hold()
        await user.press("right", "e", "s", "ctrl+s", "ctrl+p")
        assert user.top == "CommandPalette"
        server.release()
        await user.until(lambda: user.detail[0] == "Newts")
        await user.press("escape")
        await user.until(lambda: user.top == "BrowseScreen")
