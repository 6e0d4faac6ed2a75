"""The records of the store, as plain data."""

Animal = dict[str, str]
"""Its animalId, name, diet and categoryId."""

Category = dict[str, str]
"""Its categoryId and name."""

DIETS = {"Herbivore": "$success", "Carnivore": "$error", "Omnivore": "$warning"}
"""The diets in display order, each with its colour."""
