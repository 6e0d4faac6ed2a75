"""The schema of a state."""

from __future__ import annotations

from typing import Any

from .annotations import Annotations
from .derive import derive
from .document import Document


def state_schema(annotations: Annotations, name: str) -> dict[str, Any] | None:
    """The schema of the state, from the parameter that has it; None if it can be anything.

    Raises TypeError: the type cannot be a schema.
    """
    if name not in annotations:
        return None
    where = f"the parameter {name} of {annotations.name}"
    try:
        hint = annotations.read(name)
    except Exception as error:
        raise TypeError(f"{where}: {error}") from None
    document = Document(annotations.names, is_plain=True)
    return document.schema(derive(hint, where, document)) or None
