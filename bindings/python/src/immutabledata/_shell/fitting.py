"""imd verify --schema: what of a log a store with a schema would refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import immutabledata as imd

from .failure import USAGE, CommandError
from .programs import is_program
from .stores import load_reducer


def read_schema(name: str) -> dict[str, Any]:
    """The option schema of a store: in a file of JSON, or of the types of app.py:reduce.

    Raises OSError, CommandError.
    """
    return _typed_schema(name) if is_program(name) else _checked_schema(name)


def _typed_schema(name: str) -> dict[str, Any]:
    reducer = load_reducer(name)
    try:  # To be combined, a reducer gets its schema.
        typed = imd.combine(typed=reducer)._reducers["typed"]
        schema: dict[str, Any] | None = getattr(typed, "schema", None)
    except TypeError as error:
        raise CommandError(f"{name}: {error}") from error
    if schema is None:
        raise CommandError(
            f"{name} has no types; annotate its action with classes, or name a file of JSON", USAGE
        )
    return schema


def _checked_schema(file: str) -> dict[str, Any]:
    text = Path(file).read_bytes()
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{file} is not JSON: {error}") from None
    if not isinstance(schema, dict):
        raise CommandError(f'{file} is not a schema such as {{"actions": {{"added": {{}}}}}}')
    try:  # Both raise what is wrong with it.
        _store(schema, actions=True).close()
        _store(schema).close()
    except imd.InvalidArgumentError as error:
        if error.message.startswith("options/"):
            raise
    return schema


def misfits(path: str, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What does not fit, with the number of its commit: actions, and the last state of the file,
    that of its snapshot or its base.
    """
    with _store(schema, actions=True) as store:
        for entry in imd.log.entries(path):
            first = entry.number - len(entry.actions) + 1
            for number, action in enumerate(entry.actions, first):
                try:
                    store.dispatch({key: action[key] for key in action if key != "meta"})
                except (imd.InvalidActionError, imd.LimitError) as error:
                    yield {"number": number, "error": error.message}
    saved = imd.log.snapshot(path)
    try:
        _store(schema, state=saved.state).close()
    except (imd.InvalidArgumentError, imd.LimitError) as error:
        yield {"number": saved.number, "error": error.message}


def _store(schema: dict[str, Any], state: Any = None, *, actions: bool = False) -> imd.Store[Any]:
    """A store that checks actions, or its initial state."""
    checked = {key: schema[key] for key in schema if actions == (key != "state") or key == "$defs"}
    return imd.Store(lambda state, action: state, state=state, schema=checked)
