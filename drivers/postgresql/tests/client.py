"""A client of test_networks.py: a process of client.c, and another one when it has ended."""

import os
import signal
import subprocess


class Run:
    """A process, and what it has said.

    must_diverge: it had entries that a restored server does not have.
    """

    def __init__(self):
        self.acknowledged = []  # (slot, number, commits)
        self.has_diverged = self.was_killed = self.must_diverge = False

    @property
    def latest(self):
        return self.acknowledged[-1][2] if self.acknowledged else 0


class Client:
    """Runs a command for some slots. restored has the numbers of commits of the copies from which
    the server was restored."""

    def __init__(self, command, slots, restored):
        self.command, self.restored = [*map(str, command), *map(str, slots)], restored
        self.runs = []
        self.commits = 0
        self.start()

    def start(self):
        self.runs.append(Run())
        self.commits = min([self.commits, *self.restored])
        self.is_done, self.is_asked, self.state = False, False, None
        self._unread = b""
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.output = self.process.stdout.fileno()

    @property
    def run(self):
        return self.runs[-1]

    def read(self):
        """Reads what the process has printed; starts another one if it has ended as the log has
        diverged. Returns how many actions were acknowledged."""
        text = os.read(self.output, 1 << 16)
        if text:
            return self._take(text)
        assert (self._end(), self.run.has_diverged) == (0, True), "a client has ended"
        self.start()
        return 0

    def _take(self, text):
        before = len(self.run.acknowledged)
        *lines, self._unread = (self._unread + text).split(b"\n")
        for line in lines:
            word, *words = line.decode().split(" ")
            if word == "opened":
                # The server may have been restored since the process began.
                known = min([self.commits, *self.restored])
                assert int(words[0]) >= known, "what a client reads goes back"
            elif word == "diverged":
                assert self.restored, "diverged from a log that was not restored"
                self.run.has_diverged = True
            elif word == "done":
                self.is_done = True
            elif word == "state":
                self.state, self.is_asked = words[0], False
            else:
                slot, number, commits = map(int, (word, *words))
                self.run.acknowledged.append((slot, number, commits))
                self.commits = max(self.commits, commits)  # threads print in any order
        return len(self.run.acknowledged) - before

    def ask(self):
        """Lets a process that is done print its state."""
        self.is_asked = True
        self.process.stdin.write(b"\n")

    def kill(self):
        """Kills the process, and starts another one. Returns how many actions were acknowledged."""
        self.process.kill()
        count = self._take(self.process.stdout.read())
        assert self._end() in (-signal.SIGKILL, 0)
        self.run.was_killed = True
        self.start()
        return count

    def end(self):
        self.process.kill()
        self._end()

    def _end(self):
        for pipe in (self.process.stdin, self.process.stdout):
            pipe.close()
        return self.process.wait()
