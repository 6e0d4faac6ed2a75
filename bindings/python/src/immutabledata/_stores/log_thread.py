"""Log drivers in Python: the library makes a call, and a thread of the log answers it."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Iterator
from ctypes import byref, sizeof, string_at
from typing import Any, Callable

from .. import log_drivers as outcomes
from .._ffi import log_types as c
from ..log_drivers import Driver, Entry, Log, Opening, Place
from .base import call_unraisable_hook
from .log_answer import Answer
from .reducer import message_of
from .thread_state import IN_DRIVER, local


class LogThread:
    """A log that a driver in Python opens, and the thread that calls its methods.

    The library must not wait in a call. So the call is put into a queue, and the thread answers it
    with what the method returns or raises.
    """

    def __init__(self, driver: Driver, engine: c.imd_log_engine, watch: int) -> None:
        self._driver = driver
        self._log: Log | None = None
        self._answer, self._changed, self._watch = engine.answer, engine.changed, watch
        self._is_ended = False
        # Reentrant: a signal handler or a finalizer may interrupt put.
        self._calls: queue.SimpleQueue[tuple[list[int], str, tuple[Any, ...]] | None]
        self._calls = queue.SimpleQueue()
        # The end of the log, as far as it is known.
        self._head = Place()
        self._thread = threading.Thread(target=self._run, name="immutabledata log", daemon=True)
        self._thread.start()

    def put(self, call: list[int], method: str, arguments: tuple[Any, ...]) -> None:
        """Passes a call to the thread.

        call: the handle; empty after somebody has taken it to answer it.
        """
        self._calls.put((call, method, arguments))

    def changed(self, number: int = 0) -> None:
        """Tells the store that the log has, or may have, entries up to a number."""
        if not self._is_ended:
            self._changed(self._watch, number)

    def end(self) -> None:
        """Closes the log after the calls so far, and waits until that is done."""
        self._calls.put(None)
        interruption: BaseException | None = None
        while self._thread.is_alive():
            try:
                self._thread.join()
            except BaseException as raised:  # Of a signal handler. The library needs the end.
                interruption = raised
        self._is_ended = True
        if interruption is not None:
            raise interruption

    def _run(self) -> None:
        # A method must not use a store: the store would wait for this thread. A store that a
        # finalizer closes here is closed on another thread.
        local.state.running = IN_DRIVER
        while True:
            task = self._calls.get()
            if task is None:
                break
            call, method, arguments = task
            if call:
                self.answer(call, lambda: self._call(method, arguments))
        if self._log is not None:
            try:
                self._log.close()
            except BaseException as raised:
                call_unraisable_hook(raised, f"close of a log of {self._driver!r}")

    def _call(self, method: str, arguments: tuple[Any, ...]) -> Answer:
        """Calls a method, and makes an answer of what it returns or raises."""
        answer = Answer(self._head)
        try:
            target = self._driver if method == "open" else self._log
            result = getattr(target, method)(*arguments)
        except outcomes.Outcome as raised:
            answer.set_raised(raised)
        except (ConnectionError, TimeoutError) as raised:
            is_unknown = method == "append"
            kind = outcomes.Unanswered if is_unknown else outcomes.Unavailable
            answer.set_outcome(kind, str(raised) or type(raised).__name__)
        else:
            if method == "open":
                self._log = result[0]
            answer.set_result(method, result)
        self._head = answer.head
        return answer

    def answer(self, call: list[int], make: Callable[[], Answer]) -> None:
        """Answers a call, unless somebody else has taken it; never raises."""
        try:
            answer = make()
        except BaseException as raised:
            answer = refusal(raised)
            call_unraisable_hook(raised, f"a call of a log of {self._driver!r}")
        for handle in take(call):
            self._answer(handle, byref(answer.c))


def refusal(raised: BaseException) -> Answer:
    """The answer to a call that an exception has failed."""
    answer = Answer(Place())
    answer.set_outcome(outcomes.Refused, message_of(raised).decode())
    return answer


def take(call: list[int]) -> Iterator[int]:
    """The handle of a call, for the first who takes it."""
    try:
        yield call.pop()
    except IndexError:
        return


# ---- What the library calls ----------------------------------------------------------------------

# By their numbers, which the library passes.
_drivers: dict[int, Driver] = {}
_logs: dict[int, LogThread] = {}
_numbers = itertools.count(1)


def _pass_on(answer: Any, call: list[int], pass_on: Callable[[], None]) -> None:
    """Passes a call on. If that fails, answers it: the library waits for an answer."""
    try:
        pass_on()
    except BaseException as raised:
        is_interruption = not isinstance(raised, Exception)
        for handle in take(call):
            if is_interruption and local.state.may_repeat is not None:
                local.state.raised = raised  # The dispatch raises it.
            answer(handle, byref(refusal(raised).c))
            return
        if is_interruption:
            raise


def _open(
    context: int, opening: Any, engine: Any, watch: int, log: Any, handle: int
) -> None:
    call, engine = [handle], c.imd_log_engine.from_buffer_copy(engine.contents)

    def begin() -> None:
        thread = LogThread(_drivers[context], engine, watch)
        number = next(_numbers)
        _logs[number] = thread
        log[0] = number
        given = opening.contents
        base = None if given.base is None else string_at(given.base, given.base_length)
        arguments = Opening(
            given.address.decode(),
            string_at(given.header, given.header_length),
            base,
            given.timeout_ms / 1000,
            thread.changed,
        )
        thread.put(call, "open", (arguments,))

    _pass_on(engine.answer, call, begin)


def _append(log: int, after: Any, entries: Any, count: int, handle: int) -> None:
    def arguments() -> tuple[Any, ...]:
        copied = [
            Entry(Place(), string_at(each.text, each.length), each.origin.decode(), each.counter)
            for each in entries[:count]
        ]
        return (_place(after) if after else None, copied)

    _put(log, handle, "append", arguments)


def _read(log: int, after: Any, limit: int, hold: int, handle: int) -> None:
    _put(log, handle, "read", lambda: (_place(after), limit, bool(hold)))


def _get_snapshot(log: int, handle: int) -> None:
    _put(log, handle, "get_snapshot", lambda: ())


def _put_snapshot(log: int, old: int, place: Any, text: int, length: int, handle: int) -> None:
    _put(log, handle, "put_snapshot", lambda: (old, _place(place), string_at(text, length)))


def _trim(log: int, number: int, handle: int) -> None:
    _put(log, handle, "trim", lambda: (number,))


def _close(log: int | None) -> None:
    thread = None if log is None else _logs.pop(log, None)
    if thread is not None:
        thread.end()


def _put(log: int, handle: int, method: str, arguments: Callable[[], tuple[Any, ...]]) -> None:
    thread, call = _logs[log], [handle]
    _pass_on(thread._answer, call, lambda: thread.put(call, method, arguments()))


def _place(place: Any) -> Place:
    return Place(place.contents.number, bytes(place.contents.hash))


# Never freed: the library may call them.
_functions = {
    name: c.FUNCTION_TYPES[name](function)
    for name, function in {
        "open": _open,
        "append": _append,
        "read": _read,
        "get_snapshot": _get_snapshot,
        "put_snapshot": _put_snapshot,
        "trim": _trim,
        "close": _close,
    }.items()
}


def c_driver(driver: Driver) -> c.imd_log_driver:
    """An imd_log_driver that calls a driver in Python. The driver is never freed, either."""
    number = next(_numbers)
    _drivers[number] = driver
    made = c.imd_log_driver(context=number, **_functions)
    made.size = sizeof(made)
    return made
