"""Which commits have changed the part of a state at a pointer, by the text of their patches."""

from __future__ import annotations

import json

import immutabledata as imd

from .pointers import ancestors, steps_of, touches


def condition(pointer: str) -> tuple[str, tuple[str, ...]]:
    """A condition, and its values, which the rows fulfil whose patch may touch a pointer: the text
    that it looks for may also be in a value.

    Raises InspectorError: it is not a pointer.
    """
    steps_of(pointer)
    texts = [f'"{_in_json(pointer)}"', f'"{_in_json(pointer)}/']
    texts += [f'"{_in_json(each)}"' for each in ancestors(pointer)]
    conditions = " OR ".join("instr(patch_, ?)" for _ in texts)
    return f"AND ({conditions})", tuple(texts)


def operations(patch: str | None, pointer: str) -> list[imd.Value]:
    """The operations of a patch that change the part at a pointer."""
    return [each for each in imd.from_json(patch or "[]") if touches(each, pointer)]


def changes(patch: str | None, pointer: str) -> bool:
    """Whether a patch changes the part at a pointer."""
    try:
        found = json.loads(patch or "[]")  # Faster than from_json for small texts.
    except RecursionError:
        return bool(operations(patch, pointer))
    return any(touches(each, pointer) for each in found)


def _in_json(pointer: str) -> str:
    """A pointer as the text of a patch has it, between quotation marks."""
    text: str = imd.value([pointer]).to_json()
    return text[2:-2]
