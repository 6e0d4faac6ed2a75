"""Actions, as a dispatch sends them and as the reducer that it leads to sees them.

The reducer sees a Value. Most often it asks for the type and for scalars of the payload, which the
dispatch has at hand. These it is given from there; for the rest the library is asked.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from ctypes import c_void_p
from typing import Any, Union

from .. import _ffi
from .._values.conversion import Share, adopt, parse
from .._values.json_text import JSON, encode
from .._values.value import KEPT, ObjectValue

Action = Union[str, Mapping[str, JSON]]

# What comes out of the library as it went in.
_SCALARS = frozenset((type(None), bool, int, float, str))


def whole(action: Action) -> Any:
    """An action as a Mapping; a dict is copied, so that no other thread can change it."""
    if isinstance(action, str):
        return {"type": action}
    if type(action) is dict:
        return action.copy()
    if isinstance(action, Mapping):
        return action
    raise TypeError(f"an action is a str (its type) or a Mapping, not {type(action).__name__}")


class Sent:
    """An action on its way to a reducer of Python's."""

    __slots__ = ("_again", "_handle", "_payload", "_top", "text")

    def __init__(self, action: Any) -> None:
        """Writes an action that whole made, whose payload is copied too.

        Raises what json_text.encode does.
        """
        self._handle: int | None = None
        self._again: Share | None = None
        self._top: dict[str, Any] = {}
        self._payload: dict[str, Any] | None = None
        if type(action) is dict:
            kind, payload = action.get("type"), action.get("payload")
            if type(kind) is str:
                self._top["type"] = kind
            if type(payload) is dict and len(payload) <= KEPT:
                action["payload"] = payload = payload.copy()
                self._payload = _scalars(payload)
            elif payload is not None and type(payload) in _SCALARS:
                self._top["payload"] = payload
        self.text = encode(action, "the action")

    def lend(self, handle: int) -> ObjectValue:
        """What the reducer sees of the action, whose handle is good until take_back."""
        self._handle = handle
        top, self._top = self._top, {}  # Which is not kept here: that would be a cycle.
        if self._payload is not None:
            top["payload"] = _lent(self, b"/payload", self._payload)
        return _lent(self, b"", top)

    def take_back(self) -> None:
        with _lock:
            self._handle = None

    def share(self, pointer: bytes) -> int:
        """A share of a part of the action. After take_back the action is read from its text."""
        with _lock:
            whole = self._handle
            if whole is None:
                if self._again is None:
                    self._again = adopt(Share, parse(self.text))
                whole = self._again._handle
            part = c_void_p()
            _ffi.imd_value_get(whole, pointer, part, _ffi.imd_error())
            assert part.value is not None
            return part.value


def _scalars(members: dict[Any, Any]) -> dict[str, Any]:
    scalars = {}
    for key, part in members.items():
        if type(key) is not str:
            return {}  # It is written as a str, which may be a key as well.
        if type(part) in _SCALARS:
            scalars[key] = part
    return scalars


class _Lent(ObjectValue):
    """An action or its payload, of which a share is taken when more is wanted than is known."""

    __slots__ = ("_pointer", "_sent")

    _pointer: bytes
    _sent: Sent | None

    def __getattr__(self, name: str) -> Any:
        # The handle is asked for here as long as there is none.
        if name != "_handle":
            raise AttributeError(f"'ObjectValue' object has no attribute {name!r}")
        with _lock:
            if self._sent is not None:
                self._handle = self._sent.share(self._pointer)
                self._sent = None
        return self._handle

    def __del__(self, _release: Any = _ffi.imd_value_release) -> None:
        # Without either, construction was interrupted.
        if getattr(self, "_sent", self) is None:
            _release(self._handle)


def _lent(sent: Sent, pointer: bytes, known: dict[str, Any]) -> _Lent:
    lent = _new(_Lent)
    lent._sent = sent
    lent._pointer = pointer
    lent._seen = known
    return lent


_new = object.__new__

# Held while a share of what was lent is taken, as another thread may take it back. A finalizer that
# is run meanwhile may come here too.
_lock = threading.RLock()


def _renew_lock() -> None:
    global _lock
    _lock = threading.RLock()


# Another thread of the parent may have held it.
os.register_at_fork(after_in_child=_renew_lock)
