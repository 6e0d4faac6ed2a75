"""JSON Patch (RFC 6902) on plain data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ._compare import equal
from ._held import Held
from ._json import is_array
from ._value import Value, value
from .errors import InvalidArgumentError, NotFoundError


def apply_patch(data: Any, patch: Any, /) -> Any:
    """Plain data changed by a JSON Patch (RFC 6902): by all of its operations, or by none.

        mirror = imd.apply_patch(mirror, patch)

    The data stays as it is; the result shares with it, and with the patch, all that did not
    change. Of a Value plain data is made first.

    Raises InvalidArgumentError: no patch, or a "test" that does not hold.
    Raises NotFoundError: an operation that leads nowhere. The message says which one.

    Complexity: that of copying each dict and list that is changed, once.
    """
    document = _Document(_plain(data))
    if not is_array(patch):
        raise InvalidArgumentError(f"a JSON Patch must be an array of operations, not {_a(patch)}")
    for number, operation in enumerate(patch):
        try:
            _apply(operation, document)
        except (InvalidArgumentError, NotFoundError) as error:
            raise type(error)(f"operation {number}: {error}") from None
    return document.root


def _apply(operation: Any, document: _Document) -> None:
    if not isinstance(operation, Mapping):
        raise InvalidArgumentError(f"it must be an object, not {_a(operation)}")
    name = _text(operation, "op")
    if name == "add":
        document.add(_pointer(operation, "path"), _plain(_member(operation, "value")))
    elif name == "remove":
        document.remove(_pointer(operation, "path"))
    elif name == "replace":
        document.replace(_pointer(operation, "path"), _plain(_member(operation, "value")))
    elif name == "move":
        document.move(_pointer(operation, "from"), _pointer(operation, "path"))
    elif name == "copy":
        document.copy(_pointer(operation, "from"), _pointer(operation, "path"))
    elif name == "test":
        document.test(_pointer(operation, "path"), _member(operation, "value"))
    else:
        raise InvalidArgumentError(
            f'"op" is {_quoted(name)}; it must be "add", "remove", "replace", "move", "copy" or '
            '"test"'
        )


class _Document:
    """Data that is being changed. Containers are copied before they are, but each only once."""

    def __init__(self, root: Any) -> None:
        self.root = root
        # The containers that were made here, and stand in one place of the data, by their id.
        self._own: dict[int, Any] = {}

    def get(self, path: list[str]) -> Any:
        part = self.root
        for position in range(len(path)):
            key = _place(part, path, position)
            _require(part, key, path, position)
            part = part[key]
        return part

    def add(self, path: list[str], part: Any) -> None:
        if not path:
            self.root = part
            return
        parent, key = self._editable(path)
        if isinstance(parent, dict):
            parent[key] = part
        elif key <= len(parent):
            parent.insert(key, part)
        else:
            raise _nothing(parent, path, len(path) - 1)

    def remove(self, path: list[str]) -> None:
        if not path:
            raise InvalidArgumentError("the whole value cannot be removed")
        parent, key = self._editable(path)
        _require(parent, key, path, len(path) - 1)
        del parent[key]

    def replace(self, path: list[str], part: Any) -> None:
        self.get(path)
        if not path:
            self.root = part
            return
        parent, key = self._editable(path)
        parent[key] = part

    def move(self, source: list[str], path: list[str]) -> None:
        part = self.get(source)
        if path == source:
            return
        if path[: len(source)] == source:
            raise InvalidArgumentError(f"{_quoted_path(source)} cannot be moved into itself")
        self.remove(source)
        self.add(path, part)

    def copy(self, source: list[str], path: list[str]) -> None:
        part = self.get(source)
        # From now on it stands in two places, and what is in it too.
        self._own.clear()
        self.add(path, part)

    def test(self, path: list[str], expected: Any) -> None:
        found = self.get(path)
        # In lists, since equal compares containers.
        if not equal([found], [expected]):
            raise InvalidArgumentError(
                f"{_quoted_path(path)} is {_brief(found)}, {_other_than(found, expected)}"
            )

    def _editable(self, path: list[str]) -> tuple[Any, Any]:
        """The container that a path leads into, and the key there; the way is made ours."""
        parent = self.root = self._ours(self.root)
        for position in range(len(path) - 1):
            key = _place(parent, path, position)
            _require(parent, key, path, position)
            parent[key] = self._ours(parent[key])
            parent = parent[key]
        return parent, _place(parent, path, len(path) - 1)

    def _ours(self, part: Any) -> Any:
        if id(part) in self._own:
            return part
        if isinstance(part, Mapping):
            part = dict(part)
        elif is_array(part):
            part = list(part)
        else:
            return part
        self._own[id(part)] = part
        return part


# ---- Places --------------------------------------------------------------------------------------


def _place(parent: Any, path: list[str], position: int) -> Any:
    """The key or index that one step of a path is; there need not be anything."""
    step = path[position]
    if isinstance(parent, Mapping):
        return step
    if not is_array(parent):
        raise InvalidArgumentError(_where(path, position, f"is {_a(parent)}"))
    if step == "-":
        return len(parent)
    if not (step.isascii() and step.isdigit()) or (step[0] == "0" and step != "0"):
        reason = f"is an array, and {_quoted(step)} is not an index"
        raise InvalidArgumentError(_where(path, position, reason))
    # One with more digits than an int is read of is an index too, and no list has it.
    return int(step) if len(step) < 20 else 10**20


def _require(parent: Any, key: Any, path: list[str], position: int) -> None:
    there = key in parent if isinstance(parent, Mapping) else key < len(parent)
    if not there:
        raise _nothing(parent, path, position)


def _nothing(parent: Any, path: list[str], position: int) -> NotFoundError:
    if isinstance(parent, Mapping):
        reason = f"has no member {_quoted(path[position])}"
    else:
        count = len(parent)
        reason = f"has {count or 'no'} element{'s' * (count != 1)}"
    return NotFoundError(_where(path, position, reason))


def _where(path: list[str], position: int, reason: str) -> str:
    return f"nothing at {_quoted_path(path)}: {_quoted_path(path[:position])} {reason}"


# ---- Reading operations --------------------------------------------------------------------------


def _member(operation: Mapping[str, Any], name: str) -> Any:
    if name not in operation:
        raise InvalidArgumentError(f"the member {_quoted(name)} is missing")
    return operation[name]


def _text(operation: Mapping[str, Any], name: str) -> str:
    text = _member(operation, name)
    if not isinstance(text, str):
        raise InvalidArgumentError(f"{_quoted(name)} must be a string, not {_a(text)}")
    return text


def _pointer(operation: Mapping[str, Any], name: str) -> list[str]:
    """The steps of a JSON Pointer (RFC 6901), not escaped."""
    text = _text(operation, name)
    if not text:
        return []
    if text[0] != "/":
        reason = 'it must be empty or begin with "/"'
        raise InvalidArgumentError(f"{_quoted(text)} is not a JSON Pointer: {reason}")
    return list(_steps(text))


def _steps(text: str) -> Iterator[str]:
    for step in text[1:].split("/"):
        if "~" in step.replace("~0", "").replace("~1", ""):
            raise InvalidArgumentError(
                f'{_quoted(text)} is not a JSON Pointer: each "~" must be followed by 0 or 1'
            )
        yield step.replace("~1", "/").replace("~0", "~")


def _plain(data: Any) -> Any:
    """Data without a Value or draft for the whole."""
    if isinstance(data, Held):
        data = value(data)
    return data.to_python() if isinstance(data, Value) else data


# ---- Words ---------------------------------------------------------------------------------------


def _a(part: Any) -> str:
    """What something is, as the library calls it."""
    if part is None:
        return "null"
    for kind, words in (
        (bool, "a boolean"),
        (int, "an integer"),
        (float, "a number"),
        (str, "a string"),
        (Mapping, "an object"),
    ):
        if isinstance(part, kind):
            return words
    return "an array" if is_array(part) else f"a {type(part).__name__}"


def _brief(part: Any) -> str:
    if isinstance(part, str):
        return _quoted(part)
    if part is None or isinstance(part, (int, float)):
        return json.dumps(part)
    return _a(part)


def _other_than(found: Any, expected: Any) -> str:
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        return "but not the expected one"
    if is_array(found) and is_array(expected):
        return "but not the expected one"
    return f"not {_brief(expected)}"


def _quoted(text: str) -> str:
    """Text as messages show it: cut where it is long."""
    return json.dumps(text if len(text) <= 48 else text[:48] + "…", ensure_ascii=False)


def _quoted_path(path: list[str]) -> str:
    if not path:
        return "the whole value"
    return _quoted("".join("/" + step.replace("~", "~0").replace("/", "~1") for step in path))
