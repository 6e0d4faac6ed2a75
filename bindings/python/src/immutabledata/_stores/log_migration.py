"""Migrations of logs: what an old version has kept becomes what the next one expects."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import c_char_p
from typing import Any, Callable

from .. import _ffi
from .._values import (
    checked_names,
    encode_name,
    read,
    refuse_coroutine,
    require_function,
    to_reference,
)
from ..errors import InvalidArgumentError, ReducerFailedError, wrong_type
from .reducer import code_of, message_of
from .thread_state import local

_State = Callable[[Any], Any]
_Action = Callable[[Any], Any]


class Migration:
    """A step from one version of a log to the next one; made by log.migration."""

    __slots__ = ("_action", "_state", "from_version", "removes")

    def __init__(self, from_version: int, state: _State, removes: tuple[str, ...] = ()) -> None:
        _require(state, "state")
        self.from_version = from_version
        """The version that it applies to; the result has the next one."""
        self.removes = removes
        """The members of the state that it takes out."""
        self._state = state
        self._action: _Action | None = None

    def action(self, function: _Action, /) -> _Action:
        """Makes the decorated function the one that migrates actions; it is returned unchanged.

        It is called with each action, and returns the next one, a Value or plain data; or None to
        take it out for good. Without it, actions stay as they are.
        """
        _require(function, "action")
        self._action = function
        return function

    def __call__(self, state: Any) -> Any:
        """What the function for states makes of a state."""
        return self._state(state)

    def __repr__(self) -> str:
        return f"<immutabledata.Migration from version {self.from_version}>"


def make_migration(
    from_version: int, removes: Iterable[str] = ()
) -> Callable[[_State], Migration]:
    if isinstance(from_version, bool) or not isinstance(from_version, int):
        raise wrong_type("from_version", "an int", from_version)
    if not 1 <= from_version < 2**31 - 1:
        raise InvalidArgumentError(f"from_version must be 1 or more, not {from_version}")

    names = tuple(checked_names("removes", removes))

    def decorate(state: _State) -> Migration:
        return Migration(from_version, state, names)

    return decorate


def c_migrations(migrations: Any) -> Any:
    """An array for the library, which calls the functions while the array exists."""
    listed = list(migrations)
    for migration in listed:
        if not isinstance(migration, Migration):
            raise wrong_type("each of the migrations", "what log.migration makes", migration)
    array = (_ffi.imd_log_migration * len(listed))()
    for place, migration in zip(array, listed):
        place.from_version = migration.from_version
        place.state = _c_function(migration._state)
        if migration._action is not None:
            place.action = _c_function(migration._action)
        removes = [encode_name(name, "each of removes") for name in migration.removes]
        place.removes = (c_char_p * (len(removes) + 1))(*removes, None)
    return array


def _c_function(function: Callable[[Any], Any]) -> Any:
    def call(context: Any, handle: Any, out: Any, error: Any) -> int:
        try:
            after = function(read(handle))
            refuse_coroutine(after, "the migration")
            if after is not None:
                reference = to_reference(after, "what the migration returned")
                out[0] = _ffi.imd_value_retain(reference._handle)
            return 0
        except BaseException as raised:
            failure = _ffi.imd_error.from_address(error)
            failure.message, failure.code = message_of(raised), code_of(raised)
            local.state.raised = raised  # The cause of the error; see repeat.
            return ReducerFailedError.status

    return _ffi.imd_log_migration_function(call)


def _require(function: Any, name: str) -> None:
    require_function(function, "a migration", f"a function that takes a {name}", 1)
