"""Simulates stores that append to logs of one PostgreSQL server, from what the calls cost."""

import heapq
import itertools
import random
from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, field

# An append holds others up after so many refusals, and has at most so many entries.
REFUSALS, BATCH = 3, 1000


@dataclass(frozen=True)
class Costs:
    """In seconds."""

    trip: float  # a round trip on the network, without the server
    append: float  # of the server, for an append without its entries and without the disk
    entry: float  # of the server, for one more entry in an append
    flush: float  # a commit waits for the disk, and holds up the commits of all logs
    refusal: float  # of the server, for an append that is refused
    follow: float  # from a commit until another store has the entry, without the network


@dataclass
class Log:
    commits: list = field(default_factory=list)  # when
    queue: deque = field(default_factory=deque)  # stores that wait for its row
    holder: object = None


@dataclass
class Store:
    log: Log
    known: int = 0  # how many appends it has read
    refusals: int = 0
    waiting: list = field(default_factory=list)  # when each action arrived
    batch: list = field(default_factory=list)  # those that it appends


class Simulation:
    """Actions arrive at random, with the same rate in all stores."""

    def __init__(self, costs, logs, stores, rate, seed=1):
        self.costs, self.gap, self.choices = costs, 1 / rate, random.Random(seed)
        self.events, self.order, self.now = [], itertools.count(), 0.0
        self.free = 0.0  # when the server can commit next
        self.latencies, self.attempts, self.appends = [], 0, 0
        for _ in range(logs):
            log = Log()
            for _ in range(stores):
                self.after(self.choices.expovariate(rate), self.arrive, Store(log))

    def after(self, delay, function, argument):
        heapq.heappush(self.events, (self.now + delay, next(self.order), function, argument))

    def run(self, count):
        """Runs until so many actions were appended."""
        while len(self.latencies) < count:
            self.now, _, function, argument = heapq.heappop(self.events)
            function(argument)
        return self

    def arrive(self, store):
        self.after(self.choices.expovariate(1 / self.gap), self.arrive, store)
        store.waiting.append(self.now)
        if not store.batch:
            self.reduce(store)

    def reduce(self, store):
        """Reduces what waits, after what the store has read, and sends it."""
        store.batch, store.waiting = store.waiting[:BATCH], store.waiting[BATCH:]
        self.send(store)

    def send(self, store):
        seen = self.now - self.costs.follow - self.costs.trip * 3 / 2  # a hint, and a read
        store.known = max(store.known, bisect_right(store.log.commits, seen))
        self.after(self.costs.trip / 2, self.queue, store)

    def queue(self, store):
        store.log.queue.append(store)
        self.grant(store.log)

    def grant(self, log):
        """Lets the next store have the row of the log."""
        if log.holder or not log.queue:
            return
        store = log.holder = log.queue.popleft()
        if store.refusals >= REFUSALS:  # a read that holds; then the append
            store.known = len(log.commits)
            self.after(self.costs.refusal + self.costs.trip, self.append, store)
        else:
            self.append(store)

    def append(self, store):
        self.attempts += 1
        if store.known < len(store.log.commits):
            return self.after(self.costs.refusal, self.refuse, store)
        entries = len(store.batch) - 1
        ready = self.now + self.costs.append + entries * self.costs.entry
        self.free = max(self.free, ready) + self.costs.flush
        self.after(self.free - self.now, self.commit, store)

    def release(self, log):
        log.holder = None
        self.grant(log)

    def refuse(self, store):
        """The answer brings what the store has missed."""
        store.refusals += 1
        store.known = len(store.log.commits)
        self.after(self.costs.trip / 2, self.send, store)
        self.release(store.log)

    def commit(self, store):
        self.appends += 1
        store.log.commits.append(self.now)
        store.known, store.refusals = len(store.log.commits), 0
        self.after(self.costs.trip / 2, self.answer, store)
        self.release(store.log)

    def answer(self, store):
        self.latencies += [self.now - arrived for arrived in store.batch]
        store.batch = []
        if store.waiting:
            self.reduce(store)
