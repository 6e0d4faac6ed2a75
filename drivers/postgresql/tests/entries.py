"""A log of client.c, as a server has it."""

import json

from driver import Place

LOG = "networks"


class Entries:
    """The log as the server has it, and the state that it leads to, without the library."""

    def __init__(self, server, slots):
        rows = server.sql(
            "select e.number, origin, counter, encode(e.hash, 'hex'), convert_from(text, 'UTF8') "
            "from immutabledata.entry e join immutabledata.log l on e.log = l.key "
            f"where l.name = '{LOG}' order by e.number"
        )
        self.commits = {}  # of each action: its number among all
        self.state = {"commits": 0, "hash": 0, "last": [0] * slots}
        place, counters = Place(), {}
        for row in rows.splitlines():
            number, origin, counter, hash, text = row.split("|", 4)
            place = place.after(text.encode())
            assert (int(number), hash) == (place.number, place.hash.hex())
            assert int(counter) == counters.get(origin, 0) + 1
            counters[origin] = int(counter)
            for action in json.loads(text).get("actions", []):
                self._reduce(action["payload"]["slot"], action["payload"]["number"])

    def _reduce(self, slot, number):
        state = self.state
        assert number == state["last"][slot] + 1, f"{number} of slot {slot}"
        state["last"][slot] = number
        state["hash"] = (state["hash"] * 31 + slot * 7 + number) % 1000003
        state["commits"] += 1
        self.commits[slot, number] = state["commits"]

    def check(self, run, restored):
        """Compares the log with what a process has said."""
        survived = not run.was_killed and not run.has_diverged
        assert not (survived and run.must_diverge), "a store had entries that were lost"
        for slot, number, commits in run.acknowledged:
            if survived or not restored or commits <= min(restored):
                assert self.commits[slot, number] <= commits, f"{number} of slot {slot} was lost"
