"""The records of the store, as plain data."""

from immutabledata_terminal import Record

Animal = Record
"""Its animalId, name, diet and categoryId."""

Category = Record
"""Its categoryId and name."""

DIETS = {"Herbivore": "$success", "Carnivore": "$error", "Omnivore": "$warning"}
"""The diets in display order, each with its color."""
