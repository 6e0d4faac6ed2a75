"""Values as lines of a terminal: on one line, as tables or as trees; and changes as a diff.

Lines are made one by one, so that the first appear before the last are made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from rich.cells import cell_len
from rich.text import Text

import immutabledata as imd

from ..output import printable
from .results import UNKNOWN, Changed, Typed
from .values import difference, is_array, is_container, to_value

_KEY = "cyan"
_STRING = "green"
_NUMBER = "yellow"
_WORD = "magenta"
_FAINT = "dim"
_ADDED = "green"
_REMOVED = "red"
_CHANGED = "yellow"

FOLDED = 20
# How deep a value on one line may nest.
_MAX_DEPTH = 64
# How many rows determine the widths of the columns of a table.
_SAMPLE = 100
_MAX_COLUMNS = 12
_MIN_COLUMN = 6


@dataclass(frozen=True)
class Layout:
    """How much room there is."""

    width: int = 80
    is_whole: bool = False
    """Whether no value is cut."""
    is_ascii: bool = False
    limit: int | None = FOLDED
    """How many elements, members or changes are shown of more; None: all."""
    folded: list[str] = field(default_factory=list, compare=False)
    """What was left out so far."""

    def more(self, text: str) -> str:
        """A text in place of what is left out."""
        self.folded.append(text)
        return f"{self.ellipsis} {text}"

    @property
    def deepest(self) -> int:
        """How far members may be indented."""
        return 3 * _MAX_DEPTH if self.is_whole else max(self.width - 12, 0)

    @property
    def ellipsis(self) -> str:
        return "..." if self.is_ascii else "…"


def render_value(data: Any, layout: Layout) -> Iterator[Text]:
    """A value: as a table if it has similar objects, on one line if it fits, else as a tree."""
    columns = _columns(data)
    if columns and _widths(columns, _LazyRows(data)[:_SAMPLE], layout) is not None:
        yield from render_table(columns, _LazyRows(data), layout)
        return
    line = inline(data, layout.width)
    if line is not None:
        yield line
        return
    if isinstance(data, str):
        yield from _long_text(data, layout)
        return
    yield from _branches(data, Text(), layout, is_root=True)


# ---- On one line ---------------------------------------------------------------------------------


def inline(data: Any, limit: int) -> Text | None:
    """A value as JSON on one line; None if it takes more cells than the limit.

    Complexity: O(limit).
    """
    text = Text()
    return text if _write(data, text, limit, 0) >= 0 else None


def _write(data: Any, text: Text, room: int, depth: int) -> int:
    """Appends a value, and returns how many of the cells are left; a negative number: too few.

    Then the beginning of the value was appended, which fills them.
    """
    if isinstance(data, Mapping):
        return _write_all("{", "}", _members(data), text, room, depth)
    if is_array(data):
        return _write_all("[", "]", (("", each) for each in data), text, room, depth)
    if isinstance(data, str) and len(data) > room:
        text.append(quote(data[: room + 1])[:-1], _STRING)
        return -1
    scalar = _scalar(data)
    text.append_text(scalar)
    return room - scalar.cell_len


def _write_all(
    opening: str,
    closing: str,
    items: Iterable[tuple[str, Any]],
    text: Text,
    room: int,
    depth: int,
) -> int:
    if depth > _MAX_DEPTH:
        return -1
    text.append(opening)
    room -= 2
    is_first = True
    for key, value in items:
        if room < 0:
            return room
        if not is_first:
            text.append(", ")
            room -= 2
        is_first = False
        if opening == "{":
            is_short = len(key) <= room
            name = quote(key if is_short else key[: room + 1])
            text.append(name, _KEY).append(": ")
            if not is_short:
                return -1
            room -= cell_len(name) + 2
        room = _write(value, text, room, depth + 1)
    text.append(closing)
    return room


def _members(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in data:
        yield key, data[key]


def _scalar(data: Any) -> Text:
    if isinstance(data, str):
        return Text(quote(data), _STRING)
    style = _WORD if data is None or isinstance(data, bool) else _NUMBER
    return Text(json.dumps(data), style)


def quote(text: str) -> str:
    """A text as JSON, without characters that control a terminal."""
    return printable(json.dumps(text, ensure_ascii=False))


def cut(data: Any, room: int, layout: Layout) -> Text:
    """A value on one line, of which as much is shown as fits."""
    text = Text()
    if _write(data, text, room, 0) >= 0:
        return text
    text.truncate(max(room - len(layout.ellipsis), 1))
    return text.append(layout.ellipsis, _FAINT)


def _size(data: Any) -> str:
    """An object or array as its size: {3}, [12]."""
    return f"{{{len(data)}}}" if isinstance(data, Mapping) else f"[{len(data):,}]"


def _long_text(data: str, layout: Layout) -> Iterator[Text]:
    """A text by its lines. A folded one is cut, and says how long it is."""
    limit = None if layout.is_whole else layout.width * 5
    for line in data[:limit].split("\n"):
        yield Text(printable(line), _STRING)
    if limit is not None and len(data) > limit:
        yield Text(layout.more(f"{len(data) - limit:,} more characters"), _FAINT)


# ---- Trees ---------------------------------------------------------------------------------------


def _branches(data: Any, indent: Text, layout: Layout, is_root: bool = False) -> Iterator[Text]:
    """The members or elements of a value, one on each line, followed by theirs."""
    total = len(data)
    shown = total if layout.limit is None else min(total, layout.limit)
    if shown + 1 == total:
        shown = total  # The line that says so would take as much room.
    is_object = isinstance(data, Mapping)
    items: Iterable[tuple[Any, Any]] = _members(data) if is_object else enumerate(data)
    for count, (key, value) in enumerate(items, 1):
        if count > shown:
            break
        is_last = count == total
        name = Text(_name(str(key)), _KEY) if is_object else Text(str(key), _FAINT)
        guide = "" if is_root else _guide(is_last, layout)
        line = indent.copy().append(guide, _FAINT).append_text(name).append("  ")
        below = indent.copy().append("" if is_root else _line_below(is_last, layout), _FAINT)
        yield from _branch(value, line, below, layout)
    if shown < total:
        guide = "" if is_root else _guide(True, layout)
        more = layout.more(f"{total - shown:,} more")
        yield indent.copy().append(guide, _FAINT).append(more, _FAINT)


def _branch(value: Any, line: Text, below: Text, layout: Layout) -> Iterator[Text]:
    room = layout.width - line.cell_len
    fits = inline(value, room)
    if fits is not None:
        yield line.append_text(fits)
    elif not is_container(value) or below.cell_len > layout.deepest:
        if layout.is_whole and not is_container(value):
            yield line.append_text(_scalar(value))
        else:
            yield line.append_text(cut(value, max(room, 8), layout))
    else:
        yield line.append(_size(value), _FAINT)
        yield from _branches(value, below, layout)


def _guide(is_last: bool, layout: Layout) -> str:
    if layout.is_ascii:
        return "`- " if is_last else "|- "
    return "└─ " if is_last else "├─ "


def _line_below(is_last: bool, layout: Layout) -> str:
    return "   " if is_last else ("|  " if layout.is_ascii else "│  ")


def _name(key: str) -> str:
    is_plain = re.fullmatch(r"[\w/.@$:-]+", key) is not None
    return key if is_plain else quote(key)


# ---- Tables --------------------------------------------------------------------------------------


class _LazyRows(Sequence[Mapping[str, Any]]):
    """The objects of an array, each with its index as the member ""."""

    def __init__(self, data: Sequence[Any]) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[each] for each in range(len(self))[index]]
        return _row(index, self._data[index])


def _row(index: int, element: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"": index, **{key: element[key] for key in element}}


def _columns(data: Any) -> list[str]:
    """The columns for an array of similar objects; none if it is anything else."""
    if not is_array(data) or len(data) < 2:
        return []
    columns: dict[str, int] = {}
    for each in data if len(data) <= _SAMPLE else [*data[: _SAMPLE - 1], data[-1]]:
        if not isinstance(each, Mapping) or len(each) > _MAX_COLUMNS or "" in each:
            return []
        for key in each:
            columns[key] = columns.get(key, 0) + 1
    is_sparse = any(2 * count < min(len(data), _SAMPLE) for count in columns.values())
    if not columns or len(columns) > _MAX_COLUMNS or is_sparse:
        return []
    return ["", *columns]


def render_table(
    columns: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    layout: Layout,
    has_head: bool = True,
) -> Iterator[Text]:
    """Objects side by side, or below each other if the screen is too narrow."""
    sample = rows[:_SAMPLE]
    widths = _widths(columns, sample, layout)
    if widths is None:  # Too narrow: each row becomes some lines.
        for index, row in enumerate(rows):
            if index == layout.limit:
                yield Text(layout.more(f"{len(rows) - index:,} more"), _FAINT)
                return
            for column in columns:
                if column in row:
                    name = Text(f"{printable(column)}  ", _KEY)
                    yield name.append_text(_cell(row[column], layout.width, layout))
            yield Text()
        return
    right = [_is_numeric(column, sample) for column in columns]
    if has_head:
        head = [Text(printable(column), "bold") for column in columns]
        yield _joined(head, widths, right, layout)
    for index, row in enumerate(rows):
        if index == layout.limit and index + 1 < len(rows):
            yield Text(layout.more(f"{len(rows) - index:,} more"), _FAINT)
            return
        cells = [
            _cell(row[column], width, layout) if column in row else Text()
            for column, width in zip(columns, widths)
        ]
        if columns[0] == "":
            cells[0].stylize(_FAINT)
        yield _joined(cells, widths, right, layout)


def _cell(data: Any, width: int, layout: Layout) -> Text:
    if isinstance(data, datetime):
        return Text(_local(data), _FAINT)
    if isinstance(data, Changed):
        return _changed(data, width, layout)
    if isinstance(data, Typed):
        return _typed(data, width, layout)
    if isinstance(data, str):
        return Text(printable(data.replace("\n", "\\n")), _STRING)
    return cut(data, width, layout)


def _changed(change: Changed, width: int, layout: Layout) -> Text:
    """A change on one line; of an object or array, the first of its parts that have changed."""
    if change.op == "add":
        after = cut(change.after, width - 2, layout).plain
        return Text().append(f"+ {after}", _ADDED)
    if change.op == "remove":
        before = cut(change.before, width - 2, layout).plain
        return Text().append(f"- {before}", _REMOVED)
    if not is_container(change.before) or not is_container(change.after):
        arrow = " -> " if layout.is_ascii else " → "
        text = Text().append(cut(change.before, width // 2, layout).plain, _REMOVED)
        return text.append(arrow, _FAINT).append(cut(change.after, width, layout).plain, _ADDED)
    patch = difference(change.before, change.after)
    part = replace(layout, width=width)
    text = Text(" ").join(line for each in patch[:1] for line in _change(each, change.before, part))
    return text.append(f", {len(patch) - 1:,} more", _FAINT) if len(patch) > 1 else text


def _typed(action: Typed, width: int, layout: Layout) -> Text:
    text = Text(printable(action.type))
    if isinstance(action.payload, Mapping) and all(name in action.payload for name in action.names):
        is_named = len(action.names) != len(action.payload)
        for name, value in (
            _members(action.payload)
            if is_named
            else ((name, action.payload[name]) for name in action.names)
        ):
            text.append(" ")
            if is_named:
                text.append(f"{_name(name)}=", _KEY)
            text.append_text(_word(value, max(width - text.cell_len, 1), layout))
            if text.cell_len > width:
                break
    elif action.has_payload:
        text.append(" ").append_text(cut(action.payload, max(width - text.cell_len, 1), layout))
    return text


def _word(value: Any, width: int, layout: Layout) -> Text:
    """A value as it can be typed: a pointer needs no quotation marks."""
    if isinstance(value, str) and re.fullmatch(r"/[\w/.~-]*", value):
        return Text(value, _STRING)
    return cut(value, width, layout)


def _local(time: datetime) -> str:
    """The local time; with its day, unless that is today."""
    local = time.astimezone()
    is_today = local.date() == datetime.now().astimezone().date()
    return local.strftime("%H:%M:%S" if is_today else "%Y-%m-%d %H:%M:%S")


def _widths(
    columns: Sequence[str], sample: Sequence[Mapping[str, Any]], layout: Layout
) -> list[int] | None:
    """The width of each column; None if they do not fit side by side. Whole ones are not cut."""
    widths = []
    for column in columns:
        cells = (_cell(row[column], layout.width, layout) for row in sample if column in row)
        widths.append(max([cell_len(column), *(cell.cell_len for cell in cells)]))
    excess = sum(widths) + 2 * (len(widths) - 1) - layout.width
    if excess > 0 and layout.is_whole:
        return None
    while excess > 0:
        widest = max(range(len(widths)), key=widths.__getitem__)
        if widths[widest] <= _MIN_COLUMN:
            return None
        others = sorted(widths)[-2] if len(widths) > 1 else 0
        step = min(excess, max(widths[widest] - max(others, _MIN_COLUMN), 1))
        widths[widest] -= step
        excess -= step
    return widths


def _is_numeric(column: str, sample: Sequence[Mapping[str, Any]]) -> bool:
    values = [row[column] for row in sample if column in row]
    return bool(values) and all(
        isinstance(each, (int, float)) and not isinstance(each, bool) for each in values
    )


def _joined(
    cells: Sequence[Text], widths: Sequence[int], right: Sequence[bool], layout: Layout
) -> Text:
    line = Text()
    for index, (cell, width, is_right) in enumerate(zip(cells, widths, right)):
        if cell.cell_len > width:
            cell.truncate(width - 1 if width > 1 else 1)
            cell.append("." if layout.is_ascii else "…", _FAINT)
        if is_right:
            line.append(" " * (width - cell.cell_len))
        line.append_text(cell)
        if index + 1 < len(cells):
            line.append(" " * ((0 if is_right else width - cell.cell_len) + 2))
    line.rstrip()
    return line


# ---- Changes -------------------------------------------------------------------------------------


def render_changes(
    patch: Sequence[Mapping[str, Any]], before: Any, layout: Layout
) -> Iterator[Text]:
    """A JSON Patch as a diff. What was there before is shown if it is known."""
    current = before
    removed = 0
    for index, operation in enumerate(patch):
        if layout.limit is not None and index >= layout.limit and index + 1 < len(patch):
            yield Text(layout.more(f"{len(patch) - index:,} more changes"), _FAINT)
            return
        is_same = index > 0 and _is_removal(operation) and operation == patch[index - 1]
        removed = removed + 1 if is_same else 0
        yield from _change(operation, current, layout, removed)
        if before is not UNKNOWN:
            current = _patched(current, operation)


def _is_removal(operation: Mapping[str, Any]) -> bool:
    """Whether an element of an array is removed, so that the next one takes its place."""
    path: str = operation["path"]
    return operation["op"] == "remove" and path.rpartition("/")[2].isdecimal()


def _change(
    operation: Mapping[str, Any], current: Any, layout: Layout, removed: int = 0
) -> Iterator[Text]:
    """An operation of a JSON Patch.

    removed: how many elements the operations before it have removed from the same place, so that
        the path is that which the element had.
    """
    kind, path = operation["op"], operation["path"]
    is_known = current is not UNKNOWN
    old = _at(current, path) if is_known else None
    name = printable(path) or "(the state)"
    if removed:
        parent, _, step = path.rpartition("/")
        name = printable(f"{parent}/{int(step) + removed}")
    if kind == "add" and path:
        yield _sign("+", name, operation["value"], _ADDED, layout)
    elif kind == "remove":
        if is_known:
            yield _sign("-", name, old, _REMOVED, layout)
        else:
            yield Text(f"- {name}", _REMOVED)
    elif kind in ("add", "replace"):
        new = operation["value"]
        if not is_known:
            yield _sign("~", name, new, _CHANGED, layout)
            return
        line = _replaced(name, old, new, layout)
        if line is not None:
            yield line
        else:
            yield _sign("-", name, old, _REMOVED, layout)
            yield _sign("+", name, new, _ADDED, layout)
    else:
        yield Text(f"~ {name}", _CHANGED).append(f"  {kind} of {operation.get('from', '')}", _FAINT)


def _replaced(name: str, old: Any, new: Any, layout: Layout) -> Text | None:
    """A change on one line, if it fits."""
    arrow = " -> " if layout.is_ascii else " → "
    line = Text().append(f"~ {name}  ", _CHANGED)
    room = layout.width - line.cell_len - len(arrow)
    left = inline(old, room)
    if left is None:
        return None
    right = inline(new, room - left.cell_len)
    if right is None:
        return None
    return line.append(left.plain, _REMOVED).append(arrow, _FAINT).append(right.plain, _ADDED)


def _sign(sign: str, name: str, value: Any, style: str, layout: Layout) -> Text:
    line = Text(f"{sign} {name}  ", style)
    room = max(layout.width - line.cell_len, 8)
    if layout.is_whole:
        shown = inline(value, 1_000_000) or cut(value, room, layout)
    else:
        shown = cut(value, room, layout)
    return line.append(shown.plain, style)


def _at(data: Any, path: str) -> Any:
    if not path:
        return data
    try:
        return to_value(data).at(path)
    except (imd.Error, TypeError, AttributeError):
        return None


def _patched(data: Any, operation: Mapping[str, Any]) -> Any:
    if not operation["path"] and operation["op"] in ("add", "replace"):
        return operation["value"]
    try:
        return to_value(data).patch([operation])
    except (imd.Error, TypeError, AttributeError):
        return UNKNOWN
