"""The preview of a value that repr shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .json_text import is_array

_LIMIT = 80


def preview(container: Any) -> str:
    """Writes a container as JSON, cut after 80 characters; reads no more of it than it shows."""
    text = ""
    for piece in _pieces(container):
        text += piece
        if len(text) > _LIMIT:
            count = len(container)
            unit = "member" if isinstance(container, Mapping) else "element"
            return f"{text[:_LIMIT]}… {count:,} {unit}{'s' * (count != 1)}"
    return text


def _pieces(part: Any) -> Iterator[str]:
    separator = ""
    if isinstance(part, Mapping):
        yield "{"
        for key, member in part.items():
            yield separator + _scalar(key) + ":"
            yield from _pieces(member)
            separator = ","
        yield "}"
    elif is_array(part):
        yield "["
        for element in part:
            yield separator
            yield from _pieces(element)
            separator = ","
        yield "]"
    else:
        yield _scalar(part)


def _scalar(part: Any) -> str:
    return json.dumps(part[:_LIMIT] if isinstance(part, str) else part, ensure_ascii=False)
