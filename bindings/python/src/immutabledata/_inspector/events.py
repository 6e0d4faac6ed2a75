"""What has happened, for those who wait for it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from .text import JSONText, preview, text_within

# How many lines of a trace, and how many bytes of one, wait for a reader.
_MOST_LINES = 200
_LONGEST_LINE = 64 << 10


class News(NamedTuple):
    """What has happened since a subscriber has looked."""

    program: bool
    """Whether the program or its stores have changed."""
    connection: bool
    """Whether the connection has begun or ended."""
    stores: list[int]
    """The stores with new commits."""
    trace: list[tuple[int, Any]]
    """Lines of the trace, each with its store."""


class Subscriber:
    """One who waits. What it has not read takes bounded memory."""

    def __init__(self, wants_trace: bool) -> None:
        self.wants_trace = wants_trace
        self._condition = threading.Condition()
        self._program = self._connection = self._is_closed = False
        self._stores: dict[int, None] = {}
        self._trace: deque[tuple[int, Any]] = deque(maxlen=_MOST_LINES)

    def wait(self, seconds: float) -> News | None:
        """Waits for news; those may be empty. None when no more will come."""
        with self._condition:
            self._condition.wait_for(self._has_news, seconds)
            if self._is_closed:
                return None
            news = News(self._program, self._connection, list(self._stores), list(self._trace))
            self._program = self._connection = False
            self._stores.clear()
            self._trace.clear()
            return news

    def pause(self, seconds: float) -> None:
        """Lets news gather; ends early when no more will come."""
        with self._condition:
            self._condition.wait_for(lambda: self._is_closed, seconds)

    def _has_news(self) -> bool:
        return bool(
            self._program or self._connection or self._is_closed or self._stores or self._trace
        )

    def add(
        self, *, program: bool = False, connection: bool = False, store: int | None = None
    ) -> None:
        with self._condition:
            self._program |= program
            self._connection |= connection
            if store is not None:
                self._stores[store] = None
            self._condition.notify()

    def add_line(self, store: int, line: Any) -> None:
        if self.wants_trace:
            with self._condition:
                self._trace.append((store, line))
                self._condition.notify()

    def close(self) -> None:
        with self._condition:
            self._is_closed = True
            self._condition.notify()


class Events:
    """Passes on what has happened to all subscribers. It never waits for one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: tuple[Subscriber, ...] = ()
        self._is_closed = False

    @contextmanager
    def subscribed(self, wants_trace: bool = False) -> Iterator[Subscriber]:
        subscriber = Subscriber(wants_trace)
        with self._lock:
            self._subscribers += (subscriber,)
            if self._is_closed:
                subscriber.close()
        try:
            yield subscriber
        finally:
            with self._lock:
                rest = (each for each in self._subscribers if each is not subscriber)
                self._subscribers = tuple(rest)

    @property
    def trace_is_wanted(self) -> bool:
        return any(each.wants_trace for each in self._subscribers)

    def program_changed(self) -> None:
        for each in self._subscribers:
            each.add(program=True)

    def connection_changed(self) -> None:
        for each in self._subscribers:
            each.add(program=True, connection=True)

    def committed(self, store: int) -> None:
        for each in self._subscribers:
            each.add(store=store)

    def traced(self, store: int, line: Any) -> None:
        """A line of the trace; one that is too long becomes its beginning."""
        if not self.trace_is_wanted:
            return
        text = text_within(line, _LONGEST_LINE)
        kept = {"trace": "long", "preview": preview(line)} if text is None else JSONText(text)
        for each in self._subscribers:
            each.add_line(store, kept)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            for each in self._subscribers:
                each.close()
