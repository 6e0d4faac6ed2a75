"""imd log check: a right driver obeys all rules, and each mistake is found by its rule."""

import itertools
import secrets
import sys
import types

import pytest
from memory_logs import Content, MemoryLog, MemoryLogs

from immutabledata._driver_check import RULES, check, to_c
from immutabledata._driver_check.engine import ENGINE
from immutabledata._driver_check.rule import Trial
from immutabledata._ffi import log_types as c
from immutabledata.log_drivers import Absent, Found, Moved, Place, Refused, Trimmed, Unavailable

ADDRESS = "memory://host/{log}"


class TrimmingLog(MemoryLog):
    """A log that removes entries, and that others can be kept off."""

    def trim(self, number):
        self.content.trimmed = max(self.trimmed, number)
        self.content.holder = None

    @property
    def trimmed(self):
        return getattr(self.content, "trimmed", 0)

    def read(self, after, limit, hold):
        if after.number < self.trimmed:
            raise Trimmed
        self.content.holder = self if hold else None
        return super().read(after, limit, hold)

    def put_snapshot(self, old, place, text):
        if place.number < self.trimmed:
            raise Trimmed
        super().put_snapshot(old, place, text)
        self.content.holder = None


class Logs(MemoryLogs):
    """A driver whose logs have a class."""

    def __init__(self, kind=TrimmingLog):
        super().__init__()
        self.kind = kind

    def open(self, opening):
        opened = super().open(opening)
        opened.log.__class__ = self.kind
        return opened


def failures(driver):
    return [result for result in check(driver, ADDRESS, 1) if not result.is_obeyed]


@pytest.mark.parametrize("driver", [MemoryLogs(), Logs()])
def test_a_right_driver(driver):
    assert failures(driver) == []


def test_what_is_skipped():
    skipped = [each for each in check(MemoryLogs(), ADDRESS, 1) if each.is_skipped]
    assert [each.detail for each in skipped] == ["trim keeps all entries"]
    assert not any(each.is_skipped for each in check(Logs(), ADDRESS, 1))


# ---- Mistakes ------------------------------------------------------------------------------------


class AnyCounter(TrimmingLog):
    def append(self, after, entries):
        for entry in entries[:1]:
            self.content.counters[entry.origin] = entry.counter - 1
        return super().append(after, entries)


class PlaceFirst(TrimmingLog):
    def append(self, after, entries):
        if after is not None and after != self.content.head:
            raise Moved(head=self.content.head)
        return super().append(after, entries)


class AnyPlace(TrimmingLog):
    def append(self, after, entries):
        return super().append(None, entries)


class PartOfABatch(TrimmingLog):
    def append(self, after, entries):
        try:
            return super().append(after, entries)
        except Moved:
            super().append(None, entries[:1])
            raise


class NotAll(TrimmingLog):
    def append(self, after, entries):
        if len(entries) < 7:
            return super().append(after, entries)
        return super().append(after, entries[:6])


class NoChain(TrimmingLog):
    def append(self, after, entries):
        super().append(after, entries)
        last = self.content.entries[-1]
        self.content.entries[-1] = last._replace(
            place=Place(last.place.number, Place().after(last.text).hash)
        )
        return self.content.head


class WrongEntriesMissed(TrimmingLog):
    def append(self, after, entries):
        try:
            return super().append(after, entries)
        except Moved as moved:
            raise Moved(head=moved.head, entries=self.content.entries[-1:]) from None


class NoHash(TrimmingLog):
    def read(self, after, limit, hold):
        return super().read(self.content.place(after.number) or self.content.head, limit, hold)


class NoLimit(TrimmingLog):
    def read(self, after, limit, hold):
        return super().read(after, 1 << 60, hold)


class NotOne(TrimmingLog):
    def read(self, after, limit, hold):
        found = super().read(after, limit, hold)
        return Found([each for each in found.entries if len(each.text) <= limit], found.head)


class Unordered(TrimmingLog):
    def read(self, after, limit, hold):
        found = super().read(after, limit, hold)
        return Found(found.entries[::-1], found.head)


class OldHead(TrimmingLog):
    def read(self, after, limit, hold):
        return super().read(after, limit, hold)._replace(head=after)


class HeldForEver(TrimmingLog):
    def append(self, after, entries):
        if getattr(self.content, "holder", None) not in (None, self):
            raise Unavailable("held")
        return super().append(after, entries)


class LastSnapshotWins(TrimmingLog):
    def put_snapshot(self, old, place, text):
        super().put_snapshot(self.content.snapshot.place.number, place, text)


class SnapshotAnywhere(TrimmingLog):
    def put_snapshot(self, old, place, text):
        self.content.snapshot = self.content.snapshot._replace(place=place, text=text)


class ForgetsCounters(TrimmingLog):
    def trim(self, number):
        super().trim(number)
        self.content.counters.clear()


class TrimsTooMuch(TrimmingLog):
    def trim(self, number):
        super().trim(number + 1 if number else 0)


class NewId(Logs):
    def open(self, opening):
        return super().open(opening)._replace(id=secrets.token_hex(16))


class OpensAll(Logs):
    def open(self, opening):
        return super().open(opening._replace(base=opening.base or b"{}"))


class LastHeader(Logs):
    def open(self, opening):
        return super().open(opening)._replace(header=opening.header)


class EachItsOwn(Logs):
    """Several stores that make a log at the same time each make one."""

    def open(self, opening):
        if opening.base is None:
            raise Absent
        if opening.address in self.logs and not self.logs[opening.address].entries:
            self.logs[opening.address] = Content(opening)
        return super().open(opening)


class OneLog(Logs):
    def open(self, opening):
        return super().open(opening._replace(address="memory://host/one"))


class HeadLost(Logs):
    def open(self, opening):
        return super().open(opening)._replace(head=Place())


