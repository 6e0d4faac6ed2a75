"""Many stores dispatch to one log over a network that fails, while stores and the server are
killed, or the server is restored from a copy.

IMD_TEST_DISPATCHES is the number of actions of all stores: from 100,000 on there are 50 stores.
IMD_TEST_SEED decides what happens.
"""

import contextlib
import json
import os
import random
import select
import shutil

from client import Client
from entries import LOG, Entries
from proxy import Proxy
from server import Server

DISPATCHES = int(os.environ.get("IMD_TEST_DISPATCHES", "2400"))
SEED = int(os.environ.get("IMD_TEST_SEED", random.randrange(1 << 32)))
CLIENTS, THREADS = 50 if DISPATCHES >= 100_000 else 8, 2
SLOTS = CLIENTS * THREADS
ROUNDS = max(1, DISPATCHES // 10_000)
LAST = DISPATCHES // SLOTS
# After so many seconds without an acknowledgement, something hangs.
HUNG = 120


class Network:
    """Clients of one log of a server of their own."""

    def __init__(self, server, program):
        server.stop()
        server.settings += "max_connections = 200\nfsync = off\n"
        server.start()
        print(f"IMD_TEST_SEED={SEED}")
        self.server, self.choices = server, random.Random(SEED)
        # The copy, and the numbers of commits of those from which the server was restored.
        self.copied, self.restored = None, []
        self.proxy = Proxy(server.port, SEED, period=20 * CLIENTS, pause=1)
        self.clients = []
        address = f"postgresql://postgres@127.0.0.1:{self.proxy.port}/app?log={LOG}"
        for i in range(CLIENTS):
            timeout = self.choices.choice([300, 600, 1500])
            command = [program, address, timeout, SLOTS, LAST]
            slots = range(i * THREADS, (i + 1) * THREADS)
            self.clients.append(Client(command, slots, self.restored))

    def read(self, timeout):
        """Reads what the clients say. Returns how many actions were acknowledged."""
        clients = {client.output: client for client in self.clients}
        ready, _, _ = select.select(list(clients), [], [], timeout)
        assert ready or not timeout, f"nothing has happened for {timeout} seconds"
        return sum(clients[output].read() for output in ready)

    def fail(self, events):
        """Lets the events happen, one after the other, while the clients dispatch."""
        total, events = 0, list(events)
        times = sorted(self.choices.sample(range(DISPATCHES * 9 // 10), len(events)))
        while events or not all(client.is_done for client in self.clients):
            total += self.read(HUNG)
            while times and total >= times[0]:
                times.pop(0)
                events.pop(0)()

    def kill_client(self):
        self.choices.choice(self.clients).kill()

    def kill_server(self):
        self.server.stop("immediate")
        self.server.start()

    def copy(self):
        """Makes a copy of the server, for `restore`."""
        self.server.stop("immediate")
        self.copied = Server(copy_of=self.server)
        self.server.start()

    def restore(self):
        """Replaces the server by the copy. Stores that have newer entries must notice it."""
        commits = Entries(self.copied, SLOTS).state["commits"]
        self.copied.stop()
        self.server.stop("immediate")
        shutil.rmtree(self.server.data)
        shutil.move(self.copied.data, self.server.data)
        shutil.rmtree(self.copied.folder)
        while self.read(0):
            pass
        self.restored.append(commits)
        for client in self.clients:
            client.run.must_diverge |= client.run.latest > commits
        self.copied = None
        self.server.start()

    def finish(self):
        """Lets all stores read to the end. Returns their states."""
        self.proxy.heal()
        while True:
            while not all(client.is_done for client in self.clients):
                self.read(HUNG)
            runs = [client.run for client in self.clients]
            for client in self.clients:
                client.ask()
            while any(client.is_asked for client in self.clients):
                self.read(HUNG)
            # A store that had diverged was opened again, and dispatches.
            if runs == [client.run for client in self.clients]:
                return {client.state for client in self.clients}

    def close(self):
        for client in self.clients:
            client.end()
        self.proxy.close()
        if self.copied:
            self.copied.remove()


def check(network, events):
    with contextlib.closing(network):
        network.fail(events)
        states = network.finish()
        entries = Entries(network.server, SLOTS)
        assert states == {json.dumps(entries.state, separators=(",", ":"))}
        assert entries.state["last"] == [LAST] * SLOTS
        for client in network.clients:
            for run in client.runs:
                entries.check(run, network.restored)
    print(network.proxy.faults, network.restored)


def test_killed_server(own_server, compile_program):
    network = Network(own_server, compile_program("client.c"))
    events = [network.kill_client] * (4 * ROUNDS) + [network.kill_server] * (2 * ROUNDS)
    network.choices.shuffle(events)
    check(network, events)


def test_restored_server(own_server, compile_program):
    network = Network(own_server, compile_program("client.c"))
    kills = [network.kill_client] * 2
    check(network, [*kills, network.copy, *kills, network.restore, *kills] * ROUNDS)
