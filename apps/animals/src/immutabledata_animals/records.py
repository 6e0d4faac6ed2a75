"""What the store has records of, as plain data."""

Animal = dict[str, str]
"""Its animalId, name, diet and categoryId."""

Category = dict[str, str]
"""Its categoryId and name."""

DIETS = {"Herbivore": "$success", "Carnivore": "$error", "Omnivore": "$warning"}
"""The diets in the order of a choice, each with its colour."""
