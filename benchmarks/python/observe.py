"""Changes of an observed record: with one observer, and with 10,000 observers of a record each."""

from __future__ import annotations

import gc

from measure import QUICK, enough_calls, measure_in_turns, point
from sizes import Entrant
from subjects import SUBJECTS, performs

COUNT = 8_192 if QUICK else 65_536
MANY = 1_000 if QUICK else 10_000


def measure_observers() -> None:
    observable = [each for each in SUBJECTS if performs(each, "observe")]
    for observers, job in {1: "change, one observer", MANY: f"change, {MANY:,} observers"}.items():
        entrants = [Entrant(each, COUNT) for each in observable]
        calls = [[0] for _ in entrants]
        for entrant, count in zip(entrants, calls):
            entrant.subject.observe([f"k{number}" for number in range(observers)], count)
            entrant.numbers = iter(lambda: 0, None)  # always an observed record
        gc.collect()
        gc.freeze()
        changes = [entrant.change for entrant in entrants]
        medians = measure_in_turns(*((enough_calls(change), change) for change in changes))
        for entrant, count, median in zip(entrants, calls, medians):
            if count == [0]:
                raise SystemExit(f"{entrant.name}: its observer was not called")
            point(job, entrant.name, COUNT, median)
            entrant.subject.close()
        gc.unfreeze()