def twice(driver):
    """A driver that answers each get_snapshot twice."""
    functions, others = to_c(driver), to_c(driver)

    def get_snapshot(log, call):
        others.get_snapshot(log, call)
        answer = c.imd_log_answer(outcome=3)
        ENGINE.answer(call, answer)

    functions.get_snapshot = c.FUNCTION_TYPES["get_snapshot"](get_snapshot)
    return functions


def lost(driver):
    """A driver that does not answer one of the appends which wait when it is closed."""
    functions, others = to_c(driver), to_c(driver)

    def append(log, after, entries, count, call):
        if after or entries[0].counter != 30:
            others.append(log, after, entries, count, call)

    functions.append = c.FUNCTION_TYPES["append"](append)
    return functions


MISTAKES = [
    (Logs(AnyCounter), "append with a counter", "expected repeated, found done"),
    (Logs(PlaceFirst), "append compares the counter first", "expected repeated, found moved"),
    (Logs(AnyPlace), "append after a place that is not the end", "expected moved, found done"),
    (Logs(AnyPlace), "one of several stores that append", "expected 1, found"),
    (Logs(PartOfABatch), "append after a place that is not the end", "expected moved, found repeated"),
    (Logs(NotAll), "append appends all entries or none", "expected"),
    (Logs(NoChain), "append answers the place", "the head: expected 4 with the hash"),
    (Logs(WrongEntriesMissed), "append after a place that is not", "the entries of an answer moved"),
    (Logs(NoHash), "read after a place that the log", "expected diverged, found done"),
    (Logs(NoLimit), "read answers at most", "found 200 entries of"),
    (Logs(NotOne), "read answers at most", "found 0 entries of 0 bytes"),
    (Logs(Unordered), "read answers the entries", "the number of an entry: expected 1"),
    (Logs(OldHead), "read answers the entries", "read after 0: the end: expected 4"),
    (Logs(HeldForEver), "a hold ends with", "after append: expected done, found unavailable (held)"),
    (Logs(LastSnapshotWins), "put_snapshot answers moved", "expected moved, found done"),
    (Logs(LastSnapshotWins), "one of several stores that put", "expected 1, found 4"),
    (Logs(SnapshotAnywhere), "put_snapshot at a place", "expected diverged, found done"),
    (Logs(ForgetsCounters), "the counters of all origins", "expected repeated, found"),
    (Logs(TrimsTooMuch), "trim keeps the entries", "read: expected done, found trimmed"),
    (NewId(), "open of a log that exists", "the id: expected"),
    (OpensAll(), "open without a base", "expected absent, found done"),
    (LastHeader(), "open of a log that exists", "the header: expected"),
    (EachItsOwn(), "several stores that make a log", "the id: expected"),
    (OneLog(), "logs with other names", "the entries of one: expected"),
    (HeadLost(), "open answers the end", "the end: expected 3 with"),
    (Logs(ForgetsCounters), "100 random operations", "of --seed 1: append with"),
    (twice(Logs()), "put_snapshot replaces", "get_snapshot was answered twice"),
    (lost(Logs()), "close answers all calls", "append was not answered when close returned"),
]


@pytest.mark.parametrize(("driver", "text", "detail"), MISTAKES)
def test_a_mistake_is_found(driver, text, detail):
    [rule] = [each for each in RULES if each.text.startswith(text)]
    functions = driver if isinstance(driver, c.imd_log_driver) else to_c(driver)
    numbers = itertools.count()
    result = Trial(functions, lambda: f"memory://host/{next(numbers)}", 1).run(rule)
    assert not result.is_obeyed
    assert detail in result.detail


# ---- The command ---------------------------------------------------------------------------------


@pytest.fixture
def check_memory(run_imd, monkeypatch):
    """Runs imd log check with a driver for memory://."""

    def check_memory(driver, *options, address=ADDRESS):
        module = types.ModuleType("immutabledata_memory")
        module.driver = lambda: driver
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return run_imd("log", "check", address, *options)

    return check_memory


def test_the_command(check_memory):
    run = check_memory(Logs())
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[0] == f"1..{len(RULES)}"
    assert lines[1:] == [f"ok {number} - {rule.text}" for number, rule in enumerate(RULES, 1)]


def test_the_command_finds_a_mistake(check_memory):
    run = check_memory(Logs(ForgetsCounters), "--seed", "1")
    assert (run.code, run.err) == (1, "")
    assert "not ok 29 - the counters of all origins are known after trim\n  # append with" in run.out
    assert "of --seed 1: append with" in run.out


def test_the_command_ends_if_no_log_can_be_made(check_memory):
    class Down:
        def open(self, opening):
            raise Refused("no such server")

    run = check_memory(Down())
    assert (run.code, run.err) == (1, "")
    assert run.out.splitlines()[1].startswith("not ok 1 - ")
    assert "no such server" in run.out.splitlines()[2]
    assert run.out.splitlines()[3:] == ["Bail out! A log cannot be made."]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--library", "./none.so"], 2, "--library and --symbol belong together"),
        (["--symbol", "x"], 2, "--library and --symbol belong together"),
        (["--library", "./none.so", "--symbol", "x"], 3, "cannot open shared object file"),
        (["--library", "libc.so.6", "--symbol", "no_driver"], 3, "undefined symbol: no_driver"),
    ],
)
def test_a_library_without_a_driver(check_memory, options, code, message):
    run = check_memory(Logs(), *options)
    assert (run.code, run.out) == (code, "")
    assert message in run.err


def test_an_address_without_a_place_for_the_name(check_memory):
    run = check_memory(Logs(), address="memory://host/board")
    assert (run.code, run.out) == (2, "")
    assert "the address needs {log} in place of the name of the log" in run.err
