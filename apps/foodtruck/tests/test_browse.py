"""The screens of the store: the table, the order, the card of the newest orders and the banner."""

import pytest

READY = list(range(1215, 1200, -1))
PLACED = list(range(1224, 1215, -1))


async def test_shows_the_orders_of_the_model(run, model):
    async with run() as user:
        assert user.ids == READY + PLACED
        assert user.browse.orders.border_subtitle == "24"
        pane = user.browse.orders
        for record in pane.list.records:
            order = model.order(record["id"])
            sales, total = sum(order.sales.values()), f"${order.grand_total}"
            cells = str(pane.line(record)).split()
            assert cells[:-1] == [order.id, order.status, str(sales), total]


async def test_shows_an_order(run, model):
    async with run() as user:
        await user.choose("Order#1217")
        order = model.order("Order#1217")
        lines = user.order.splitlines()
        assert lines[0] == "Order#1217  placed"
        assert lines[1].endswith(f"donuts, ${order.grand_total}")
        assert lines[2].startswith("Placed 13:")
        assert lines[3] == "Apple Park, Cupertino, 72 °F"
        names = [f"{order.sales[donut.id]} × {donut.name}" for donut in order.donuts]
        assert lines[5::2] == names


async def test_a_missing_order(run):
    async with run() as user:
        user.browse.order.order_id = "Order#9999"
        await user.pilot.pause()
        assert user.order == "The order was removed."
        buttons = user.browse.order.query("Button")
        assert all(button.disabled for button in buttons)
        enabled = user.keys
        assert not any(enabled[each] for each in ("Step", "Complete", "Edit"))
        await user.tap("n", "c", "e")
        assert (user.top, user.activities) == ("BrowseScreen", [])


async def test_an_order_that_the_model_removes(run, model):
    async with run() as user:
        await user.choose("Order#1217")
        await user.tap("n")
        model.orders.remove(model.order("Order#1217"))
        model.publish_orders()
        await user.settle()
        assert 1217 not in user.ids
        assert user.browse.order.order_id == "Order#1224"  # at the same position
        assert user.activities == [("start", "Order#1217"), ("end", "Order#1217")]
        assert user.banner is None


async def test_no_orders(run, model):
    model.orders.clear()
    async with run() as user:
        assert user.ids == "There are no orders yet. Press the a key to add one."
        assert user.order == "Choose an order to see it here."
        assert str(user.browse.newest.content) == "no orders"
        assert user.banner is None
        await user.tap("a")
        assert user.ids == [1201]
        assert user.order.startswith("Order#1201  placed")


# ---- Status ----------------------------------------------------------------------------------


async def test_prepares_and_completes_an_order(run, model):
    async with run() as user:
        await user.choose("Order#1217")
        button = user.browse.order.status_button
        assert (str(button.label), button.disabled) == ("Prepare", False)
        await user.tap("n")
        assert user.order.startswith("Order#1217  preparing")
        assert (str(button.label), button.disabled) == ("Finish", False)
        assert user.banner.startswith("Preparing Order#1217, ")
        await user.tap("n")
        assert user.order.startswith("Order#1217  completed")
        assert (str(button.label), button.disabled) == ("Done", True)
        assert not user.keys["Step"]
        assert not user.keys["Complete"]
        assert user.banner is None
        await user.tap("n", "c")
        assert user.activities == [("start", "Order#1217"), ("end", "Order#1217")]
        assert model.order("Order#1217").status == "completed"


async def test_the_status_button_of_a_ready_order(run, model):
    async with run() as user:
        await user.choose("Order#1210")
        button = user.browse.order.status_button
        assert (str(button.label), button.disabled) == ("Ready", True)
        assert not user.keys["Step"]
        assert user.keys["Complete"]
        await user.tap("n")
        assert model.order("Order#1210").status == "ready"
        await user.tap("c")
        assert model.order("Order#1210").status == "completed"
        assert user.activities == []


async def test_completes_the_marked_orders(run, model):
    async with run() as user:
        pane = user.browse.orders
        await user.choose("Order#1219")
        await user.tap("space", "space", "space")
        marked = [order["id"] for order in pane.marked_orders]
        assert marked == ["Order#1219", "Order#1218", "Order#1217"]
        assert pane.border_subtitle == "3 marked, 24"
        assert all("✓" in str(pane.line(order)) for order in pane.marked_orders)
        await user.tap("c")
        assert all(model.order(order_id).status == "completed" for order_id in marked)
        assert (pane.border_subtitle, pane.marked_orders) == ("24", [])


async def test_marks_are_removed(run):
    async with run() as user:
        pane = user.browse.orders
        await user.choose("Order#1217")
        await user.tap("space", "up", "space")
        assert (pane.marked, pane.border_subtitle) == (set(), "24")
        await user.choose("Order#1217")
        await user.tap("space", "escape")
        assert (pane.marked, pane.border_subtitle) == (set(), "24")
        # A marked order that a search hides is not completed.
        await user.choose("Order#1217")
        await user.tap("space")
        pane.find.value = "Order#1218"
        await user.tap("c")
        assert user.order.startswith("Order#1218  completed")


@pytest.mark.parametrize("cause", ["button", "key", "model"])
async def test_an_activity_ends_once(run, model, cause):
    """Whatever completes the order."""
    async with run() as user:
        await user.choose("Order#1217")
        await user.tap("n")
        if cause == "button":
            await user.pilot.click(user.browse.order.complete_button)
        elif cause == "key":
            await user.press("c")
        else:
            model.mark_order_as_completed("Order#1217")
        await user.settle()
        model.publish_orders()
        await user.settle()
        assert user.activities == [("start", "Order#1217"), ("end", "Order#1217")]


