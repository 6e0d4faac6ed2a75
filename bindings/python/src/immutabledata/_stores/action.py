"""Actions, as a dispatch sends them and as the reducer sees them.

The reducer sees a Value. It usually reads the type and scalars of the payload. These come from the
data that was dispatched; everything else is read from the library.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from ctypes import c_void_p
from typing import Any, Union

from .. import _ffi
from .._values import ObjectValue, Reference, encode, quoted
from .._values.conversion import parse
from .._values.reference import adopt
from .._values.value import CACHED, no_attribute
from ..errors import InvalidActionError, wrong_type

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

    __slots__ = ("_handle", "_members", "_parsed", "_payload", "text")

    def __init__(self, action: Any) -> None:
        """Writes an action made by to_mapping as JSON, and copies its payload.

        Raises what encode does.
        """
        self._handle: int | None = None
        self._parsed: Reference | None = None
        self._members: dict[str, Any] = {}
        self._payload: dict[str, Any] | None = None
        if type(action) is dict:
            kind, payload = action.get("type"), action.get("payload")
            if type(kind) is str:
                self._members["type"] = kind
            if type(payload) is dict and len(payload) <= CACHED:
                action["payload"] = payload = payload.copy()
                self._payload = _scalars(payload)
            elif payload is not None and type(payload) in _SCALARS:
                self._members["payload"] = payload
        self.text = encode(action, "the action")

    def to_value(self, handle: int) -> ObjectValue:
        """The action as the reducer sees it; the handle is valid until forget_handle."""
        self._handle = handle
        # Not kept here: the payload refers to this object, which would make a cycle.
        members, self._members = self._members, {}
        if self._payload is not None:
            members["payload"] = _lazy_value(self, b"/payload", self._payload)
        return _lazy_value(self, b"", members)

    def forget_handle(self) -> None:
        """Ends the use of the handle that to_value was given."""
        with _lock:
            self._handle = None

    def get(self, pointer: bytes) -> int:
        """A part of the action, as an owned handle. Parses the text again after forget_handle."""
        with _lock:
            action = self._handle
            if action is None:
                if self._parsed is None:
                    self._parsed = adopt(Reference, parse(self.text))
                action = self._parsed._handle
            part = c_void_p()
            _ffi.imd_value_get(action, pointer, part, _ffi.imd_error())
            assert part.value is not None
            return part.value


def _scalars(members: dict[Any, Any]) -> dict[str, Any]:
    scalars = {}
    for key, member in members.items():
        if type(key) is not str:
            return {}  # As JSON it becomes a str, which may be another key too.
        if type(member) in _SCALARS:
            scalars[key] = member
    return scalars


class _LazyValue(ObjectValue):
    """An action or its payload; gets its handle when more than the cached members is read."""

    __slots__ = ("_pointer", "_sent")

    _pointer: bytes
    _sent: SentAction | None

    def __getattr__(self, name: str) -> Any:
        # Python calls this for the handle until it is set.
        if name != "_handle":
            raise no_attribute(name)
        with _lock:
            if self._sent is not None:
                self._handle = self._sent.get(self._pointer)
                self._sent = None
        return self._handle

    def __del__(self, _release: Any = _ffi.imd_value_release) -> None:
        # There is neither _sent nor a handle if construction was interrupted.
        if getattr(self, "_sent", self) is None:
            _release(self._handle)


def _lazy_value(sent: SentAction, pointer: bytes, members: dict[str, Any]) -> _LazyValue:
    result = _new(_LazyValue)
    result._sent = sent
    result._pointer = pointer
    result._cache = members
    return result


_new = object.__new__

# Held while a part is read through the borrowed handle, which another thread may end. Re-entrant,
# because a finalizer may run meanwhile and come here too.
_lock = threading.RLock()


def _renew_lock() -> None:
    global _lock
    _lock = threading.RLock()


# In the child of a fork: another thread of the parent may have held the lock.
os.register_at_fork(after_in_child=_renew_lock)
