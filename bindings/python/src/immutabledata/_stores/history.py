"""The history of a store: undo and redo, and the steps that can be shown again."""

from __future__ import annotations

import json
import operator
from collections.abc import Iterator, Sequence
from ctypes import c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from .. import _ffi
from .._values import Patch, from_json, take, to_python
from .._values.path import Path, encode_path
from ..errors import Error
from .base import StoreBase
from .options import to_size
from .reducer import send

if TYPE_CHECKING:
    from .group import Group
    from .history_step import HistoryChange, HistoryStep

# How many steps an iteration reads at a time.
_PAGE = 256


class History(Sequence["HistoryStep"]):
    """The steps of a store, oldest first; also those that are undone. It is Store.history.

        for step in store.history:
            print(step.number, step.when, step.type, step.undone)
        store.travel(store.history[-1].number)

    It is a view: each read shows the history at that moment. An iteration reads 256 steps at a
    time; a slice is a list, read at once. Any thread may read.

    Each read raises InvalidArgumentError if the store has no history, ReentrantError inside a
    reducer of the store, and ClosedError if the store is closed.
    """

    __slots__ = ("_store",)

    def __init__(self, store: StoreBase) -> None:
        self._store = store

    @property
    def present(self) -> int:
        """The number of the step that is shown. If none is, 0; or, if the limit has dropped steps,
        the number of the last of those.
        """
        return self._status().present

    @property
    def undo(self) -> int:
        """How many steps can be undone."""
        return self._status().undo

    @property
    def redo(self) -> int:
        """How many steps can be redone."""
        return self._status().redo

    def read(
        self,
        start: int = 0,
        stop: int | None = None,
        /,
        *,
        actions: bool = False,
        patches: bool = False,
    ) -> list[HistoryStep]:
        """The steps of a slice: history.read(-1, patches=True) reads the last step and its patch.

        actions: whether the steps have their actions.
        patches: whether the steps have patches: JSON Patches of what they changed.

        Raises LimitError: the patches take more than limits.work together.
        """
        return self._slice(slice(start, stop), actions, patches)

    def __len__(self) -> int:
        return self._status().total

    @overload
    def __getitem__(self, index: int, /) -> HistoryStep: ...

    @overload
    def __getitem__(self, index: slice, /) -> list[HistoryStep]: ...

    def __getitem__(self, index: int | slice, /) -> HistoryStep | list[HistoryStep]:
        if isinstance(index, slice):
            return self._slice(index)
        place = operator.index(index)
        steps = self._slice(slice(place, place + 1 or None))
        if not steps:
            raise IndexError(f"no step {index} in a history of {len(self)}")
        return steps[0]

    def __iter__(self) -> Iterator[HistoryStep]:
        start = 0
        while True:
            steps = self._read(start, _PAGE)[1]
            yield from steps
            if len(steps) < _PAGE:
                return
            start += _PAGE

    def __reversed__(self) -> Iterator[HistoryStep]:
        return reversed(self[:])

    def __repr__(self) -> str:
        try:
            status = self._status()
        except Error:
            return f"<immutabledata.History of {self._store!r}>"
        steps = "step" if status.total == 1 else "steps"
        return f"<immutabledata.History {status.total} {steps}, {status.redo} undone>"

    def _slice(
        self, part: slice, actions: bool = False, patches: bool = False
    ) -> list[HistoryStep]:
        total = len(self)
        while True:
            indices = range(total)[part]
            if not indices:
                return []
            first, last = min(indices[0], indices[-1]), max(indices[0], indices[-1])
            status, steps = self._read(first, last - first + 1, actions, patches)
            if status.total == total:
                return [steps[index - first] for index in indices]
            total = status.total  # Another thread has changed it meanwhile.

    def _status(self) -> _Status:
        return self._read(0, 0)[0]

    def _read(
        self, start: int, count: int, actions: bool = False, patches: bool = False
    ) -> tuple[_Status, list[HistoryStep]]:
        options: dict[str, Any] = {"from": start, "count": count}
        if actions:
            options["actions"] = True
        if patches:
            options["patches"] = True
        store = self._store._require_handle()
        text = _ffi.bytes_from(_ffi.imd_store_history, store, *_encode(options))
        # Actions and patches may nest deeper than json.loads can read.
        read: Any = from_json(text) if actions or patches else json.loads(text)
        status = _Status(read["present"], read["undo"], read["redo"])
        return status, [_step(entry) for entry in read["entries"]]


