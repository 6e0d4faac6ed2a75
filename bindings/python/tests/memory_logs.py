"""A log driver that keeps logs in memory: the one of docs/log-drivers.md."""

import secrets
import threading

from immutabledata.log_drivers import (
    Absent,
    Diverged,
    Found,
    Moved,
    Opened,
    Place,
    Repeated,
    Snapshot,
)


class MemoryLogs:
    """A driver: opens logs by their addresses."""

    def __init__(self):
        self.lock = threading.Lock()
        self.logs = {}

    def open(self, opening):
        with self.lock:
            if opening.address not in self.logs:
                if opening.base is None:
                    raise Absent("there is no such log")
                self.logs[opening.address] = Content(opening)
            content = self.logs[opening.address]
            content.listeners.append(opening.changed)
            log = MemoryLog(content, self.lock, opening.changed)
            return Opened(log, content.id, content.header, content.head)


class Content:
    """What the stores that have opened a log share."""

    def __init__(self, opening):
        self.id, self.header = secrets.token_hex(16), opening.header
        self.snapshot = Snapshot(Place(), opening.base)
        self.entries = []
        self.counters = {}
        self.listeners = []

    def place(self, number):
        if number > len(self.entries):
            return None
        return self.entries[number - 1].place if number else Place()

    @property
    def head(self):
        return self.place(len(self.entries))


class MemoryLog:
    """A log that a store has open."""

    def __init__(self, content, lock, changed):
        self.content, self.lock, self.changed = content, lock, changed

    def append(self, after, entries):
        content = self.content
        with self.lock:
            for entry in entries[:1]:
                last = content.counters.get(entry.origin, 0)
                if entry.counter != last + 1:
                    raise Repeated(last, content.head)
            if after is not None and after != content.head:
                raise Moved(head=content.head)
            for entry in entries:
                place = content.head.after(entry.text)
                content.entries.append(entry._replace(place=place))
                content.counters[entry.origin] = entry.counter
            for changed in content.listeners:
                if changed is not self.changed:
                    changed(content.head.number)
            return content.head

    def read(self, after, limit, hold):
        content, found, size = self.content, [], 0
        with self.lock:
            if content.place(after.number) != after:
                raise Diverged("the log has other entries")
            for entry in content.entries[after.number :]:
                size += len(entry.text)
                if found and size > limit:
                    break
                found.append(entry)
            return Found(found, content.head)

    def get_snapshot(self):
        return self.content.snapshot

    def put_snapshot(self, old, place, text):
        with self.lock:
            latest = self.content.snapshot.place.number
            if latest != old:
                raise Moved("another snapshot was put", latest=latest)
            if self.content.place(place.number) != place:
                raise Diverged("the log has other entries")
            self.content.snapshot = Snapshot(place, text)

    def trim(self, number):
        """Keeps all entries."""

    def close(self):
        with self.lock:
            self.content.listeners.remove(self.changed)
