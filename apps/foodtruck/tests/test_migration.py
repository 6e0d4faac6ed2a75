"""The listeners between the model and the store, without screens."""

import asyncio

import immutabledata as imd
import pytest

from immutabledata_foodtruck.legacy import FoodTruckModel, Order, menu
from immutabledata_foodtruck.migration import Activities, ModelListener, StoreListener
from immutabledata_foodtruck.migration.model_listener import order_json

NOW = 1_795_356_000_000


@pytest.fixture
def store():
    with imd.open("foodtruck") as store:
        yield store


@pytest.fixture
def model():
    return FoodTruckModel(seed=1, now=lambda: NOW)


def test_the_store_has_what_the_model_has(store, model):
    ModelListener(store).listen(model)
    state = store.state.to_python()
    assert state["orders"] == {order.id: order_json(order) for order in model.orders}
    assert [donut["name"] for donut in state["donuts"].values()] == [
        each.name for each in sorted(model.donuts, key=lambda donut: str(donut.id))
    ]


def test_unchanged_orders_keep_their_identity(store, model):
    ModelListener(store).listen(model)
    called = []
    for number in (1201, 1217, 1218):
        order = {"orderID": f"Order#{number}"}
        store.observe("selectOrder", called.append, arguments=order, initial=False)
    model.mark_order_as_next_step("Order#1217")
    model.publish_orders()
    assert [order["id"] for order in called] == ["Order#1217"]


@pytest.mark.parametrize("completion_date", [None, NOW])
def test_an_order_as_json(completion_date):
    donuts = [donut for donut in menu() if donut.id in (6, 9)]
    order = Order("Order#1203", "ready", donuts, {6: 2, 9: 1}, 478, NOW, completion_date)
    dates = {} if completion_date is None else {"completionDate": NOW}
    assert order_json(order) == {
        "id": "Order#1203",
        "status": "ready",
        "donuts": [
            {"id": 6, "name": "Rainbow", "dough": "plain", "glaze": "rainbow"},
            {
                "id": 9,
                "name": "Powdered Chocolate",
                "dough": "chocolate",
                "topping": "powderedSugar",
            },
        ],
        "sales": {"6": 2, "9": 1},
        "grandTotal": "478",
        "city": "Cupertino",
        "parkingSpot": "Apple Park",
        "creationDate": NOW,
        "temperature": 72,
        "wasRaining": False,
        **dates,
    }


async def test_taps_reach_the_model(store, model):
    """Each tap is one call of the model, on the thread of the event loop."""
    calls = asyncio.Queue()
    for name in ("mark_order_as_next_step", "mark_order_as_completed", "add_order"):
        setattr(model, name, lambda *arguments, name=name: calls.put_nowait((name, *arguments)))
    StoreListener(store).listen(model, Activities(lambda: None))
    one = {"orderID": "Order#1299"}
    store.dispatch("ui/orderDetailView/onTapStatusButton", payload=one)
    store.dispatch("ui/ordersView/onTapCompleteOrderButton", payload=one)
    store.dispatch("ui/ordersView/onTapAddOrderButton")
    assert [await calls.get() for _ in range(3)] == [
        ("mark_order_as_next_step", "Order#1299"),
        ("mark_order_as_completed", "Order#1299"),
        ("add_order",),
    ]
    assert calls.empty()
