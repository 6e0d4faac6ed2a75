"""Rules of all calls: their order, threads, hints and close."""

from __future__ import annotations

import queue

from .client import DONE
from .rule import (
    Skipped,
    Trial,
    expect,
    expect_outcome,
    expect_texts,
    places,
    read_all,
    rule,
    texts,
    together,
)


@rule("calls that are made before others are answered take effect in their order")
def _order(trial: Trial) -> None:
    log, all_texts = trial.open(), texts(50)
    calls = [
        log.begin_append(text, after=place, counter=place.number + 1)
        for text, place in zip(all_texts, places(all_texts))
    ]
    expect_outcome("read that is called last", found := log.read(), DONE)
    expect("what it finds", [entry.text for entry in found.entries], all_texts)
    for number, call in enumerate(calls, 1):
        expect_outcome(f"append {number} of 50", log.end_append(call), DONE)


@rule("several threads may call at the same time")
def _threads(trial: Trial) -> None:
    log = trial.open()

    def run(number: int) -> None:
        for counter in range(1, 26):
            answer = log.append(b"{}", counter=counter, origin=f"{number:032x}")
            expect_outcome("append", answer, DONE)
            expect_outcome("get_snapshot", log.get_snapshot(), DONE)

    together(4, run)
    expect("the number of entries", len(read_all(log)), 100)


@rule("changed tells other stores of new entries")
def _hints(trial: Trial) -> None:
    one, other = trial.open(), trial.open()
    one.append(*texts(3))
    try:
        number = other.changed(5)
    except queue.Empty:
        raise Skipped("it gives no hints in 5 s: stores hear of others every 15 s") from None
    if number not in (0, 3):
        expect("the number", number, 3)


@rule("close answers all calls, and what was done stays")
def _close(trial: Trial) -> None:
    log, all_texts = trial.open(), texts(30)
    calls = [log.begin_append(text, counter=i) for i, text in enumerate(all_texts, 1)]
    log.close()
    done = 0
    for call in calls:
        if not log.pending[call].empty() and log.end_append(call).outcome == DONE:
            done += 1
    again = trial.open()
    found = [entry.text for entry in read_all(again)]
    if len(found) < done:
        expect("the number of entries", len(found), done)
    expect_texts("the entries", again, all_texts[: len(found)])


@rule("a store that is opened later continues after all others were closed")
def _later(trial: Trial) -> None:
    first = trial.open()
    head = first.append(*texts(2)).head
    first.close()
    later = trial.open(base=None)
    expect("the id", later.opened.id, first.opened.id)
    expect("the end", later.opened.head, head)
    expect_outcome("append", later.append(b"{}", after=head), DONE)
