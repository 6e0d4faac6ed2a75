"""The legacy screen, beside the screens of the store."""

from textual.widgets import Select


async def open_editor(user, order_id="Order#1217"):
    await user.choose(order_id)
    await user.press("e")
    await user.until(lambda: user.top == "DonutEditor")
    return user.app.screen


async def test_a_new_name_shows_at_once(run, model):
    async with run() as user:
        editor = await open_editor(user)
        donut = editor.donut
        old = donut.name
        assert f"× {old}\n" in user.order
        await user.type(" 2")
        assert donut.name == f"{old} 2"
        assert f"× {old} 2\n" in user.order
        assert any(f"× {old} 2" in line for line in user.screen)
        # The order of the model has a copy, which stays as it was.
        copies = [each for each in model.order("Order#1217").donuts if each.id == donut.id]
        assert [each.name for each in copies] == [old]


async def test_new_ingredients_show_at_once(run):
    async with run() as user:
        editor = await open_editor(user)
        editor.dough_select.value = "lemonade"
        editor.glaze_select.value = "spicy"
        editor.topping_select.value = "starSprinkles"
        await user.until(lambda: "\nLemonade, Spicy Spread, Star Sprinkles" in user.order)
        editor.glaze_select.value = Select.NULL
        editor.topping_select.value = Select.NULL
        await user.until(lambda: "\nLemonade\n" in f"{user.order}\n")
        assert (editor.donut.glaze, editor.donut.topping) == (None, None)


async def test_chooses_an_ingredient_by_keys(run):
    async with run() as user:
        editor = await open_editor(user)
        await user.press("tab", "enter", "home", "enter")
        assert editor.donut.dough == "blueberry"
        assert "\nBlueberry Dough" in user.order


async def test_another_donut(run, model):
    async with run() as user:
        editor = await open_editor(user)
        editor.donut_select.value = 16
        await user.until(lambda: editor.donut.name == "Nighttime")
        assert editor.name_input.value == "Nighttime"
        assert editor.dough_select.value == "chocolate"
        editor.name_input.value = "Midnight"
        await user.until(lambda: model.donuts[16].name == "Midnight")
        await user.press("escape")
        assert user.top == "BrowseScreen"
        await user.press("slash")
        await user.type("midnight")
        with_16 = [order.id for order in model.orders if 16 in order.sales]
        assert sorted(user.ids) == sorted(int(id[len("Order#") :]) for id in with_16)


async def test_only_a_change_is_an_edit(run, model):
    """Opening, looking around and closing leave the donuts as they are."""
    published = []
    async with run() as user:
        before = [vars(donut).copy() for donut in model.donuts]
        model.subscribe(lambda orders: None, published.append)
        published.clear()
        editor = await open_editor(user)
        editor.donut_select.value = 15
        await user.until(lambda: editor.donut.id == 15)
        await user.press("escape")
        assert [vars(donut) for donut in model.donuts] == before
        assert published == []


async def test_an_empty_name(run):
    async with run() as user:
        editor = await open_editor(user)
        editor.name_input.value = ""
        await user.until(lambda: "× (no name)\n" in user.order)


async def test_an_order_without_donuts_in_the_menu(run, model):
    async with run() as user:
        await user.choose("Order#1217")
        model.donuts.clear()
        model.publish_donuts()
        await user.settle()
        assert user.order.endswith("no donuts")
        assert not user.keys["Edit"]
        await user.press("e")
        assert user.top == "BrowseScreen"


async def test_the_edits_of_a_donut_are_undone_together(run, model):
    async with run() as user:
        editor = await open_editor(user)
        id, old = editor.donut.id, editor.donut.name
        await user.type(" 2")
        editor.dough_select.value = "lemonade"
        await user.until(lambda: f"× {old} 2\nLemonade, " in user.order)
        await user.press("escape", "u")
        assert f"× {old}\n" in user.order
        assert not user.keys["Undo"]
        await user.press("U")
        assert f"× {old} 2\nLemonade, " in user.order
        # It edits the donut that the model has now.
        editor = await open_editor(user)
        await user.type("3")
        assert [each.name for each in model.donuts if each.id == id] == [f"{old} 23"]
        await user.press("escape", "u", "u")
        assert f"× {old}\n" in user.order
