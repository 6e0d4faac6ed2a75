"""Helpers for writing reducers."""

from .action_creator import ActionCreator
from .combine import combine
from .entities import entities
from .slice import Slice

__all__ = ["ActionCreator", "Slice", "combine", "entities"]
