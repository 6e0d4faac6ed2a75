"""The legacy model."""

import pytest

from immutabledata_foodtruck.legacy import DOUGHS, GLAZES, TOPPINGS, FoodTruckModel, menu

NOW = 1_795_356_000_000
MINUTE = 60_000


@pytest.fixture
def model():
    return FoodTruckModel(seed=1, now=lambda: NOW)


def test_the_orders_of_today(model):
    assert [order.id for order in model.orders] == [f"Order#12{n:02}" for n in range(24, 0, -1)]
    assert [order.status for order in model.orders] == ["placed"] * 9 + ["ready"] * 15
    later = NOW - 4 * MINUTE
    for order in model.orders:
        assert MINUTE <= later - order.creation_date < 3 * MINUTE
        later = order.creation_date
        ready = min(order.creation_date + 14 * MINUTE, NOW)
        assert order.completion_date == (ready if order.status == "ready" else None)
        assert 1 <= len(order.donuts) <= 5
        assert {donut.id for donut in order.donuts} == set(order.sales)
        assert all(1 <= count <= 5 for count in order.sales.values())
        assert order.grand_total * 100 == 578 * sum(order.sales.values())


def test_a_seed_determines_the_orders():
    def orders(seed):
        return FoodTruckModel(seed, now=lambda: NOW).orders

    assert orders(1) == orders(1)
    assert orders(1) != orders(2)


@pytest.mark.parametrize(
    ("order_id", "call", "status"),
    [
        ("Order#1217", "mark_order_as_next_step", "preparing"),
        ("Order#1217", "mark_order_as_completed", "completed"),
        ("Order#1201", "mark_order_as_next_step", "ready"),
        ("Order#1201", "mark_order_as_completed", "completed"),
    ],
)
def test_marks(model, order_id, call, status):
    before = model.order(order_id).completion_date
    getattr(model, call)(order_id)
    assert model.order(order_id).status == status
    assert model.order(order_id).completion_date == before


def test_the_steps_of_an_order(model):
    for status in ("preparing", "completed", "completed"):
        model.mark_order_as_next_step("Order#1217")
        assert model.order("Order#1217").status == status


def test_unknown_orders_publish_nothing(model):
    published = []
    model.subscribe(published.append, lambda donuts: None)
    published.clear()
    model.mark_order_as_next_step("Order#9999")
    model.mark_order_as_completed("Order#9999")
    assert (model.order("Order#9999"), published) == (None, [])


def test_an_added_order(model):
    model.add_order()
    order = model.orders[-1]
    assert (order.id, order.status, order.creation_date) == ("Order#1225", "placed", NOW)


def test_the_menu():
    donuts = menu()
    assert [donut.id for donut in donuts] == list(range(17))
    assert {donut.dough for donut in donuts} <= set(DOUGHS)
    assert {donut.glaze for donut in donuts} <= {*GLAZES, None}
    assert {donut.topping for donut in donuts} <= {*TOPPINGS, None}
    assert len({donut.name for donut in donuts}) == 17


@pytest.mark.parametrize(
    ("titles", "name", "title"),
    [
        (DOUGHS, "plain", "Plain"),
        (DOUGHS, "sourCandy", "Sour Candy"),
        (DOUGHS, "chocolate", "Chocolate Dough"),
        (GLAZES, "chocolate", "Chocolate Glaze"),
        (GLAZES, "lemon", "Lemon Spread"),
        (TOPPINGS, "starSprinkles", "Star Sprinkles"),
        (TOPPINGS, "spicySauceDrizzle", "Spicy Sauce Drizzle"),
    ],
)
def test_titles(titles, name, title):
    assert titles[name] == title


def test_the_domain_has_the_same_ingredients():
    import immutabledata as imd

    with imd.open("foodtruck") as store:
        for kind, titles in (("dough", DOUGHS), ("glaze", GLAZES), ("topping", TOPPINGS)):
            for name in titles:
                donut = {"id": 1, "name": "Test", "dough": "plain", kind: name}
                payload = {"donuts": [donut]}
                store.dispatch("data/modelListener/didReceiveDonuts", payload=payload)
                assert store.state["donuts"]["1"][kind] == name
