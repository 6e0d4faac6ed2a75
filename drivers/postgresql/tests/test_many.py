"""Many programs that append to one log at the same time."""

import threading

import pytest
from driver import DONE, MOVED, Place


@pytest.mark.parametrize("way", ["at the head", "held", "anywhere"])
def test_no_gaps_and_no_duplicates(open_log, way):
    clients, appends = 8, 200 if way == "anywhere" else 40
    logs = [open_log() for _ in range(clients)]

    def run(log):
        head = log.opened.head
        for i in range(appends):
            text = b"%s %d" % (log.origin.encode(), i)
            while True:
                if way == "held":
                    head = log.read(head, hold=True).head
                answer = log.append(text, after=None if way == "anywhere" else head)
                if answer.outcome == DONE:
                    break
                assert (way, answer.outcome) == ("at the head", MOVED)
                assert answer.entries[-1].place == answer.head
                head = answer.head
            head = answer.head

    threads = [threading.Thread(target=run, args=(log,)) for log in logs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = logs[0].read_all(limit=10000)
    assert [entry.place.number for entry in entries] == list(range(1, clients * appends + 1))
    place = Place()
    counters = {log.origin: 0 for log in logs}
    for entry in entries:
        place = place.after(entry.text)
        assert entry.place == place
        assert entry.text == b"%s %d" % (entry.origin.encode(), counters[entry.origin])
        counters[entry.origin] += 1
        assert entry.counter == counters[entry.origin]
    for log in logs:
        latest = 0
        while latest < entries[-1].place.number and not log.changes.empty():
            number = log.changed()
            assert number > latest  # in the order of the log
            latest = number
