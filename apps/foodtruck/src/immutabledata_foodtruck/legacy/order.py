"""Orders."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from .donut import Donut

PRICE = Decimal("5.78")
MINUTE = 60_000


@dataclass
class Order:
    """An order. It has copies of its donuts, as they were when it was placed."""

    id: str
    status: str
    donuts: list[Donut]
    sales: dict[int, int]
    """How many were sold, by the id of the donut."""
    grand_total: Decimal
    creation_date: int
    """When it was placed, in milliseconds since 1970; likewise completion_date."""
    completion_date: int | None = None
    city: str = "Cupertino"
    parking_spot: str = "Apple Park"
    temperature: float = 72
    """In degrees Fahrenheit."""
    was_raining: bool = False


@dataclass
class OrderGenerator:
    """Generates orders. The same seed and the same menu give the same orders."""

    donuts: Sequence[Donut]
    seed: int
    random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def order(self, number: int, now: int) -> Order:
        """An order that was just placed. number determines its id: "Order#1203" for 3."""
        count = min(self.random.randint(1, 5), len(self.donuts))
        donuts = [replace(donut) for donut in self.random.sample(self.donuts, count)]
        sales = {donut.id: self.random.randint(1, 5) for donut in donuts}
        total = sum(sales.values()) * PRICE
        return Order(f"Order#12{number:02}", "placed", donuts, sales, total, now)

    def orders_of_today(self, now: int) -> list[Order]:
        """The 24 orders of a day, the latest first. The latest nine are not ready."""
        orders = []
        time = now - 4 * MINUTE
        for index in range(24):
            time -= self.random.randrange(MINUTE, 3 * MINUTE)
            order = self.order(24 - index, time)
            if index > 8:
                order.status = "ready"
                order.completion_date = min(time + 14 * MINUTE, now)
            orders.append(order)
        return orders
