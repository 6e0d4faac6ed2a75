"""Snapshots, and removing entries."""

from driver import DIVERGED, DONE, MOVED, REFUSED, REPEATED, TRIMMED, Place

TEXTS = [b"%d" % i for i in range(1, 11)]


def test_replacing(open_log):
    log = open_log()
    log.append(*TEXTS)
    three, seven = Place().after(*TEXTS[:3]), Place().after(*TEXTS[:7])
    assert log.put_snapshot(0, three, b"three").outcome == DONE
    moved = log.put_snapshot(0, seven, b"seven")
    assert (moved.outcome, moved.counter) == (MOVED, 3)
    assert log.put_snapshot(3, Place(7, bytes(32)), b"seven").outcome == DIVERGED
    assert log.put_snapshot(3, Place(11, bytes(32)), b"eleven").outcome == DIVERGED
    assert log.put_snapshot(3, seven, b"seven").head == Place().after(*TEXTS)
    snapshot = log.get_snapshot()
    assert (snapshot.outcome, snapshot.place, snapshot.text) == (DONE, seven, b"seven")


def test_large_snapshot(open_log):
    log = open_log()
    head = log.append(b"1").head
    text = bytes(range(256)) * (1 << 16)  # 16 MiB
    assert log.put_snapshot(0, head, text).outcome == DONE
    assert log.get_snapshot().text == text


def test_trim(open_log):
    log, other = open_log(), open_log()
    log.append(*TEXTS)
    places = [Place().after(*TEXTS[:i]) for i in range(11)]
    refused = log.trim(1)
    assert refused.outcome == REFUSED
    assert refused.message == "cannot trim up to 1: the latest snapshot is at 0"
    assert log.put_snapshot(0, places[8], b"eight").outcome == DONE
    for number in [5, 3, 5]:
        assert (log.trim(number).outcome, log.trim(number).head) == (DONE, places[10])
    for place in [places[0], places[4]]:
        assert log.read(place).outcome == TRIMMED
        assert log.put_snapshot(8, place, b"early").outcome == TRIMMED
        moved = log.append(b"x", after=place)
        assert (moved.outcome, moved.entries) == (MOVED, [])
    assert log.read(Place(5, bytes(32))).outcome == DIVERGED
    assert [entry.text for entry in log.read(places[5]).entries] == TEXTS[5:]
    assert log.trim(8).outcome == DONE
    assert [entry.text for entry in log.read(places[8]).entries] == TEXTS[8:]
    # The counters are known for ever.
    repeated = other.append(b"x", counter=1, origin=log.origin)
    assert (repeated.outcome, repeated.counter) == (REPEATED, 10)
    assert other.append(b"x", after=places[10]).outcome == DONE


def test_trim_to_the_end(open_log):
    log = open_log()
    head = log.append(*TEXTS).head
    log.put_snapshot(0, head, b"all")
    assert log.trim(10).outcome == DONE
    assert log.read(head).entries == []
    assert log.append(b"11", after=head).head == head.after(b"11")


def test_trim_of_many(server, open_log, name):
    """More than one transaction removes."""
    log = open_log()
    texts = [b"%d" % i for i in range(25000)]
    head = log.append(*texts).head
    assert log.put_snapshot(0, head, b"all").outcome == DONE
    assert log.trim(24999).outcome == DONE
    assert [entry.text for entry in log.read(Place().after(*texts[:-1])).entries] == texts[-1:]
    assert (
        server.sql(f"select trimmed_number from immutabledata.log where name='{name}'") == "24999"
    )
