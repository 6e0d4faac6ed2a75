"""The results of the benchmarks of collections."""

from __future__ import annotations

from typing import Any

class Result:
    """The samples of one operation on one collection."""

    def __init__(self, element: dict[str, Any]) -> None:
        name = element["benchmark"].split(".", 3)[3].replace("_", " ")
        self.operation, _, self.collection = name.partition(": ")
        self._metrics: dict[str, Any] = element["secondaryMetrics"]

    def _value(self, metric: str, percentile: str = "50.0") -> float:
        return float(self._metrics[metric]["scorePercentiles"][percentile])

    @property
    def time(self) -> float:
        """Nanoseconds for one operation, in the median."""
        return 1_000 * self._value("Time (wall clock)") / self._value("Operations")

    @property
    def allocations(self) -> float:
        """The blocks that one operation allocates, in the median."""
        return self._value("Allocations") / self._value("Operations")

    @property
    def allocated_bytes(self) -> float:
        return self._value("Allocated bytes") / self._value("Operations")

    @property
    def peak(self) -> float:
        """The largest resident memory of the process, in bytes."""
        return self._value("Memory (resident peak)", "100.0")

    @property
    def records(self) -> int:
        return round(self._value("Records"))

    @property
    def record_bytes(self) -> float:
        """The memory of the collection, divided by the number of its records."""
        return self._value("Collection bytes") / self.records


def _shown(number: float, *units: tuple[float, str]) -> str:
    """The number with three digits, in the largest unit that does not exceed it."""
    size, unit = next((each for each in units if number >= each[0]), units[-1])
    number /= size
    return (f"{number:,.0f}" if number >= 100 else f"{number:.3g}") + unit


def shown_time(nanoseconds: float) -> str:
    return _shown(nanoseconds, (1e9, " s"), (1e6, " ms"), (1e3, " µs"), (1, " ns"))


def shown_bytes(number: float) -> str:
    return _shown(number, (1e6, " MB"), (1e3, " KB"), (1, " B"))


def shown_count(number: float) -> str:
    return _shown(number, (1e6, " million"), (1, ""))
