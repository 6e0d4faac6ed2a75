"""Rules of append."""

from __future__ import annotations

from ..log_drivers import Place
from .client import DIVERGED, DONE, MOVED, REFUSED, REPEATED
from .rule import (
    Skipped,
    Trial,
    expect,
    expect_head,
    expect_outcome,
    expect_texts,
    places,
    read_all,
    rule,
    texts,
    together,
)

_LARGE = 4 << 20


@rule("append answers the place after its entries, with their hash")
def _places(trial: Trial) -> None:
    log, all_texts = trial.open(), [*texts(3), '{"é":"\\"\\\\ \U0001f40d"}'.encode()]
    expected = places(all_texts)
    one = log.append(all_texts[0], after=Place())
    expect_outcome("append of one entry", one, DONE)
    expect_head("append of one entry", one, expected[1])
    rest = log.append(*all_texts[1:], after=expected[1])
    expect_outcome("append of three entries", rest, DONE)
    expect_head("append of three entries", rest, expected[4])
    expect_texts("the entries", log, all_texts)


@rule("append after a place that is not the end answers moved, and appends nothing")
def _moved(trial: Trial) -> None:
    one, other = trial.open(), trial.open()
    head = one.append(*texts(3)).head
    for place in places(texts(2)):
        answer = other.append(b"{}", b"{}", after=place)
        expect_outcome(f"append after entry {place.number} of 3", answer, MOVED)
        expect_head("append that was refused", answer, head)
        if answer.entries:
            found = [(entry.place, entry.text) for entry in answer.entries]
            missed = list(zip(places(texts(3))[1:], texts(3)))[place.number :]
            expect("the entries of an answer moved", found, missed[: len(found)])
    expect_texts("the entries", one, texts(3))
    expect_outcome("append after the end", other.append(b"{}", after=head), DONE)


@rule("append without a place appends at the end, whatever it is")
def _anywhere(trial: Trial) -> None:
    one, other = trial.open(), trial.open()
    for client, text in zip([one, other, one], texts(3)):
        expect_outcome("append without a place", client.append(text), DONE)
    expect_texts("the entries", one, texts(3))


@rule("append with a counter that is not the next of its origin answers repeated")
def _repeated(trial: Trial) -> None:
    log = trial.open()
    log.append(*texts(2))
    for counter in (1, 2, 4):
        answer = log.append(b"{}", b"{}", counter=counter)
        expect_outcome(f"append with the counter {counter} after 2", answer, REPEATED)
        expect("the last counter", answer.counter, 2)
    origin = "0123456789abcdef" * 2
    answer = log.append(b"{}", counter=2, origin=origin)
    expect_outcome("append with the counter 2 of a new origin", answer, REPEATED)
    expect("the last counter of a new origin", answer.counter, 0)
    expect_outcome("append with the counter 1", log.append(b"3", counter=1, origin=origin), DONE)
    expect_outcome("append with the counter 3", log.append(b"4", counter=3), DONE)
    expect_texts("the entries", log, [*texts(2), b"3", b"4"])


@rule("append compares the counter first, and then the place")
def _order(trial: Trial) -> None:
    log = trial.open()
    head = log.append(*texts(2)).head
    for place in (Place(), head):
        answer = log.append(b"{}", after=place, counter=2)
        expect_outcome(f"append of an entry that is there, after {place.number}", answer, REPEATED)


@rule("append after a place that the log does not have appends nothing")
def _diverged(trial: Trial) -> None:
    log = trial.open()
    head = log.append(*texts(2)).head
    for place in (Place(2, b"x" * 32), Place(1, b"x" * 32), head.after(b"{}")):
        answer = log.append(b"{}", after=place)
        # After moved, a store reads, and hears that the log has diverged.
        expect_outcome(f"append after another entry {place.number}", answer, DIVERGED, MOVED)
    expect_texts("the entries", log, texts(2))


@rule("append of no entries answers done")
def _none(trial: Trial) -> None:
    log = trial.open()
    log.append(*texts(1))
    expect_outcome("append of nothing", log.append(), DONE)
    expect_texts("the entries", log, texts(1))
    expect_outcome("append after that", log.append(b"{}"), DONE)


@rule("append appends all entries or none, one after the other")
def _batches(trial: Trial) -> None:
    logs = [trial.open() for _ in range(3)]

    def run(number: int) -> None:
        for _ in range(10):
            expect_outcome("append", logs[number].append(*[b"%d" % number] * 7), DONE)

    together(3, run)
    found = [entry.text for entry in read_all(logs[0])]
    expect("the number of entries", len(found), 3 * 10 * 7)
    for first in range(0, len(found), 7):
        expect("the entries of an append", found[first : first + 7], [found[first]] * 7)


@rule("one of several stores that append after the same place succeeds")
def _race(trial: Trial) -> None:
    logs, outcomes = [trial.open() for _ in range(4)], list[int]()
    for turn in range(10):
        place = logs[0].opened.head if turn == 0 else read_all(logs[0])[-1].place

        def run(number: int, place: Place = place) -> None:
            answer = logs[number].append(b"%d" % number, after=place)
            expect_outcome("append", answer, DONE, MOVED)
            outcomes.append(answer.outcome)

        together(4, run)
        expect("how many have succeeded", outcomes.count(DONE), turn + 1)


@rule("append takes large entries, and many")
def _large(trial: Trial) -> None:
    log = trial.open()
    many = texts(1000)
    expect_outcome("append of 1,000 entries", log.append(*many), DONE)
    expect_texts("the entries", log, many)
    text = b'{"large":"%s"}' % (b"0123456789abcdef" * (_LARGE // 16))
    answer = log.append(text)
    if answer.outcome == REFUSED:
        expect_texts("the entries after one that was refused", log, many)
        raise Skipped(f"entries of 4 MiB are refused: {answer.message}")
    expect_outcome("append of 4 MiB", answer, DONE)
    found = log.read(places(many)[-1], 1)
    expect_outcome("read of 4 MiB", found, DONE)
    expect("whether it comes back", [entry.text for entry in found.entries] == [text], True)
