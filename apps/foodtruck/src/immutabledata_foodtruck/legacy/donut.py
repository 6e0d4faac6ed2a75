"""Donuts, and what they are made of."""

from __future__ import annotations

from dataclasses import dataclass

_SAUCES = ["chocolate", "sourApple", "spicySauce", "strawberry", "sugar", "lemon"]


def _titles(names: list[str], suffixes: dict[str, str]) -> dict[str, str]:
    """The titles of names such as sourCandy, with the words in suffixes after them."""
    return {name: words_of(name) + suffixes.get(name, "") for name in names}


def words_of(name: str) -> str:
    """The words of a name such as starSprinkles: "Star Sprinkles"."""
    text = "".join(f" {letter}" if letter.isupper() else letter for letter in name)
    return text[:1].upper() + text[1:]


DOUGHS = _titles(
    ["blueberry", "chocolate", "sourCandy", "strawberry", "plain", "powdered", "lemonade"],
    dict.fromkeys(["blueberry", "chocolate", "strawberry", "powdered"], " Dough"),
)
"""The titles of the doughs, by name."""

GLAZES = _titles(
    ["blueberry", "chocolate", "sourCandy", "spicy", "strawberry", "lemon", "rainbow"],
    {
        **dict.fromkeys(["blueberry", "spicy", "lemon"], " Spread"),
        **dict.fromkeys(["chocolate", "sourCandy", "strawberry", "rainbow"], " Glaze"),
    },
)
"""The titles of the glazes, by name."""

TOPPINGS = _titles(
    [
        *["powderedSugar", "sprinkles", "starSprinkles"],
        *["blueberryLattice", *(f"{sauce}Lattice" for sauce in _SAUCES)],
        *(f"{sauce}Lines" for sauce in ["blueberry", *_SAUCES]),
        *(f"{sauce}Drizzle" for sauce in ["blueberry", *_SAUCES]),
    ],
    {},
)
"""The titles of the toppings, by name."""


@dataclass
class Donut:
    """A donut of the menu. The screens of the legacy program change its attributes."""

    id: int
    name: str
    dough: str
    glaze: str | None = None
    topping: str | None = None


def menu() -> list[Donut]:
    """The menu of a new model."""
    rows = [
        ("The Classic", "plain", "chocolate", "sprinkles"),
        ("Blueberry Frosted", "blueberry", "blueberry", "sugarLattice"),
        ("Strawberry Drizzle", "strawberry", "strawberry", "sugarDrizzle"),
        ("Cosmos", "chocolate", "chocolate", "starSprinkles"),
        ("Strawberry Sprinkles", "plain", "strawberry", "starSprinkles"),
        ("Lemon Chocolate", "plain", "chocolate", "lemonLines"),
        ("Rainbow", "plain", "rainbow", None),
        ("Picnic Basket", "chocolate", "strawberry", "blueberryLattice"),
        ("Figure Skater", "plain", "blueberry", "sugarDrizzle"),
        ("Powdered Chocolate", "chocolate", None, "powderedSugar"),
        ("Powdered Strawberry", "strawberry", None, "powderedSugar"),
        ("Custard", "lemonade", "spicy", "lemonLines"),
        ("Super Lemon", "lemonade", "lemon", "sprinkles"),
        ("Fire Zest", "lemonade", "spicy", "spicySauceDrizzle"),
        ("Black Raspberry", "plain", "chocolate", "blueberryDrizzle"),
        ("Daytime", "lemonade", "rainbow", None),
        ("Nighttime", "chocolate", "chocolate", "chocolateDrizzle"),
    ]
    return [Donut(id, *row) for id, row in enumerate(rows)]
