"""The map of the world, and the quakes on it."""

from .world_map import WorldMap

__all__ = ["WorldMap"]
