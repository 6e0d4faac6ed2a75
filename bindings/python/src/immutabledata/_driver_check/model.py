"""Random operations on a log, beside a model of it."""

from __future__ import annotations

import random

from ..log_drivers import Place
from .client import DIVERGED, DONE, MOVED, REPEATED, TRIMMED, Client
from .rule import Failure, Trial, expect, expect_outcome, rule

_OPERATIONS = 100


class _Model:
    """What a log has after the operations so far."""

    def __init__(self) -> None:
        self.places = [Place()]
        self.texts: list[bytes] = []
        self.counters: dict[str, int] = {}
        self.snapshot: tuple[Place, bytes] = (Place(), b'{"base":0}')
        self.trimmed = 0

    @property
    def head(self) -> Place:
        return self.places[-1]

    def place(self, choice: random.Random) -> Place:
        """A place, which the log may not have."""
        place = choice.choice(self.places)
        return place if choice.random() < 0.8 else Place(place.number + 1, b"x" * 32)


@rule("100 random operations of three stores have the outcomes of a model")
def _random(trial: Trial) -> None:
    choice, model = random.Random(trial.seed), _Model()
    logs = [trial.open() for _ in range(3)]
    for number in range(1, _OPERATIONS + 1):
        client = choice.randrange(3)
        if choice.random() < 0.05:
            logs[client].close()
            logs[client] = trial.open()
            expect("the end", logs[client].opened.head, model.head)
        operation = choice.choice([_append] * 4 + [_read] * 2 + [_get, _put, _trim])
        try:
            operation(logs[client], model, choice)
        except Failure as failure:
            raise Failure(f"operation {number} of --seed {trial.seed}: {failure}") from None


def _append(log: Client, model: _Model, choice: random.Random) -> None:
    texts = [b'"%s"' % (b"x" * choice.randrange(100)) for _ in range(choice.randrange(1, 4))]
    after = choice.choice([None, model.head, model.place(choice)])
    last = model.counters.get(log.origin, 0)
    counter = last + 1 if choice.random() < 0.8 else choice.randrange(1, last + 3)
    answer = log.append(*texts, after=after, counter=counter)
    if counter != last + 1:
        expect_outcome(f"append with the counter {counter} after {last}", answer, REPEATED)
        expect("the last counter", answer.counter, last)
    elif after is not None and after != model.head:
        what = f"append after {after.number} of {model.head.number}"
        expect_outcome(what, answer, MOVED, DIVERGED)
    else:
        expect_outcome("append", answer, DONE)
        for text in texts:
            model.places.append(model.head.after(text))
        model.texts += texts
        model.counters[log.origin] = last + len(texts)
        log.counter = last + len(texts)
        expect("the end", answer.head, model.head)


def _read(log: Client, model: _Model, choice: random.Random) -> None:
    after = model.place(choice)
    answer = log.read(after, choice.choice([0, 100, 10_000]))
    what = f"read after {after.number} of {model.head.number}"
    has_place = after in model.places
    outcomes = [DONE if has_place else DIVERGED]
    if after.number < model.trimmed:
        outcomes.append(TRIMMED)
    expect_outcome(what, answer, *outcomes)
    if answer.outcome == DONE:
        first, count = after.number, len(answer.entries)
        found = [(entry.place, entry.text) for entry in answer.entries]
        wanted = list(zip(model.places[1:], model.texts))
        expect(what, found, wanted[first : first + count])
        expect(f"{what}: the end", answer.head, model.head)
        if not count:
            expect(f"{what}: entries", first, model.head.number)


def _get(log: Client, model: _Model, choice: random.Random) -> None:
    answer = log.get_snapshot()
    expect_outcome("get_snapshot", answer, DONE)
    expect("the snapshot", (answer.place, answer.text), model.snapshot)


def _put(log: Client, model: _Model, choice: random.Random) -> None:
    latest = model.snapshot[0].number
    old = latest if choice.random() < 0.8 else latest + 1
    place = model.place(choice)
    if place.number < latest:
        return  # No store puts an earlier one.
    text = b"%d" % choice.randrange(1_000_000)
    answer = log.put_snapshot(old, place, text)
    what = f"put_snapshot at {place.number} in place of {old}"
    if old != latest:
        expect_outcome(what, answer, MOVED)
    elif place not in model.places:
        expect_outcome(what, answer, DIVERGED)
    else:
        expect_outcome(what, answer, DONE)
        model.snapshot = (place, text)


def _trim(log: Client, model: _Model, choice: random.Random) -> None:
    number = choice.randrange(model.snapshot[0].number + 1)
    expect_outcome(f"trim up to {number}", log.trim(number), DONE)
    model.trimmed = max(model.trimmed, number)
