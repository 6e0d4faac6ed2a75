"""Rules of the contract of drivers, and the trials of a driver."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from .._ffi.log_types import imd_log_driver
from ..log_drivers import Entry, Place
from .client import DONE, OUTCOMES, Answer, Client, NoAnswer


class Rule(NamedTuple):
    """A sentence of the contract, and the function that tries it."""

    text: str
    check: Callable[[Trial], None]


class Result(NamedTuple):
    """Whether a driver obeys a rule."""

    rule: str
    is_obeyed: bool
    detail: str
    """What was expected and what was found; or why a rule that need not be obeyed was skipped."""

    is_skipped: bool = False


class Failure(Exception):
    """The driver does something else than a rule says."""


class Skipped(Exception):
    """The driver does not have what a rule is about, and need not."""


def rule(text: str) -> Callable[[Callable[[Trial], None]], Rule]:
    """Makes a rule of the function that it decorates."""
    return lambda check: Rule(text, check)


class Trial:
    """A check of one rule, with a log of its own."""

    def __init__(
        self, driver: imd_log_driver, make_address: Callable[[], str], seed: int
    ) -> None:
        self._driver, self._make_address = driver, make_address
        self.address = make_address()
        self.seed = seed
        self.clients: list[Client] = []

    def try_open(self, **options: Any) -> Client:
        """Opens the log as one more store does."""
        client = Client(self._driver, options.pop("address", self.address), **options)
        self.clients.append(client)
        return client

    def open(self, **options: Any) -> Client:
        """The same; expects that it succeeds."""
        client = self.try_open(**options)
        expect_outcome("open", client.opened, DONE)
        return client

    def open_another(self) -> Client:
        """Opens another log."""
        return self.open(address=self._make_address())

    def run(self, rule: Rule) -> Result:
        """Checks a rule, and closes the logs."""
        try:
            rule.check(self)
            for client in self.clients:
                client.close()
        except Skipped as skipped:
            self._close()
            return self._result(rule, str(skipped), True)
        except (Failure, NoAnswer) as failure:
            self._close()
            return self._result(rule, str(failure), False, is_obeyed=False)
        return self._result(rule, "", False)

    def _result(
        self, rule: Rule, detail: str, is_skipped: bool, is_obeyed: bool = True
    ) -> Result:
        """What no call may do comes first: it may be the cause of the rest."""
        problems = [problem for client in self.clients for problem in client.problems]
        if problems:
            return Result(rule.text, False, problems[0])
        return Result(rule.text, is_obeyed, detail, is_skipped)

    def _close(self) -> None:
        for client in self.clients:
            client.close()


def expect(what: str, found: object, expected: object) -> None:
    """Raises Failure: something is not equal to what a rule says."""
    if found != expected:
        raise Failure(f"{what}: expected {_shown(expected)}, found {_shown(found)}")


def expect_outcome(what: str, answer: Answer, *expected: int) -> None:
    """Raises Failure: an answer has none of some outcomes."""
    if answer.outcome not in expected:
        names = " or ".join(OUTCOMES[each] for each in expected)
        raise Failure(f"{what}: expected {names}, found {answer}")


def expect_head(what: str, answer: Answer, expected: Place) -> None:
    """Raises Failure: the head of an answer is known, and wrong."""
    if answer.outcome == DONE or answer.head != Place():
        expect(f"{what}: the head", answer.head, expected)


def expect_texts(what: str, client: Client, expected: list[bytes], after: Place = Place()) -> None:
    """Raises Failure: a log has other entries after a place."""
    found, place = read_all(client, after), after
    expect(what, [entry.text for entry in found], expected)
    for entry in found:
        place = place.after(entry.text)
        expect(f"{what}: the place of entry {place.number}", entry.place, place)


def read_all(client: Client, after: Place = Place(), limit: int = 1 << 20) -> list[Entry]:
    """Reads all entries after a place, page by page."""
    entries, place = list[Entry](), after
    while True:
        answer = client.read(place, limit)
        expect_outcome("read", answer, DONE)
        if not answer.entries:
            return entries
        for entry in answer.entries:
            expect("read: the number of an entry", entry.place.number, place.number + 1)
            place = entry.place
        entries += answer.entries


def together(count: int, body: Callable[[int], None]) -> None:
    """Calls a function with 0, 1 and so on, on as many threads at the same time.

    Raises what a call has raised.
    """
    start, raised = threading.Barrier(count), list[BaseException]()

    def run(number: int) -> None:
        start.wait()
        try:
            body(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in raised:
        raise error


def texts(count: int, name: str = "entry") -> list[bytes]:
    """Texts of entries: JSON on one line."""
    return [b'{"%s":%d}' % (name.encode(), number) for number in range(1, count + 1)]


def places(of: list[bytes], after: Place = Place()) -> list[Place]:
    """The place before the first of some entries, and those after each."""
    found = [after]
    for text in of:
        found.append(found[-1].after(text))
    return found


def _shown(value: object) -> str:
    if isinstance(value, Place):
        return f"{value.number} with the hash {value.hash.hex()[:8]}…"
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
