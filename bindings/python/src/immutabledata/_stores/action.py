"""Actions, as a dispatch sends them and as the reducer sees them.

The reducer sees a Value. It usually reads the type and scalars of the payload. These come from the
data that was dispatched; everything else is read from the library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from ctypes import c_void_p
from typing import TYPE_CHECKING, Any, Union

from .. import _ffi
from .._values import ObjectValue, Reference, quoted, to_text_or_reference
from .._values.conversion import parse
from .._values.json_text import MAX_FLAT, quote, write_flat
from .._values.reference import adopt
from .._values.value import no_attribute
from ..errors import InvalidActionError, wrong_type
from .thread_state import local

ActionLike = Union[str, Mapping[str, Any]]
"""The argument of dispatch: the type of an action, or the whole action."""

# The types that the library returns unchanged.
_SCALARS = frozenset((type(None), bool, int, float, str))


def to_mapping(action: ActionLike) -> Any:
    """Converts an action to a Mapping; copies a dict, which another thread might change."""
    if isinstance(action, str):
        if action.startswith(("{", "[")):
            raise InvalidActionError(
                f"the type of an action must be a name, not JSON text: {quoted(action[:40])}; "
                "dispatch a dict, or immutabledata.from_json(text)"
            )
        return {"type": action}
    if type(action) is dict:
        return action.copy()
    if isinstance(action, Mapping):
        return action
    error = wrong_type("an action", "a str (its type) or a Mapping", action)
    if isinstance(action, Sequence) and not isinstance(action, (bytes, bytearray)):
        raise TypeError(f"{error}; dispatch_batch takes several actions")
    raise error


class SentAction:
    """An action during its dispatch to a reducer written in Python."""

    __slots__ = ("_parts", "data", "members", "payload", "reducer", "run")

    reducer: Any
    """The RegisteredReducer of the store."""

    run: int
    """The number of the run of the reducer that changed the state, see RegisteredReducer."""

    data: bytes | Reference
    """The action as JSON; as a value if it contains Values."""

    members: dict[str, Any]
    """The scalars of the action, until its reducer begins."""

    payload: dict[str, Any] | None
    """The scalars of the payload, if that is a dict."""

    _parts: dict[bytes, Reference]

    def part(self, pointer: bytes) -> Reference:
        """A part of the action; always the same reference.

        Holds no lock: making a part can run finalizers and signal handlers, which may wait for
        another thread that wants a part. So two threads may make the same one, and the first wins.
        """
        part = self._parts.get(pointer)
        if part is None:
            part = self._parts.setdefault(pointer, self._make_part(pointer))
        return part

    def _make_part(self, pointer: bytes) -> Reference:
        thread = local.state
        if thread.reducing is self:
            # Only this thread can end the borrow, and it is inside the reducer.
            action = thread.action_handle
        else:
            whole = self._parts.get(WHOLE)
            if whole is None:
                whole = self._parts.setdefault(WHOLE, _to_reference(self.data))
            action = whole._handle
        out = c_void_p()
        _ffi.imd_value_get(action, pointer, out, _ffi.imd_error())
        assert out.value is not None
        return adopt(Reference, out.value)

    def keep(self, action: int) -> None:
        """Takes a reference to the action at the end of its reducer, which borrowed its handle.

        Otherwise the action would be parsed when it is read, which fails if the limits are lower
        by then.
        """
        if WHOLE not in self._parts:
            handle = _ffi.quick_retain(_ffi.address_argument(action))
            self._parts.setdefault(WHOLE, adopt(Reference, handle))


WHOLE = b""
PAYLOAD = b"/payload"


def to_sent(action: Any) -> SentAction:
    """Converts an action made by to_mapping for the library, and copies its payload.

    Raises what to_text_or_reference does.
    """
    members: dict[str, Any] = {}
    sent = SentAction()
    sent.members = members
    sent.payload = None
    sent._parts = {}
    sent.run = 0
    if type(action) is dict:
        payload = action.get("payload")
        kind: Any = action.get("type")
        if type(kind) is str:
            members["type"] = kind
            if type(payload) is dict and len(action) == 2:
                flat = to_sent_if_flat(kind, payload)
                if flat is not None:
                    return flat
        if type(payload) is dict and len(payload) <= MAX_FLAT:
            action["payload"] = payload = payload.copy()
            sent.payload = _scalars(payload)
        elif payload is not None and type(payload) in _SCALARS:
            members["payload"] = payload
    sent.data = to_text_or_reference(action, "the action")
    return sent


def to_sent_if_flat(kind: str, payload: dict[Any, Any]) -> SentAction | None:
    """Does the same for a type and a payload, faster; None unless the payload has only scalars."""
    if len(payload) > MAX_FLAT:
        return None
    payload = payload.copy()
    sent = SentAction()
    try:
        text = write_flat(payload, _TYPES[kind] if kind in _TYPES else _add_type(kind), "}")
        if text is None:
            return None
        sent.data = text.encode()
    except ValueError:
        return None
    sent.members = {"type": kind}
    sent.payload = payload
    sent._parts = {}
    sent.run = 0
    return sent


# The beginnings of the texts of actions, for the types that were used first: programs use few.
_TYPES: dict[str, str] = {}
_MAX_TYPES = 512
_MAX_TYPE_LENGTH = 64


def _add_type(kind: str) -> str:
    to_mapping(kind)  # Refuses JSON text.
    text = f'{{"type":{quote(kind)},"payload":'
    if len(_TYPES) < _MAX_TYPES and len(kind) <= _MAX_TYPE_LENGTH:
        _TYPES[kind] = text
    return text


def _to_reference(data: bytes | Reference) -> Reference:
    return data if isinstance(data, Reference) else adopt(Reference, parse(data))


def _scalars(members: dict[Any, Any]) -> dict[str, Any]:
    scalars = {}
    for key, member in members.items():
        if type(key) is not str:
            return {}  # As JSON it becomes a str, which may be another key too.
        if type(member) in _SCALARS:
            scalars[key] = member
    return scalars


class LazyValue(ObjectValue):
    """An action or its payload; gets its handle when more than the cached members is read."""

    __slots__ = ("_pointer", "_sent")

    _pointer: bytes
    _sent: SentAction

    # Faster than object.__new__(LazyValue), because it calls no function of Python.
    __init__ = object.__init__

    @property
    def _handle(self) -> Any:
        return self._sent.part(self._pointer)._handle

    # The SentAction owns the handle. A class does nothing and, unlike a function, needs no frame.
    __del__: Any = bool

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(name)


# For messages such as that of an AttributeError.
LazyValue.__name__ = ObjectValue.__name__