class _Status(NamedTuple("_Status", [("present", int), ("undo", int), ("redo", int)])):
    @property
    def total(self) -> int:
        return self.undo + self.redo


def _step(entry: Any) -> HistoryStep:
    from .history_step import HistoryStep

    actions, patch = entry["actions"], entry.get("patch")
    is_count = isinstance(actions, int)
    return HistoryStep(
        number=entry["number"],
        time=entry["time"],
        type=entry["type"],
        count=actions if is_count else len(actions),
        undone=entry["undone"],
        actions=None if is_count else actions,
        patch=None if patch is None else Patch(to_python(patch)),
    )


def _change(entry: Any) -> HistoryChange:
    from .history_step import HistoryChange

    op: Literal["add", "replace", "remove"] = "replace"
    if "before" not in entry:
        op = "add"
    elif "after" not in entry:
        op = "remove"
    return HistoryChange(
        number=entry["number"],
        step=entry["step"],
        time=entry["time"],
        type=entry["type"],
        op=op,
        before=entry.get("before"),
        after=entry.get("after"),
        writer=entry.get("writer", 0),
    )


def _encode(options: dict[str, Any]) -> tuple[bytes, int]:
    text = json.dumps(options).encode()
    return text, len(text)


class HistoryMixin(StoreBase):
    """Undo, redo, travel and blame."""

    __slots__ = ()

    def undo(self, steps: int = 1) -> int:
        """Undoes steps, and returns how many: 0 if there was nothing to undo.

            store = imd.Store(reduce, state=[], history=True)

        A step is an action that changed something, a batch, or the actions of a group;
        HistoryOptions say which. The state becomes the one just before the step. What is undone can
        be redone until the next step.

        Observers are called as after an action, and streams and listeners get the action
        "@@history/undone"; its payload["number"] is the number of the step that is shown now. There
        are no effects, and no rule or filter is called. The selector "@@history" says what can be
        undone and redone, and whether the program has saved the state, see mark_clean:

            {"undo": 3, "redo": 0, "undoType": "items/added", "undoMeta": None,
             "redoType": None, "redoMeta": None, "clean": False}

        Raises InvalidArgumentError: the store has no history; a negative number of steps; or the
        domain does not let one of the steps be undone, for the reason in the message.
        Raises ReentrantError: called inside a reducer, selector, rule, filter or comparison.
        Raises ClosedError: the store is closed.

        Complexity: O(1); in an optimistic store O(n log n) for n updates in flight.
        """
        return self._jump(_ffi.imd_store_undo, steps)

    def redo(self, steps: int = 1) -> int:
        """Redoes steps that were undone, and returns how many: 0 if there was nothing to redo.

        The state becomes the one just after the last of them. Streams and listeners get an action
        "@@history/redone". Otherwise it is like undo, and raises the same.
        """
        return self._jump(_ffi.imd_store_redo, steps)

    def travel(self, number: int) -> None:
        """Shows the state after a step: store.travel(store.history[0].number).

        It undoes or redoes all steps in between. 0 is the number of the state before the first
        step, as long as the limit of the history has dropped none; then it is the number of the
        last step that was dropped. Streams and listeners get an action "@@history/traveled".

        Raises NotFoundError: there is no such step; the message says which there are.
        Raises what undo does.
        """
        place = to_size("the number of a step", number)
        store = self._require_handle()
        send(lambda: _ffi.imd_store_travel(store, place, _ffi.imd_error()))

    def group(self, *, cancel_on_error: bool = False) -> Group:
        """Makes one step of all actions of a with block, also of those of other threads.

            with store.group() as group:
                store.dispatch("moved", 1)
                store.dispatch("moved", 2)
            store.undo()  # Undoes both.

        Inside the block, group.cancel() gives the group up: the state is the one before it.

        Groups nest. Undo, redo and travel end all groups. If together the actions change nothing,
        they are no step, and what could be redone before can be redone again, as after a cancel.

        cancel_on_error: whether an exception cancels the group. Otherwise it ends the group and
        undoes nothing.

        Raises what begin_group does.
        """
        from .group import Group

        return Group(self, cancel_on_error)

    def begin_group(self) -> None:
        """Begins a group that end_group ends, for a drag whose events call different functions.

        Use group where a with statement can enclose the actions.

        Raises InvalidArgumentError: the store has no history.
        Raises LimitError: 256 groups are open.
        Raises ReentrantError: called inside a reducer of the store.
        Raises ClosedError: the store is closed.
        """
        _ffi.imd_store_begin_group(self._require_handle(), _ffi.imd_error())

    def end_group(self) -> None:
        """Ends the group that began last. Does nothing if none is open.

        Raises what begin_group does.
        """
        _ffi.imd_store_end_group(self._require_handle(), _ffi.imd_error())

    def cancel_group(self) -> None:
        """Gives up the group that began last: the state is the one before it. The group has ended.

        What could be redone before can be redone again. What other threads and ignored actions
        changed in the group is given up, too. Streams and listeners get an action
        "@@history/cancelled", unless nothing was committed in the group. Does nothing if none is
        open.

        Raises what undo does. Then the group is still open.
        """
        store = self._require_handle()
        send(lambda: _ffi.imd_store_cancel_group(store, _ffi.imd_error()))

    def mark_clean(self) -> None:
        """Says that the program has saved the state: "clean" of the selector "@@history" is True.

        It is True at first. The next step makes it False; it is True again when undo, redo or
        travel come back to the state that was saved.

        Raises InvalidArgumentError: the store has no history.
        Raises ReentrantError: called inside a reducer of the store.
        Raises ClosedError: the store is closed.
        """
        _ffi.imd_store_mark_clean(self._require_handle(), _ffi.imd_error())

    def blame(self, path: Path, /, *, count: int | None = None) -> list[HistoryChange]:
        """The actions that changed what is at a path of the state, newest first.

            for change in store.blame("/todos/0/title", count=5):
                print(change.when, change.type, change.before, change.after)

        It searches the steps that have not been undone. Of neighbours of one type in a step, such
        as the moves of a drag, it knows only the first and the last.

        path: a JSON Pointer, or a sequence of keys and indices, as for Value.at.
        count: how many changes at most; None: all.

        Raises InvalidArgumentError: the store has no history; an invalid path; a negative count.
        Raises ReentrantError: called inside a reducer of the store.
        Raises ClosedError: the store is closed.

        Complexity: O(log n) for each action that the history has, whatever the count; in the store
        of a domain, the state is encoded for each.
        """
        options = _encode({} if count is None else {"count": to_size("the count", count).value})
        out = c_void_p()
        _ffi.imd_store_blame_value(
            self._require_handle(), encode_path(path), *options, out, _ffi.imd_error()
        )
        return [_change(entry) for entry in take(out)]

    @property
    def history(self) -> History:
        """The steps that can be undone and redone."""
        return History(self)

    def _jump(self, function: Any, steps: int) -> int:
        count = to_size("the number of steps", steps)
        taken = c_size_t()
        store = self._require_handle()
        send(lambda: function(store, count, taken, _ffi.imd_error()))
        return taken.value
