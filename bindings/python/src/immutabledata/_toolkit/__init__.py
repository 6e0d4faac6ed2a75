"""Helpers for writing reducers."""

from .combine import combine
from .entities import entities
from .slice import Slice

__all__ = ["Slice", "combine", "entities"]