async def test_an_activity_that_the_model_starts(run, model):
    async with run() as user:
        model.mark_order_as_next_step("Order#1217")
        model.publish_orders()
        model.publish_donuts()
        await user.settle()
        assert user.activities == [("start", "Order#1217")]
        assert user.banner.startswith("Preparing Order#1217, ")


async def test_several_activities(run, model):
    async with run() as user:
        for number in (1217, 1218, 1219):
            model.mark_order_as_next_step(f"Order#{number}")
        await user.settle()
        assert user.banner.startswith("Preparing Order#1217, ")
        assert user.banner.endswith(", and 2 more")
        model.mark_order_as_completed("Order#1217")
        await user.settle()
        assert user.banner.startswith("Preparing Order#1218, ")
        assert user.banner.endswith(", and 1 more")


async def test_an_order_that_is_preparing_at_the_start(run, model):
    model.mark_order_as_next_step("Order#1217")
    async with run() as user:
        await user.settle()
        assert user.banner is None
        model.mark_order_as_completed("Order#1217")
        await user.settle()
        assert user.banner is None


# ---- Search, filter and sorting --------------------------------------------------------------


async def test_finds_by_id_donut_and_ingredient(run, model):
    async with run() as user:
        await user.press("slash")
        await user.type("#1207")
        assert user.ids == [1207]
        await user.press("escape", "slash")
        await user.type("sPICY sPREAD")
        spicy = [o.id for o in model.orders if any(d.glaze == "spicy" for d in o.donuts)]
        assert 0 < len(spicy) < 24
        assert sorted(user.ids) == sorted(int(id[len("Order#") :]) for id in spicy)
        await user.type("x")
        assert user.ids == 'No order contains "sPICY sPREADx".'
        await user.press("escape")
        assert len(user.ids) == 24


async def test_filters(run, model):
    async with run() as user:
        await user.press("f")
        assert user.ids == PLACED
        assert user.browse.orders.border_title == "Orders: placed"
        assert user.browse.orders.border_subtitle == "9 of 24"
        await user.press("f")
        assert user.ids == "No order is preparing."
        model.mark_order_as_next_step("Order#1218")
        await user.settle()
        assert user.ids == [1218]
        await user.press("f")
        assert user.ids == READY
        await user.press("slash", "x", "x")
        assert user.ids == 'No ready order contains "xx".'
        await user.press("escape", "f", "f")
        assert user.browse.orders.border_title == "Orders"
        assert len(user.ids) == 24


async def test_the_selected_order_stays_when_its_status_changes(run, model):
    async with run() as user:
        await user.press("f")
        await user.choose("Order#1217")
        await user.tap("n")
        assert user.order.startswith("Order#1217  preparing")
        await user.tap("n")
        assert user.order.startswith("Order#1217  completed")
        others = [number for number in PLACED if number != 1217]
        assert user.ids == [1217, *others]
        await user.press("down")
        assert user.browse.order.order_id == "Order#1224"
        assert user.ids == others
        assert model.order("Order#1224").status == "placed"


async def test_sorts_by_several_columns(run, model):
    def keys(order):
        return sum(order.sales.values()), order.status == "ready", order.creation_date

    def expected(reverse):
        orders = sorted(model.orders, key=lambda it: keys(it)[1:], reverse=True)
        orders.sort(key=lambda it: keys(it)[0], reverse=reverse)
        return [int(order.id[len("Order#") :]) for order in orders]

    async with run() as user:
        pane = user.browse.orders
        await user.press("s")
        assert pane.sorting.keys[0] == ("totalSales", "reverse")
        assert user.ids == expected(reverse=True)
        head = user.text_of(pane.head)[0].split()
        assert head == ["Order", "Status▼₂", "Donuts▼", "Total", "Placed▼₃"]
        await user.press("r")
        assert user.ids == expected(reverse=False)
        await user.click("#head", offset=(2, 0))
        assert user.ids == [*PLACED, *READY]
        await user.click("#head", offset=(2, 0))
        assert user.ids == list(range(1201, 1225))


# ---- The newest orders -----------------------------------------------------------------------


async def test_the_newest_orders(run):
    async with run() as user:
        card = user.browse.newest
        assert [order["id"] for order in card.orders] == [f"Order#{n}" for n in PLACED[:5]]
        await user.tap("a")
        assert [order["id"] for order in card.orders][:2] == ["Order#1225", "Order#1224"]
        assert user.text_of(card)[1].strip("│ ").startswith("14:00 Order#1225 placed ")


async def test_a_click_on_a_new_order(run):
    async with run() as user:
        await user.press("f", "f", "f", "slash", "9")
        assert user.ids == [1209]
        await user.click("#newest", offset=(4, 3))
        assert user.browse.order.order_id == "Order#1222"
        assert len(user.ids) == 24
        await user.click("#newest", offset=(4, 6))  # the edge
        assert user.browse.order.order_id == "Order#1222"


# ---- The mouse -------------------------------------------------------------------------------


async def test_the_mouse(run, model):
    async with run() as user:
        await user.click("#orders Rows", offset=(3, 17))
        assert user.browse.order.order_id == "Order#1222"
        await user.pilot.click(user.browse.order.status_button)
        await user.settle()
        assert model.order("Order#1222").status == "preparing"
        await user.click("#orders > Button")
        await user.settle()
        assert 1225 in user.ids
