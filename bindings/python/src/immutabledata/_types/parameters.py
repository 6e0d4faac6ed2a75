"""Payloads that a function takes as keyword parameters."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, get_origin

from .._values import plain as plain_text
from .._values import suggestion
from .action import is_no_action
from .annotations import Annotations, alternatives, shown
from .derive import object_schema
from .document import Document
from .members import Member, is_record, members_of
from .plain import plain
from .record import Record
from .state import state_schema


class Parameters:
    """The keyword parameters of a function, which are the payload of an action.

    Their types are evaluated when they are first used: they may be defined after the function.
    """

    def __init__(self, function: types.FunctionType) -> None:
        self.annotations = Annotations(function)
        self._defaults = {
            name: plain(default) for name, default in self.annotations.defaults.items()
        }
        self._record: Record | None = None
        self._schema: dict[str, Any] = {}

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the payload. Raises TypeError: a parameter has none."""
        self._require_record()
        return self._schema

    def read(self, action: Any) -> dict[str, Any]:
        """The arguments for an action."""
        try:
            payload = action["payload"]
        except KeyError:
            payload = {}
        arguments: dict[str, Any] = self._require_record().read(payload)
        return arguments

    def write(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The payload for arguments. Raises TypeError, as a call of the function does."""
        known, name = self.annotations.keywords, self.annotations.name
        for each in arguments:
            if each not in known:
                meant = suggestion(plain_text(each), known)
                raise TypeError(f"{name}() got an unexpected keyword argument {each!r}{meant}")
        payload = {**self._defaults, **{key: plain(each) for key, each in arguments.items()}}
        for each in known:
            if each not in payload:
                raise TypeError(f"{name}() missing the keyword argument {each!r}")
        return payload

    def _require_record(self) -> Record:
        if self._record is None:
            annotations = self.annotations
            members = [
                Member(name, self._hint(name), name not in self._defaults)
                for name in annotations.keywords
            ]
            document = Document(annotations.names)
            record = Record(annotations.name, None, members)
            schema = object_schema(record, document)
            self._schema = document.whole(schema)
            self._record = record
        return self._record

    def _hint(self, name: str) -> Any:
        try:
            return self.annotations.read(name) if name in self.annotations else Any
        except Exception as error:
            raise TypeError(f"{self.annotations.name}.{name}: {error}") from None


def slice_schema(cases: Mapping[str, Parameters]) -> dict[str, Any]:
    """The schema of a slice, whose cases are by the types of their actions.

    Raises TypeError: a type cannot be a schema, or two cases have another type of the draft.
    """
    schema: dict[str, Any] = {
        "actions": {type: each.schema for type, each in cases.items()},
        "unknownActions": "allow",
    }
    first = ""
    for case in cases.values():
        annotations = case.annotations
        state = state_schema(annotations, annotations.positional[0])
        if state is None:
            continue
        if schema.setdefault("state", state) != state:
            raise TypeError(
                f"the draft of {annotations.name} has another type than that of {first}; give both "
                "the type of the state of the slice"
            )
        first = first or annotations.name
    return schema


def takes_keywords(function: Any) -> bool:
    """Whether a function takes a draft, and a payload as keyword parameters."""
    if not isinstance(function, types.FunctionType):
        return False
    code = function.__code__
    return code.co_argcount == 1 and not code.co_flags & _VARIABLE_PARAMETERS


def refuse_payload(case: Any, *, has_keywords: bool) -> None:
    """Raises TypeError: a case has the type of a payload for its second parameter, which gets the
    whole action.

    has_keywords: whether the case could take the payload as keyword parameters.
    """
    annotations = Annotations(case)
    if len(annotations.positional) < 2:
        return
    name = annotations.positional[1]
    try:
        hint = annotations.read(name)
    except Exception:  # There is none, or it may be defined after the function.
        return
    if all(map(is_no_action, alternatives(hint))):
        instead = _as_keywords(name, hint, annotations.names) if has_keywords else "action"
        raise TypeError(
            f"the parameter {name} of {annotations.name} gets the whole action, which is no "
            f"{shown(hint)}; write {annotations.name}({annotations.positional[0]}, {instead})"
        )


def _as_keywords(name: str, hint: Any, names: Mapping[str, Any]) -> str:
    """A parameter as the keyword parameters of a payload: those of the members of a class."""
    is_class = get_origin(hint) is None and isinstance(hint, type)
    members = members_of(hint, names) if is_class and is_record(hint) else []
    listed = [(each.name, each.hint) for each in members] or [(name, hint)]
    return "*, " + ", ".join(f"{each}: {shown(hint)}" for each, hint in listed)


# See inspect.CO_VARARGS and inspect.CO_VARKEYWORDS.
_VARIABLE_PARAMETERS = 0x04 | 0x08
