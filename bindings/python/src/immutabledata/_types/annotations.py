"""The annotations of functions and classes."""

from __future__ import annotations

import contextlib
import types
import typing
from collections.abc import Mapping
from typing import Any, Callable, ClassVar

# More than any program has: decorators around a function, aliases of a type.
_MAX_STEPS = 64


class Annotations:
    """The annotations of a function, or of what it wraps; each is evaluated when it is read."""

    def __init__(self, function: Any) -> None:
        for _ in range(_MAX_STEPS):
            function = getattr(function, "__wrapped__", function)
        bound = 0
        if not isinstance(function, types.FunctionType):
            if not isinstance(function, types.MethodType):
                function = getattr(type(function), "__call__", None)  # noqa: B004
            function, bound = getattr(function, "__func__", function), 1
        self._raw: Mapping[str, Any] = {}
        self.name: str = getattr(function, "__name__", "")
        self.positional: tuple[str, ...] = ()
        self.keywords: tuple[str, ...] = ()
        self.names: dict[str, Any] = {}
        if not isinstance(function, types.FunctionType):
            return
        code = function.__code__
        end = code.co_argcount + code.co_kwonlyargcount
        self.positional = code.co_varnames[bound : code.co_argcount]
        self.keywords = code.co_varnames[code.co_argcount : end]
        self.defaults: Mapping[str, Any] = function.__kwdefaults__ or {}
        self._globals = function.__globals__
        # Classes of the enclosing function, as far as the function uses them.
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            with contextlib.suppress(ValueError):  # It is empty.
                self.names[name] = cell.cell_contents
        with contextlib.suppress(NameError):  # Python 3.14 evaluates them here.
            self._raw = function.__annotations__

    def __contains__(self, name: str) -> bool:
        return name in self._raw

    def read(self, name: str) -> Any:
        """The annotation of a parameter. Raises what its evaluation does."""
        return _evaluated(self._raw[name], self._globals, self.names)


def hints_of(cls: type, names: Mapping[str, Any]) -> dict[str, Any]:
    """The annotations of a class and its base classes. Raises TypeError: one has no meaning.

    names: what annotations may refer to in addition to the names of their modules.
    """
    try:
        return typing.get_type_hints(cls, localns=dict(names), include_extras=True)
    except Exception as error:
        raise TypeError(f"{_name_of_failing(cls, names)}: {error}") from None


def _name_of_failing(cls: type, names: Mapping[str, Any]) -> str:
    """The class, and the member whose annotation cannot be evaluated."""
    for base in cls.__mro__:
        namespace = getattr(__import__("sys").modules.get(base.__module__), "__dict__", {})
        for name, raw in getattr(base, "__annotations__", {}).items():
            try:
                _evaluated(raw, namespace, names)
            except Exception:
                return f"{cls.__name__}.{name}"
    return cls.__name__


def _evaluated(raw: Any, namespace: dict[str, Any], names: Mapping[str, Any]) -> Any:
    def carrier() -> None: ...

    carrier.__annotations__ = {"it": raw}
    return typing.get_type_hints(carrier, namespace, dict(names), include_extras=True)["it"]


# ---- Types ---------------------------------------------------------------------------------------


def simplified(hint: Any, annotations: list[Any] | None = None) -> Any:
    """A type without what only type checkers read: NotRequired, NewType, aliases; and without
    Annotated, whose annotations are added to the list.
    """
    for _ in range(_MAX_STEPS):
        if typing.get_origin(hint) is typing.Annotated:
            if annotations is not None:
                annotations += hint.__metadata__
            hint = typing.get_args(hint)[0]
        elif special(hint) in _WRAPPERS:
            hint = typing.get_args(hint)[0]
        elif hasattr(hint, "__supertype__"):
            hint = hint.__supertype__
        elif type(hint).__name__ == "TypeAliasType":
            hint = hint.__value__
        else:
            return hint
    raise TypeError("an alias of a type refers to itself")


_WRAPPERS = ("Final", "NotRequired", "ReadOnly", "Required")


def special(hint: Any) -> str:
    """The name of a special form, "Required" of Required[int]: typing_extensions has its own."""
    return getattr(typing.get_origin(hint), "_name", None) or ""


def alternatives(hint: Any) -> list[Any]:
    """The types of a union, as they are annotated; of any other type, that type."""
    hint = simplified(hint)
    if typing.get_origin(hint) not in _UNIONS:
        return [hint]
    found = []
    for part in typing.get_args(hint):
        is_annotated = typing.get_origin(part) is typing.Annotated
        found += [part] if is_annotated else alternatives(part)
    return found


_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))


def is_class_variable(hint: Any) -> bool:
    """Whether an annotation is that of an attribute of the class."""
    return hint is ClassVar or typing.get_origin(hint) is ClassVar


def shown(hint: Any) -> str:
    """A type, for messages."""
    return hint.__name__ if isinstance(hint, type) else str(hint).replace("typing.", "")


Read = Callable[[Any], Any]
"""Makes what an annotation says from a Value or a scalar."""
