"""Rules of read."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..log_drivers import Place
from .client import DIVERGED, DONE, UNAVAILABLE, Answer, Client
from .rule import (
    Failure,
    Trial,
    expect,
    expect_outcome,
    expect_texts,
    places,
    read_all,
    rule,
    texts,
)

_SIZE = 10_000


@rule("read answers the entries after a place, in order, as they were appended")
def _entries(trial: Trial) -> None:
    one, other = trial.open(), trial.open()
    one.append(*texts(2))
    other.append(b'{"other":1}')
    one.append(b'{"entry":3}')
    all_texts = [*texts(2), b'{"other":1}', b'{"entry":3}']
    expected = places(all_texts)
    for after in expected:
        expect_texts(f"the entries after {after.number}", other, all_texts[after.number :], after)
        answer = other.read(after)
        expect(f"read after {after.number}: the end", answer.head, expected[-1])
    found = read_all(other)
    origins = [one.origin, one.origin, other.origin, one.origin]
    expect("their origins", [entry.origin for entry in found], origins)
    expect("their counters", [entry.counter for entry in found], [1, 2, 1, 3])


@rule("read answers at most about as many bytes as asked for, and at least one entry")
def _limit(trial: Trial) -> None:
    log = trial.open()
    entry = b'"%s"' % (b"x" * _SIZE)
    for _ in range(10):
        log.append(*[entry] * 20)
    for limit in (0, 1, _SIZE // 2, 5 * _SIZE):
        answer = log.read(Place(), limit)
        expect_outcome("read", answer, DONE)
        size = sum(len(each.text) for each in answer.entries)
        if not answer.entries or size > 2 * limit + 6 * _SIZE:
            raise Failure(
                f"read of {limit} bytes, of a log of {200 * _SIZE}: expected at least one entry "
                f"and about {limit} bytes, found {len(answer.entries)} entries of {size} bytes"
            )
    expect("the pages together", len(read_all(log, limit=5 * _SIZE)), 200)


@rule("read after a place that the log does not have answers diverged")
def _diverged(trial: Trial) -> None:
    log = trial.open()
    head = log.append(*texts(2)).head
    for place in (Place(0, b"x" * 32), Place(1, b"x" * 32), Place(2, bytes(32)), head.after(b"{}")):
        expect_outcome(f"read after another entry {place.number}", log.read(place), DIVERGED)


@rule("read sees what was appended before, also by others")
def _fresh(trial: Trial) -> None:
    logs = [trial.open() for _ in range(3)]
    for number in range(30):
        head = logs[number % 3].append(b"%d" % number).head
        expect("the end", logs[(number + 1) % 3].read(head).head, head)


@rule("a hold ends with the next append, put_snapshot or trim")
def _hold(trial: Trial) -> None:
    one, other = trial.open(), trial.open()
    head = one.append(*texts(1)).head
    calls: dict[str, Callable[[], Answer]] = {
        "append": lambda: one.append(b"{}"),
        "append of no entries": one.append,
        "put_snapshot": lambda: one.put_snapshot(0, head, b"{}"),
        "trim": lambda: one.trim(0),
    }
    for name, end in calls.items():
        expect_outcome("read with hold", one.read(hold=True), DONE)
        expect_outcome(f"{name} of the store that holds the log", end(), DONE)
        begin = time.monotonic()
        expect_outcome(f"append of another store after {name}", other.append(b"{}"), DONE)
        if time.monotonic() - begin > 3:
            raise Failure(f"append of another store after {name}: expected at once, found late")


@rule("a hold ends by itself after a few seconds")
def _forgotten(trial: Trial) -> None:
    one, other = trial.open(), trial.open()
    expect_outcome("read with hold", one.read(hold=True), DONE)
    end = time.monotonic() + 30
    while (answer := other.append(b"{}")).outcome == UNAVAILABLE and time.monotonic() < end:
        time.sleep(0.1)
    expect_outcome("append of another store, for 30 s", answer, DONE)
    _append_later(one)
    expect("the number of entries", len(read_all(other)), 2)


def _append_later(log: Client) -> None:
    """Appends with a connection that the server may have ended."""
    for _ in range(2):
        if log.append(b"{}").outcome == DONE:
            return
    expect_outcome("append of the store that has held the log", log.append(b"{}"), DONE)
