"""JSON Patch (RFC 6902) on plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .._library_data import LibraryData
from .equality import equal
from .json_text import encode, is_array
from .value import patched


class Patch(list[dict[str, Any]]):
    """The operations of a JSON Patch (RFC 6902).

    That of an observer turns the output delivered before into the current one, that of a preview the
    state into the one that the actions would make.

    Apply it to plain data with apply_patch, to a Value with Value.patch.
    """

    __slots__ = ()

    def to_json(self) -> str:
        """Writes the patch as JSON."""
        return encode(self, "the patch").decode()


def apply_patch(data: Any, patch: Any, /) -> Any:
    """Applies a JSON Patch (RFC 6902) to plain data: all operations or none.

        mirror = imd.apply_patch(mirror, patch)

    Returns new data and leaves the old unchanged; both share all unchanged parts. The new data also
    shares the parts that the patch adds. A Value is converted to plain data first.

    Raises InvalidArgumentError: not a patch, or a "test" that fails.
    Raises NotFoundError: the path of an operation leads to nothing. The message says which
    operation.

    Complexity: each dict or list that changes is copied once, and after a "copy" operation once
    more. A patch that fails takes O(n), where n is the length of the data as JSON.
    """
    data = _to_plain(data)
    try:
        return _patched(data, patch)
    except _RejectedError:
        pass
    # The library rejects the same patches, and reports why.
    return _to_plain(patched(data, patch))


class _RejectedError(Exception):
    """The patch cannot be applied."""


def _patched(data: Any, patch: Any) -> Any:
    document = _Document(data)
    if not is_array(patch):
        raise _RejectedError
    for operation in patch:
        document.apply(operation)
    return document.root


class _Document:
    """Data that is being changed. A container is copied before its first change."""

    def __init__(self, root: Any) -> None:
        self.root = root
        # The copies, by id. Each is in one place of the data only, so it can be changed in place.
        self._copies: dict[int, Any] = {}

    def apply(self, operation: Any) -> None:
        name, path = _member(operation, "op"), _steps(_member(operation, "path"))
        if name == "add":
            self._add(path, _to_plain(_member(operation, "value")))
        elif name == "remove":
            self._remove(path)
        elif name == "replace":
            self._replace(path, _to_plain(_member(operation, "value")))
        elif name == "move":
            self._move(_steps(_member(operation, "from")), path)
        elif name == "copy":
            self._copy(_steps(_member(operation, "from")), path)
        elif name == "test":
            self._test(path, _member(operation, "value"))
        else:
            raise _RejectedError

    def _add(self, path: list[str], part: Any) -> None:
        if not path:
            self.root = part
            return
        parent, step = self._editable(path), path[-1]
        if isinstance(parent, dict):
            parent[step] = part
        elif isinstance(parent, list):
            at = len(parent) if step == "-" else _index(step)
            if at > len(parent):
                raise _RejectedError
            parent.insert(at, part)
        else:
            raise _RejectedError

    def _remove(self, path: list[str]) -> None:
        if not path:
            raise _RejectedError
        parent = self._editable(path)
        del parent[_key(parent, path[-1])]

    def _replace(self, path: list[str], part: Any) -> None:
        if not path:
            self.root = part
            return
        parent = self._editable(path)
        parent[_key(parent, path[-1])] = part

    def _move(self, source: list[str], path: list[str]) -> None:
        part = self._get(source)
        if path == source:
            return
        if path[: len(source)] == source:
            raise _RejectedError
        self._remove(source)
        self._add(path, part)

    def _copy(self, source: list[str], path: list[str]) -> None:
        part = self._get(source)
        # From now on the part, with all copies inside it, is in two places.
        self._copies.clear()
        self._add(path, part)

    def _test(self, path: list[str], expected: Any) -> None:
        # In lists, because equal compares containers.
        if not equal([self._get(path)], [expected]):
            raise _RejectedError

    def _get(self, path: list[str]) -> Any:
        part = self.root
        for step in path:
            part = part[_key(part, step)]
        return part

    def _editable(self, path: list[str]) -> Any:
        """The container that the last step of a path leads into; copies all on the way to it."""
        parent = self.root = self._copied(self.root)
        for step in path[:-1]:
            key = _key(parent, step)
            child = parent[key] = self._copied(parent[key])
            parent = child
        return parent

    def _copied(self, part: Any) -> Any:
        if id(part) in self._copies:
            return part
        if isinstance(part, Mapping):
            part = dict(part)
        elif is_array(part):
            part = list(part)
        else:
            return part
        self._copies[id(part)] = part
        return part


_INDEX = re.compile("0|[1-9][0-9]{0,18}")
_INVALID_ESCAPE = re.compile("~(?![01])")


def _key(container: Any, step: str) -> Any:
    """The key or index of an existing part of a container."""
    if isinstance(container, Mapping):
        if step in container:
            return step
    elif is_array(container):
        at = _index(step)
        if at < len(container):
            return at
    raise _RejectedError


def _index(step: str) -> int:
    if not _INDEX.fullmatch(step):
        raise _RejectedError
    return int(step)


def _member(operation: Any, name: str) -> Any:
    if not isinstance(operation, Mapping) or name not in operation:
        raise _RejectedError
    return operation[name]


def _steps(pointer: Any) -> list[str]:
    """The unescaped steps of a JSON Pointer (RFC 6901)."""
    if not isinstance(pointer, str) or (pointer and pointer[0] != "/"):
        raise _RejectedError
    if _INVALID_ESCAPE.search(pointer):
        raise _RejectedError
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _to_plain(data: Any) -> Any:
    """Converts a Value or a draft, of any library, to plain data."""
    return data._reference().to_python() if isinstance(data, LibraryData) else data
