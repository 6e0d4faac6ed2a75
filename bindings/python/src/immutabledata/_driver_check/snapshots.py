"""Rules of snapshots, and of trim."""

from __future__ import annotations

from ..log_drivers import Place
from .client import DIVERGED, DONE, MOVED, REPEATED, TRIMMED, Client
from .rule import (
    Skipped,
    Trial,
    expect,
    expect_outcome,
    expect_texts,
    places,
    rule,
    texts,
    together,
)

_TEXTS = texts(10)
_PLACES = places(_TEXTS)


def _expect_snapshot(log: Client, place: Place, text: bytes) -> None:
    answer = log.get_snapshot()
    expect_outcome("get_snapshot", answer, DONE)
    expect("the place of the snapshot", answer.place, place)
    expect("the snapshot", answer.text, text)


@rule("put_snapshot replaces the latest snapshot")
def _put(trial: Trial) -> None:
    one, other = trial.open(), trial.open()
    one.append(*_TEXTS)
    for old, new in ((0, 3), (3, 10)):
        text = '{"snapshot":"é",%d}'.encode().replace(b"%d", b"%d" % new)
        answer = one.put_snapshot(old, _PLACES[new], text)
        expect_outcome(f"put_snapshot at {new} in place of {old}", answer, DONE)
        _expect_snapshot(other, _PLACES[new], text)


@rule("put_snapshot answers moved if another snapshot was put, and changes nothing")
def _compare(trial: Trial) -> None:
    one, other = trial.open(), trial.open()
    one.append(*_TEXTS)
    one.put_snapshot(0, _PLACES[3], b'"three"')
    answer = other.put_snapshot(0, _PLACES[7], b'"seven"')
    expect_outcome("put_snapshot in place of 0, where 3 is", answer, MOVED)
    if answer.counter:
        expect("the number of the latest snapshot", answer.counter, 3)
    _expect_snapshot(other, _PLACES[3], b'"three"')


@rule("put_snapshot at a place that the log does not have answers diverged")
def _diverged(trial: Trial) -> None:
    log = trial.open()
    log.append(*_TEXTS)
    for place in (Place(5, bytes(32)), _PLACES[10].after(b"{}")):
        answer = log.put_snapshot(0, place, b'"wrong"')
        expect_outcome(f"put_snapshot at another entry {place.number}", answer, DIVERGED)
    _expect_snapshot(log, Place(), b'{"base":0}')


@rule("one of several stores that put a snapshot at the same time succeeds")
def _race(trial: Trial) -> None:
    logs, winners = [trial.open() for _ in range(4)], list[int]()
    logs[0].append(*_TEXTS)

    def run(number: int) -> None:
        answer = logs[number].put_snapshot(0, _PLACES[number + 1], b"%d" % number)
        expect_outcome("put_snapshot", answer, DONE, MOVED)
        if answer.outcome == DONE:
            winners.append(number)

    together(4, run)
    expect("how many have succeeded", len(winners), 1)
    _expect_snapshot(logs[0], _PLACES[winners[0] + 1], b"%d" % winners[0])


def _trimmed(trial: Trial, number: int) -> tuple[Client, bool]:
    """A log of 10 entries that was trimmed, and whether entries were removed."""
    log = trial.open()
    log.append(*_TEXTS)
    expect_outcome("put_snapshot", log.put_snapshot(0, _PLACES[number], b'"all"'), DONE)
    expect_outcome("trim", log.trim(number), DONE)
    answer = log.read(Place())
    expect_outcome("read from the beginning after trim", answer, TRIMMED, DONE)
    if answer.outcome == DONE:
        expect("all entries", [entry.text for entry in answer.entries], _TEXTS)
    return log, answer.outcome == TRIMMED


@rule("trim keeps the entries after its number, and the place there")
def _keeps(trial: Trial) -> None:
    log, _ = _trimmed(trial, 6)
    other = trial.open()
    expect("the end", other.opened.head, _PLACES[10])
    for client in (log, other):
        expect_texts("the entries after 6", client, _TEXTS[6:], _PLACES[6])
        _expect_snapshot(client, _PLACES[6], b'"all"')
    for number in (0, 3, 6):
        expect_outcome(f"trim up to {number} after 6", log.trim(number), DONE)
    expect_texts("the entries after 6", log, _TEXTS[6:], _PLACES[6])


@rule("trim of all entries keeps the end of the log")
def _all(trial: Trial) -> None:
    log, _ = _trimmed(trial, 10)
    expect("the end", trial.open().opened.head, _PLACES[10])
    answer = log.append(b"{}", after=_PLACES[10])
    expect_outcome("append after the end", answer, DONE)
    expect("the end", answer.head, _PLACES[10].after(b"{}"))
    expect_texts("the entries after 10", log, [b"{}"], _PLACES[10])


@rule("the counters of all origins are known after trim")
def _counters(trial: Trial) -> None:
    log, _ = _trimmed(trial, 10)
    other = trial.open()
    for counter in (1, 10):
        answer = other.append(b"{}", counter=counter, origin=log.origin)
        expect_outcome(f"append with the counter {counter} after 10", answer, REPEATED)
        expect("the last counter", answer.counter, 10)
    expect_outcome("append with the counter 11", log.append(b"{}"), DONE)


@rule("after trim, read and put_snapshot before its place answer trimmed")
def _removed(trial: Trial) -> None:
    log, is_removed = _trimmed(trial, 6)
    if not is_removed:
        raise Skipped("trim keeps all entries")
    for number in (0, 3, 5):
        expect_outcome(f"read after {number}", log.read(_PLACES[number]), TRIMMED)
    answer = log.put_snapshot(6, _PLACES[3], b'"three"')
    expect_outcome("put_snapshot at 3 after trim up to 6", answer, TRIMMED)
    _expect_snapshot(log, _PLACES[6], b'"all"')
    expect_outcome("read after another 6", log.read(Place(6, bytes(32))), DIVERGED)
