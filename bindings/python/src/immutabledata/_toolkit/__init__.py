"""Helpers for writing reducers."""

from .action_creator import ActionCreator
from .combining import combine
from .entity_table import entities
from .slice import Slice

__all__ = ["ActionCreator", "Slice", "combine", "entities"]
