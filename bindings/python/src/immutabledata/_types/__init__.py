"""Schemas from annotations, and actions that are instances of classes."""

from .reducer import TypedReducer, classes_of, merged, reads_of, typed

__all__ = ["TypedReducer", "classes_of", "merged", "reads_of", "typed"]
