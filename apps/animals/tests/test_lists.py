"""Long lists: finding as you type, and rendering only what is in view."""

import pytest

from immutabledata_animals.animals import AnimalsPane

COUNT = 10_000


@pytest.fixture
def beetles(server):
    """10,000 animals in the first category, and a newt."""
    for number in range(COUNT):
        id = f"Beetle{number}"
        diet = "Omnivore" if number % 2 else "Herbivore"
        name = f"Beetle {number:05}"
        fields = {"animalId": id, "name": name, "diet": diet, "categoryId": "Amphibian"}
        server.animals[id] = fields
    return server


@pytest.fixture
def rendered(monkeypatch):
    """The names of the animals that were rendered."""
    names = []
    original = AnimalsPane.line

    def line(self, animal):
        names.append(animal["name"])
        return original(self, animal)

    monkeypatch.setattr(AnimalsPane, "line", line)
    return names


def names(first, last):
    return [f"Beetle {number:05}" for number in range(first, last)]


async def test_renders_only_rows_in_view(run, beetles, rendered):
    async with run((80, 24)) as user:
        await user.until(lambda: user.browse.animals.list.records)
        rows = user.browse.animals.list
        height = rows.size.height
        assert height == 18
        assert 0 < len(rendered) <= 3 * height  # when it is opened, laid out and filled
        await user.press("right")

        async def check(key, *expected):
            rendered.clear()
            await user.press(key)
            await user.until(lambda: len(rendered) >= len(expected))
            assert rendered == list(expected)

        # Within the view, the old and the new position of the cursor; otherwise the whole view.
        await check("down", *names(0, 2))
        await check("down", *names(1, 3))
        await check("up", *names(1, 3))
        await check("pagedown", *names(2, 20))
        assert rows.cursor == 19
        await check("down", *names(3, 21))
        await check("end", *names(COUNT - 17, COUNT), "Newt")
        await check("end")
        await check("home", *names(0, 18))

        rendered.clear()
        beetles.send(updateAnimal={"animal": dict(beetles.animals["Beetle1"], diet="Carnivore")})
        await user.until(lambda: "Carnivore" in user.screen[3])
        assert set(rendered) == set(names(0, 18))


async def test_scrolls_without_moving_the_cursor(run, beetles, rendered):
    async with run((80, 24)) as user:
        await user.until(lambda: user.browse.animals.list.records)
        rows = user.browse.animals.list
        rendered.clear()
        rows.scroll_to(y=500, animate=False, immediate=True)
        await user.until(lambda: rendered)
        assert rendered == names(500, 518)
        assert rows.cursor == 0

        # The changes of others do not scroll back.
        rendered.clear()
        beetles.send(updateAnimal={"animal": dict(beetles.animals["Beetle501"], diet="Carnivore")})
        await user.until(lambda: "Carnivore" in user.screen[3])
        assert set(rendered) == set(names(500, 518))
        await user.click("#animals Rows", offset=(3, 4))
        assert user.detail[:2] == ["Beetle", "00504"]


async def test_finds_as_you_type(run, beetles):
    async with run((80, 24)) as user:
        await user.until(lambda: user.browse.animals.list.records)
        pane = user.browse.animals
        assert pane.border_subtitle == "10,001"
        await user.press("right", "slash")
        await user.type("0777")
        assert pane.border_subtitle == "11 of 10,001"
        assert user.detail[:2] == ["Beetle", "00777"]
        await user.press("down", "down", "up")
        assert user.detail[:2] == ["Beetle", "07770"]

        # Enter keeps what was found, and the commands apply to the list again.
        await user.press("enter", "down")
        assert user.detail[:2] == ["Beetle", "07771"]
        assert user.app.focused is pane.list
        assert pane.find.display
        await user.press("escape")
        assert pane.border_subtitle == "10,001"
        assert not pane.find.display
        assert user.detail[:2] == ["Beetle", "07771"]


async def test_finds_in_upper_and_lower_case(run):
    async with run() as user:
        await user.until_fetched()
        await user.press("slash")
        await user.type("B")
        assert user.categories == ["Amphibian", "Bird", "Invertebrate"]
        await user.type("I")
        assert user.categories == ["Amphibian", "Bird"]
        await user.press("down")
        assert user.detail[0] == "House"
        await user.press("escape")
        assert len(user.categories) == 6
        assert user.app.focused is user.browse.categories.list
        assert user.detail[0] == "House"


async def test_finds_nothing(run):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "slash")
        await user.type("cow")
        assert user.animals == 'No name contains "cow".'
        assert user.detail == []
        await user.press("backspace", "backspace", "backspace")
        assert user.detail == ["Newt", "Category", "Amphibian", "Diet", "●", "Carnivore"]
        await user.press("enter")
        assert not user.browse.animals.find.display


async def test_commands_are_letters_while_finding(run):
    async with run() as user:
        await user.until_fetched()
        user.browse.action_find()
        assert user.app.focused is user.browse.categories.find  # before the next key is read
        await user.press("home")
        letters = {"Add", "Edit", "Delete", "Find", "Quit"}
        await user.until(lambda: letters.isdisjoint(user.keys))
        await user.type("aedrq/")
        assert user.top == "BrowseScreen"
        assert user.browse.categories.find.value == "aedrq/"
        await user.press("home", "x", "end", "y")
        assert user.browse.categories.find.value == "xaedrq/y"


async def test_another_category_and_a_new_animal_end_the_search(run):
    async with run() as user:
        await user.until_fetched()
        await user.press("right", "slash", "n", "enter", "left", "down")
        assert user.animals == ["● House sparrow Omnivore"]
        assert not user.browse.animals.find.display
        await user.press("right", "slash", "h", "enter", "a")
        await user.type("Owl")
        await user.press("tab", "enter", "down", "down", "enter", "ctrl+s")
        await user.until(lambda: user.detail and user.detail[0] == "Owl")
        assert user.animals == ["● House sparrow Omnivore", "● Owl Carnivore"]
