"""Browsing: the contents of the panes, and the selection."""

import pytest

APPEARED = ["ui/categoryList/onAppear", "ui/animalList/onAppear"]


async def test_shows_the_first_category(run, server):
    async with run() as user:
        await user.until_fetched()
        assert user.categories == ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"]
        assert user.animals == ["● Newt Carnivore"]
        assert user.detail == ["Newt", "Category", "Amphibian", "Diet", "●", "Carnivore"]
        assert user.status == "Ready"
        assert server.seen == APPEARED


async def test_each_pane_shows_the_selection_of_the_previous_one(run):
    async with run() as user:
        await user.until_fetched()
        await user.press("down", "down", "down", "down")
        assert user.animals == [
            "● Cat Carnivore",
            "● Dog Carnivore",
            "● Red kangaroo Herbivore",
            "● Southern gibbon Herbivore",
        ]
        assert user.detail[0] == "Cat"
        await user.press("enter", "end")
        assert user.detail[:2] == ["Southern", "gibbon"]
        await user.press("left", "home")
        assert user.detail[0] == "Newt"


async def test_the_mouse_selects(run):
    async with run() as user:
        await user.until_fetched()
        await user.click("#categories Rows", offset=(2, 4))
        assert user.detail[0] == "Cat"
        await user.click("#animals Rows", offset=(2, 2))
        assert user.detail[:2] == ["Red", "kangaroo"]
        assert user.top == "BrowseScreen"


async def test_animals_are_fetched_when_a_category_is_selected(run, server):
    server.hold()
    async with run() as user:
        await user.until(lambda: user.status == "Waiting for the categories…")
        assert user.categories == "Waiting for the categories…"
        assert user.animals == "Choose a category to see its animals."
        assert server.store.state["animals"].get("status") is None
        server.release()
        await user.until_fetched()
        assert server.seen == APPEARED


async def test_an_empty_category(run):
    async with run() as user:
        await user.until_fetched()
        await user.press("end")
        assert user.animals == "There are no animals here yet. Add one."
        assert user.detail == []
        assert user.keys["Edit"] is user.keys["Delete"] is False
        await user.press("right", "e", "d", "enter")
        assert user.top == "BrowseScreen"


async def test_no_categories(run, server):
    server.categories.clear()
    async with run() as user:
        await user.until(lambda: user.categories.startswith("There are no categories."))
        assert server.seen == APPEARED[:1]


async def test_shows_the_changes_of_others(run, server):
    async with run() as user:
        await user.until_fetched()
        await user.press("down", "down", "down", "down", "right", "down")
        assert user.detail[0] == "Dog"
        bat = {"animalId": "b", "name": "Bat", "diet": "Omnivore", "categoryId": "Mammal"}
        server.send(addAnimal={"animal": bat})
        await user.until(lambda: len(user.animals) == 5)
        assert user.animals[0] == "● Bat Omnivore"
        assert user.detail[0] == "Dog"
        wolf = {"animalId": "Dog", "name": "Wolf", "diet": "Carnivore", "categoryId": "Mammal"}
        server.send(updateAnimal={"animal": wolf})
        await user.until(lambda: user.detail[0] == "Wolf")
        assert user.browse.animals.list.cursor == 4


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (80, 24), (200, 60), (20, 6), (3, 2)])
async def test_fits_in_terminals_of_any_size(run, size):
    async with run() as user:
        await user.until_fetched()
        await user.pilot.resize_terminal(*size)
        await user.press("a", "escape", "d", "escape")
        panes = (user.browse.categories, user.browse.animals, user.browse.detail)
        regions = [pane.region for pane in panes]
        if size[0] >= 40 and size[1] >= 12:
            assert all(region.width > 10 and region.height > 2 for region in regions)
            assert all(region.right <= size[0] and region.bottom <= size[1] for region in regions)
            assert (regions[2].y > regions[0].y) == (size[0] < 72)


async def test_markup_and_control_characters_have_no_effect(run, server):
    for animal in server.animals.values():
        animal.update(name="[bold]\x1b[31m\tX[/]", categoryId="Bird")
    async with run() as user:
        await user.until(lambda: user.status == "Ready" and user.categories)
        await user.press("down")
        await user.until(lambda: len(user.animals) == 6)
        assert user.detail[0].startswith("[bold]")
        await user.press("d")
        shown = user.app.export_screenshot()
        assert user.app.screen.question.content == "Delete [bold]�[31m�X[/]?"
        assert "\x1b" not in shown


async def test_quits(run):
    async with run() as user:
        await user.until_fetched()
        store = user.app.store
        await user.press("q")
    assert store.closed
