"""The domain foodtruck, with its own model and with one of the program."""

from typing import Any

import pytest

import immutabledata as imd

NOW = 1_767_268_800_000  # the time of a seeded model, 2026-01-01T12:00:00Z
MASK = (1 << 64) - 1


class Generator:
    """SplitMix64, with bounded numbers by Lemire and the shuffle of Fisher and Yates."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def next(self) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        bits = self.state
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & MASK
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & MASK
        return bits ^ bits >> 31

    def below(self, bound: int) -> int:
        product = bound * self.next()
        while product & MASK < (1 << 64) % bound:
            product = bound * self.next()
        return product >> 64

    def between(self, first: int, last: int) -> int:
        return first + self.below(last - first + 1)

    def shuffled(self, count: int) -> list[int]:
        numbers = list(range(count))
        for index in reversed(range(count)):
            other = self.below(index + 1)
            numbers[index], numbers[other] = numbers[other], numbers[index]
        return numbers


def order(generator: Generator, number: int, date: int) -> dict[str, Any]:
    count = generator.between(1, 5)
    donuts = generator.shuffled(17)[:count]
    sales = {str(donut): generator.between(1, 5) for donut in donuts}
    cents = sum(sales.values()) * 578
    return {
        "id": f"Order#12{number:02}",
        "donuts": donuts,
        "sales": sales,
        "grandTotal": f"{cents // 100}.{cents % 100:02}",
        "creationDate": date,
    }


def shown(order: imd.Value) -> dict[str, Any]:
    members = ("id", "grandTotal", "creationDate")
    return {
        **{name: order[name] for name in members},
        "donuts": [donut["id"] for donut in order["donuts"]],
        "sales": dict(order["sales"]),
    }


@pytest.mark.parametrize("seed", [1, 7, -1, 2**63 - 1])
def test_a_seed_has_the_same_orders_on_every_machine(seed: int) -> None:
    generator = Generator(seed)
    expected, date = [], NOW - 240_000
    for number in reversed(range(1, 25)):
        date -= generator.between(60_000, 179_999)
        expected.append(order(generator, number, date))
    added = order(generator, 25, NOW + 60_000)
    with imd.open("foodtruck", model="seeded", seed=seed) as store:
        store.dispatch("ui/ordersView/onTapAddOrderButton")
        store.settle()
        sort = [{"by": "creationDate", "order": "reverse"}]
        orders = store.select("selectOrdersValues", sort=sort)
        assert [shown(order) for order in orders] == [added, *expected]
        statuses = [order["status"] for order in orders]
        assert statuses == ["placed"] * 10 + ["ready"] * 15


def test_a_model_of_the_program() -> None:
    """Each transition is reported once, whatever caused it."""
    model = dict.fromkeys(("a", "b"), "placed")
    activities: list[tuple[str, str]] = []

    def publish() -> None:
        orders = [
            {
                "id": id,
                "status": status,
                "donuts": [],
                "sales": {},
                "grandTotal": "1.00",
                "city": "",
                "parkingSpot": "",
                "creationDate": 0,
                "temperature": 72.0,
                "wasRaining": False,
            }
            for id, status in model.items()
        ]
        store.dispatch("data/modelListener/didReceiveOrders", payload={"orders": orders})

    def mark(id: str, status: str) -> None:
        model[id] = status
        publish()

    with imd.open("foodtruck") as store:
        publish()
        store.set_effect("markOrderAsNextStep", lambda a: mark(a["orderID"], "preparing"))
        store.set_effect("markOrderAsCompleted", lambda a: mark(a["orderID"], "completed"))
        for name in ("startActivity", "endActivity"):
            store.set_effect(name, lambda a, name=name: activities.append((name, a["order"]["id"])))
        for _ in range(2):  # the second tap changes nothing
            store.dispatch("ui/orderDetailView/onTapStatusButton", payload={"orderID": "a"})
            store.settle()
        mark("b", "preparing")
        mark("b", "ready")
        store.dispatch("ui/ordersView/onTapCompleteOrderButton", payload={"orderID": "a"})
        store.settle()
        assert activities == [
            ("startActivity", "a"),
            ("startActivity", "b"),
            ("endActivity", "b"),
            ("endActivity", "a"),
        ]
        assert store.statistics()["failedEffects"] == 0
