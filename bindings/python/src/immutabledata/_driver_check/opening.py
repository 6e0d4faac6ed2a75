"""Rules of open."""

from __future__ import annotations

import re

from ..log_drivers import Place
from .client import ABSENT, DONE
from .rule import Trial, expect, expect_outcome, expect_texts, rule, texts, together

HEADER = '{"header":"é \\"\\\\ \U0001f40d"}'.encode()
BASE = '{"base":"ü"}'.encode()


@rule("open makes a log with the header and the base that it gets")
def _makes(trial: Trial) -> None:
    log = trial.open(header=HEADER, base=BASE)
    expect("the header", log.opened.text, HEADER)
    expect("the end of a new log", log.opened.head, Place())
    if not re.fullmatch("[0-9a-f]{32}", log.opened.id):
        expect("the id", log.opened.id, "32 hexadecimal digits")
    snapshot = log.get_snapshot()
    expect_outcome("get_snapshot of a new log", snapshot, DONE)
    expect("the snapshot of a new log", snapshot.text, BASE)
    expect("the place of that snapshot", snapshot.place, Place())


@rule("open of a log that exists changes nothing, and answers its id and header")
def _opens(trial: Trial) -> None:
    first = trial.open(header=HEADER, base=BASE)
    again = trial.open(header=b'{"other":1}', base=b'{"other":2}')
    expect("the header", again.opened.text, HEADER)
    expect("the id", again.opened.id, first.opened.id)
    expect("the base", again.get_snapshot().text, BASE)
    other = trial.open_another()
    if other.opened.id == first.opened.id:
        expect("the id of another log", other.opened.id, "another one")


@rule("open without a base answers absent if there is no log, and makes none")
def _absent(trial: Trial) -> None:
    for _ in range(2):
        expect_outcome("open without a base", trial.try_open(base=None).opened, ABSENT)
    trial.open()
    expect_outcome("open of a log that exists", trial.try_open(base=None).opened, DONE)


@rule("several stores that make a log at the same time open the same one")
def _together(trial: Trial) -> None:
    def run(number: int) -> None:
        trial.open(header=b'{"header":%d}' % number, base=b'{"base":%d}' % number)

    together(8, run)
    first = trial.clients[0]
    for log in trial.clients:
        expect("the id", log.opened.id, first.opened.id)
        expect("the header", log.opened.text, first.opened.text)
    base = first.opened.text.replace(b"header", b"base")
    expect("the base of the store that has made it", first.get_snapshot().text, base)


@rule("open answers the end of the log")
def _end(trial: Trial) -> None:
    head = trial.open().append(*texts(3)).head
    again = trial.open()
    expect("the end", again.opened.head, head)
    expect_texts("the entries", again, texts(3))


@rule("logs with other names are other logs")
def _others(trial: Trial) -> None:
    one, other = trial.open(), trial.open_another()
    one.append(*texts(2))
    other.append(*texts(1, "other"))
    expect_texts("the entries of one", one, texts(2))
    expect_texts("the entries of the other", other, texts(1, "other"))
    answer = other.append(*texts(1), origin=one.origin, counter=1)
    expect_outcome("append to another log, where the origin has no entries", answer, DONE)
