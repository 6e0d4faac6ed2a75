"""The states of a store after its commits."""

from __future__ import annotations

import sys
import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Callable, Optional

import immutabledata as imd

from .failures import UnknownStateError

Patches = Callable[[int, int], Iterable[tuple[int, Optional[str]]]]
"""Yields the numbers and the patches of the commits after one, up to another."""

MOST_KEYFRAMES = 256
MOST_BYTES = 512 << 20
"""How many bytes of patches may lie between keyframes: about what they have that is not shared."""

_DISTANCE = 256
_DISTANCE_IN_BYTES = 1 << 20
# How many patches are applied at once.
_AT_ONCE = 1024
# How many states that were asked for are remembered.
_REMEMBERED = 32


class _Keyframe:
    def __init__(self, number: int, state: Any, cost: int) -> None:
        self.number = number
        self.state = state
        self.cost = cost
        """The bytes of the patches since the keyframe before."""


class States:
    """Some states, which are keyframes, in memory; the others are made of them by patches.

    If there are too many keyframes, every other one goes, and the next ones have twice the
    distance. Any thread may use it.
    """

    def __init__(self, patches: Patches, most: int = MOST_KEYFRAMES) -> None:
        self._patches = patches
        self._most = most
        self._lock = threading.RLock()
        self._anchored = threading.Condition(self._lock)
        self._keyframes: list[_Keyframe] = []
        self._distance, self._bytes = _DISTANCE, _DISTANCE_IN_BYTES
        self._head: tuple[int, Any] | None = None
        """The newest state that was made, and its number."""
        self._tail: list[str] = []
        """The patches after it."""
        self._tail_bytes = self._cost = 0
        self._remembered: OrderedDict[int, Any] = OrderedDict()

    @property
    def is_broken(self) -> bool:
        """Whether later states are not known until one is read as a whole."""
        return self._head is None

    @property
    def keyframes(self) -> int:
        return len(self._keyframes)

    @property
    def distance(self) -> int:
        """How many commits are between keyframes, at least."""
        return self._distance

    # ---- As commits arrive -----------------------------------------------------------------------

    def anchor(self, number: int, state: Any, size: int = 0) -> None:
        """Continues with the state after a commit, which has some bytes as JSON."""
        with self._lock:
            if self._head is not None and number < self._head[0] + len(self._tail):
                return
            self._head = number, state
            self._tail.clear()
            self._tail_bytes = 0
            self._cost = size
            self._keep(number, state)
            self._anchored.notify_all()

    def add(self, number: int, patch: str | None) -> None:
        """Continues with the patch of a commit. The states end if it has none or is not the next."""
        with self._lock:
            if self._head is None:
                return
            last = self._head[0] + len(self._tail)
            if number <= last:
                return  # The state that was read has it.
            if patch is None or number != last + 1:
                self._end()
                return
            self._tail.append(patch)
            self._tail_bytes += len(patch)
            if len(self._tail) >= _DISTANCE or self._tail_bytes >= _DISTANCE_IN_BYTES:
                self._advance()

    def end(self) -> None:
        """Later states are not known."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._advance()
        if self._head is not None:
            self._remember(*self._head)
        self._head = None

    def _advance(self) -> None:
        """Makes the newest state."""
        if self._head is None or not self._tail:
            return
        number, state = self._head
        texts, self._tail = self._tail, []
        self._cost += self._tail_bytes
        self._tail_bytes = 0
        try:
            state = _apply(state, texts)
        except imd.Error:
            self._remember(number, state)
            self._head = None
            return
        number += len(texts)
        self._head = number, state
        since = number - (self._keyframes[-1].number if self._keyframes else 0)
        if since >= self._distance or self._cost >= self._bytes:
            self._keep(number, state)

    def _keep(self, number: int, state: Any) -> None:
        if self._keyframes and self._keyframes[-1].number >= number:
            return
        self._keyframes.append(_Keyframe(number, state, self._cost))
        self._cost = 0
        total = sum(each.cost for each in self._keyframes[1:])
        if len(self._keyframes) > self._most or (
            total > MOST_BYTES and len(self._keyframes) > 2
        ):
            self._thin_out()

    def _thin_out(self) -> None:
        self._distance *= 2
        self._bytes *= 2
        *older, last = self._keyframes
        # The cost of those that go stays out: what both neighbours have not in common is unknown.
        self._keyframes = [*older[::2], last]

    def forget_before(self, number: int) -> None:
        """Forgets the states before one, because the patches before it will be removed."""
        try:
            state = self.at(number)
        except UnknownStateError:
            kept = [each for each in self._keyframes if each.number >= number]
        else:
            kept = [each for each in self._keyframes if each.number > number]
            kept.insert(0, _Keyframe(number, state, 0))
        with self._lock:
            later = [each for each in self._keyframes if not kept or each.number > kept[-1].number]
            self._keyframes = kept + later
            for each in [each for each in self._remembered if each < number]:
                del self._remembered[each]

    # ---- When they are asked for -----------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        """Waits until the newest state is known, or for some seconds."""
        with self._anchored:
            self._anchored.wait_for(lambda: self._head is not None, seconds)

    def newest(self) -> tuple[int, Any]:
        """The newest state that is known, and its number. Raises UnknownStateError: none is."""
        with self._lock:
            self._advance()
            if self._head is not None:
                return self._head
        raise UnknownStateError("the state is not known yet")

    def at(self, number: int) -> Any:
        """The state after a commit. Raises UnknownStateError: it is not known."""
        with self._lock:
            if self._head is not None and number == self._head[0] + len(self._tail):
                self._advance()
                if self._head is not None:
                    return self._head[1]
            if number in self._remembered:
                self._remembered.move_to_end(number)
                return self._remembered[number]
            base = self._base(number)
        if base is None:
            raise _unknown(number)
        return self._replay(*base, number)

    def after(self, number: int, state: Any) -> Iterator[tuple[int, Any]]:
        """The states after the commits that follow one, and their numbers, until one is missing.

        state: that after the commit. Raises UnknownStateError: a patch cannot be applied.
        """
        for each, patch in self._patches(number, sys.maxsize):
            if patch is None or each != number + 1:
                return
            number, state = each, self._applied(state, [patch], each)
            yield number, state

    def next_known(self, number: int) -> int | None:
        """The first keyframe at a commit or after it."""
        with self._lock:
            numbers = [each.number for each in self._keyframes]
        index = bisect_left(numbers, number)
        return numbers[index] if index < len(numbers) else None

    def _base(self, number: int) -> tuple[int, Any] | None:
        """The nearest state before, and its number."""
        known = [(each, self._remembered[each]) for each in self._remembered if each <= number]
        index = bisect_right([each.number for each in self._keyframes], number)
        if index:
            keyframe = self._keyframes[index - 1]
            known.append((keyframe.number, keyframe.state))
        if self._head is not None and self._head[0] <= number:
            known.append(self._head)
        return max(known, key=lambda each: each[0], default=None)

    def _replay(self, start: int, state: Any, number: int) -> Any:
        """Applies patches to a state. The last states on the way are remembered, for steps back."""
        texts: list[str] = []
        size, done = 0, start
        for each, patch in self._patches(start, number):
            if patch is None or each != done + len(texts) + 1:
                raise _unknown(number)
            texts.append(patch)
            size += len(patch)
            if len(texts) >= _AT_ONCE or size >= _DISTANCE_IN_BYTES:
                state, done = self._applied(state, texts, number), done + len(texts)
                if number - done < 4 * _AT_ONCE:
                    self._remember(done, state)
                texts, size = [], 0
        if done + len(texts) != number:
            raise _unknown(number)
        state = self._applied(state, texts, number)
        self._remember(number, state)
        return state

    def _applied(self, state: Any, texts: Sequence[str], number: int) -> Any:
        try:
            return _apply(state, texts)
        except imd.Error:
            raise _unknown(number) from None

    def _remember(self, number: int, state: Any) -> None:
        with self._lock:
            self._remembered[number] = state
            self._remembered.move_to_end(number)
            while len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)


def _unknown(number: int) -> UnknownStateError:
    return UnknownStateError(f"the state after commit {number} is not known: commits are missing")


def _apply(state: Any, texts: Sequence[str]) -> Any:
    """Applies patches, all at once if the library does that within its budget."""
    if not texts:
        return state
    try:
        operations = ",".join(text[1:-1] for text in texts if len(text) > 2)
        return _patched(state, imd.from_json(f"[{operations}]"))
    except imd.LimitError:
        for text in texts:
            state = _patched(state, imd.from_json(text))
        return state


def _patched(state: Any, operations: Any) -> Any:
    """Applies a patch to a state, which may be a scalar: then an operation replaces it."""
    done = 0
    while done < len(operations) and not isinstance(state, imd.Value):
        if operations[done]["path"]:
            raise imd.NotFoundError(f"nothing at {operations[done]['path']}")
        state = operations[done]["value"]
        done += 1
    return state if done == len(operations) else state.patch(operations[done:])
