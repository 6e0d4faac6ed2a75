"""The types of the state in the typed programs."""

from __future__ import annotations

from typing import TypedDict


class Todo(TypedDict):
    title: str
    done: bool


class Board(TypedDict):
    todos: list[Todo]
