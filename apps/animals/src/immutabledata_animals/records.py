"""The records of the store, as plain data."""

Record = dict[str, str]
"""An animal or a category."""

Animal = Record
"""Its animalId, name, diet and categoryId."""

Category = Record
"""Its categoryId and name."""

DIETS = {"Herbivore": "$success", "Carnivore": "$error", "Omnivore": "$warning"}
"""The diets in display order, each with its color."""
