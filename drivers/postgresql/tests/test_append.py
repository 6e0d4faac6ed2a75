"""Opening, appending and reading."""

import threading

from driver import ABSENT, DIVERGED, DONE, MOVED, REPEATED, Place


def test_open_makes_a_log(open_log):
    log = open_log(header=b'{"header":"\xc3\xa9"}', base=b"[]")
    assert log.opened.outcome == DONE
    assert log.opened.text == b'{"header":"\xc3\xa9"}'
    assert log.opened.head == Place()
    assert len(log.opened.id) == 32
    snapshot = log.get_snapshot()
    assert (snapshot.outcome, snapshot.place, snapshot.text) == (DONE, Place(), b"[]")
    again = open_log(header=b"other", base=b"other")
    assert again.opened.text == log.opened.text
    assert again.opened.id == log.opened.id


def test_open_without_base(open_log):
    assert open_log(base=None).opened.outcome == ABSENT
    assert open_log().opened.outcome == DONE
    assert open_log(base=None).opened.outcome == DONE


def test_all_open_the_same_log(open_log):
    logs = []
    start = threading.Barrier(8)

    def run(i):
        start.wait()
        logs.append(open_log(header=b"%d" % i, base=b"%d" % i))

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [log.opened.outcome for log in logs] == [DONE] * 8
    assert len({(log.opened.id, log.opened.text) for log in logs}) == 1
    assert logs[0].get_snapshot().text == logs[0].opened.text


def test_append_and_read(open_log):
    log = open_log()
    one = log.append(b"one")
    assert (one.outcome, one.head) == (DONE, Place().after(b"one"))
    more = log.append(b"two", "drei \U0001f40d".encode(), b"", after=one.head)
    assert (more.outcome, more.head.number) == (DONE, 4)
    texts = [b"one", b"two", "drei \U0001f40d".encode(), b""]
    assert more.head == Place().after(*texts)
    answer = log.read()
    assert (answer.outcome, answer.head) == (DONE, more.head)
    assert [entry.text for entry in answer.entries] == texts
    assert [entry.counter for entry in answer.entries] == [1, 2, 3, 4]
    assert {entry.origin for entry in answer.entries} == {log.origin}
    assert {entry.author for entry in answer.entries} == {"postgres"}
    assert [entry.place for entry in answer.entries] == [
        Place().after(*texts[: i + 1]) for i in range(4)
    ]
    assert log.read(one.head).entries == answer.entries[1:]
    assert log.read(more.head).entries == []


def test_moved_brings_the_entries(open_log):
    a, b = open_log(), open_log()
    assert a.append(b"a1", b"a2", after=Place()).outcome == DONE
    refused = b.append(b"b1", after=Place())
    assert (refused.outcome, refused.head) == (MOVED, Place().after(b"a1", b"a2"))
    assert [entry.text for entry in refused.entries] == [b"a1", b"a2"]
    assert b.append(b"b1", after=refused.head).outcome == DONE
    assert len(a.read_all()) == 3


def test_counters(open_log):
    log = open_log()
    assert log.append(b"1").outcome == DONE
    for counter in [1, 3, 0, -1]:
        answer = log.append(b"x", counter=counter)
        assert (answer.outcome, answer.counter, answer.head.number) == (REPEATED, 1, 1)
    # The counter is compared first.
    assert log.append(b"x", counter=1, after=Place(7, bytes(32))).outcome == REPEATED
    assert log.append(b"first", counter=2, origin="0" * 32).outcome == REPEATED
    assert log.append(b"first", counter=1, origin="0" * 32).outcome == DONE
    assert log.append(b"2", b"3").outcome == DONE
    assert log.append(b"4").outcome == DONE


def test_diverged(open_log):
    log = open_log()
    head = log.append(b"1", b"2").head
    other = Place().after(b"1", b"other")
    for place in [other, Place(1, bytes(32)), Place(0, b"x" * 32), head.after(b"3")]:
        assert log.append(b"x", after=place).outcome == DIVERGED
        assert log.read(place).outcome == DIVERGED
        assert "older copy" in log.read(place).message
    assert log.read().head == head


def test_pages(open_log):
    log = open_log()
    texts = [bytes([65 + i]) * 100 for i in range(20)] + [b"z" * 5000] + [b"y"] * 3
    assert log.append(*texts).outcome == DONE
    assert len(log.read(limit=1000).entries) == 10
    assert len(log.read(limit=0).entries) == 1
    assert [entry.text for entry in log.read_all(limit=250)] == texts
    large = log.read(Place().after(*texts[:20]), limit=100)
    assert [entry.text for entry in large.entries] == [b"z" * 5000]


def test_batches_of_every_size(open_log):
    log = open_log()
    assert log.append().outcome == DONE
    for count in [1, 2, 1000]:
        assert log.append(*[b"%d" % i for i in range(count)]).outcome == DONE
    assert [entry.counter for entry in log.read_all()] == list(range(1, 1004))


def test_large_entries(open_log):
    log = open_log()
    text = b"0123456789abcdef" * (1 << 18)  # 4 MiB: more than a socket takes at once
    assert log.append(text, text[:-1]).outcome == DONE
    assert [len(entry.text) for entry in log.read(limit=0).entries] == [len(text)]
    assert log.read_all()[1].text == text[:-1]
