"""The numbers of the elements of an array that is being changed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

_BLOCK = 64


class Numbering:
    """Gives each element of an array a number, which the element keeps when its index changes.

    The numbers are runs: ranges, in the order of the elements. At first, there is one run, in which
    the number of each element is its index. A change in the middle cuts a run, and new elements get
    new numbers, which are negative. Two elements inserted at 3, and then the one at 1 removed:

        0 1 2 3 4 …    0 1 2 | -2 -1 | 3 4 …    0 | 2 | -2 -1 | 3 4 …

    The last run has no end, so elements that are added at the end have numbers already.

    The runs are in blocks of at most 128, each with the count of its elements. To find an index,
    blocks are skipped, and then runs: O(128 + r / 64) short steps for r runs, as for any change. So
    what counts is how often the array was changed in the middle, not its length.
    """

    __slots__ = ("_blocks", "_counts", "_lowest")

    def __init__(self) -> None:
        endless = range(1 << 62)
        self._blocks = [[endless]]
        self._counts = [len(endless)]
        self._lowest = 0

    def copy(self) -> Numbering:
        result = Numbering()
        result._blocks = [list(block) for block in self._blocks]
        result._counts = list(self._counts)
        result._lowest = self._lowest
        return result

    def number(self, index: int) -> int:
        """The number of the element at an index."""
        block, at, offset = self._find(index)
        return self._blocks[block][at][offset]

    def remove(self, index: int, count: int) -> list[range]:
        """Removes elements from an index on; returns their numbers."""
        removed = []
        while count:
            block, at, offset = self._find(index)
            run = self._blocks[block][at]
            end = min(offset + count, len(run))
            self._replace(block, at, (run[:offset], run[end:]), offset - end)
            removed.append(run[offset:end])
            count -= end - offset
        return removed

    def insert(self, index: int, count: int) -> int:
        """Inserts elements before an index; returns the number of the first. The others follow."""
        block, at, offset = self._find(index)
        run = self._blocks[block][at]
        end = self._lowest
        self._lowest -= count
        self._replace(
            block, at, (run[:offset], range(self._lowest, end), run[offset:]), count
        )
        return self._lowest

    def indices(self, numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
        """The numbers of some elements, each with its index. O((r + k) log r) for k numbers."""
        starts = []
        index = 0
        for block in self._blocks:
            for run in block:
                starts.append((run.start, index))
                index += len(run)
        starts.sort()
        firsts = [first for first, _ in starts]
        for number in numbers:
            first, index = starts[bisect_right(firsts, number) - 1]
            yield number, index + number - first

    def _find(self, index: int) -> tuple[int, int, int]:
        """The block of an element, its run in the block, and its offset in the run."""
        block, rest = _skip(self._counts, index)
        at, offset = _skip(map(len, self._blocks[block]), rest)
        return block, at, offset

    def _replace(self, block: int, at: int, runs: Iterable[range], growth: int) -> None:
        """Replaces a run by others, of which some may be empty."""
        changed = self._blocks[block]
        changed[at : at + 1] = [run for run in runs if run]
        self._counts[block] += growth
        if len(changed) > 2 * _BLOCK:
            halves = [changed[:_BLOCK], changed[_BLOCK:]]
            self._blocks[block : block + 1] = halves
            self._counts[block : block + 1] = [sum(map(len, half)) for half in halves]


def _skip(counts: Iterable[int], index: int) -> tuple[int, int]:
    """The part that contains an index, given the counts of all parts, and the index in that part."""
    for part, count in enumerate(counts):
        if index < count:
            return part, index
        index -= count
    raise AssertionError("the last run has no end")
