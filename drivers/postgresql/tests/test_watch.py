"""What a log says of new entries and of its connection, and holding it."""

import time

from driver import DONE, MOVED, UNAVAILABLE, Log, Place


def terminate(server):
    """Ends the sessions of the logs; returns how many there were."""
    return int(
        server.sql(
            "select count(pg_terminate_backend(pid, 10000)) from pg_stat_activity "
            "where application_name = 'immutabledata'"
        )
    )


def test_others_hear_of_entries(open_log):
    a, b = open_log(), open_log()
    a.append(b"1")
    assert b.changed() == 1
    a.append(b"2", b"3")
    assert b.changed() == 3
    b.append(b"4")
    assert a.changed() == 4
    a.append(b"5")
    assert b.changed() == 5
    assert a.changes.empty()
    assert b.changes.empty()


def test_logs_are_apart(server, open_log):
    log = open_log()
    with Log(server.address(log="another")) as other:
        other.append(b"1")
        other.append(b"2")
        open_log().append(b"3")
        assert log.changed() == 1
        assert log.changes.empty()
        assert other.changes.empty()


def test_lost_connection_is_noticed(server, open_log):
    log, other = open_log(), open_log(parameters={"application_name": "other"})
    log.append(b"1")
    assert terminate(server) >= 1
    assert log.changed() == 0
    assert log.append(b"2").outcome == DONE  # on a new connection
    other.append(b"3")
    assert log.changed() == 3  # which listens too


def test_appends_to_a_lost_connection(server, open_log):
    """A call that finds the connection lost makes a new one: nothing was sent on the old one."""
    log = open_log()
    for i in range(5):
        assert log.append(b"%d" % i).outcome == DONE
        terminate(server)
        assert log.append(b"%d again" % i).outcome == DONE
        assert log.changed() == 0


def test_hold(open_log):
    a, b = open_log(), open_log()
    a.append(b"1")
    held = a.read(hold=True)
    assert [entry.text for entry in held.entries] == [b"1"]
    waiting = b.begin_append(b"b", after=held.head)
    assert a.append(b"2", after=held.head).outcome == DONE
    answer = b.end_append(waiting)
    assert (answer.outcome, answer.head.number) == (MOVED, 2)


def test_hold_is_released(open_log):
    a, b = open_log(), open_log()
    held = a.read(hold=True)
    waiting = b.begin_append(b"b", after=held.head)
    assert a.append().outcome == DONE
    assert b.end_append(waiting).outcome == DONE
    # What is refused releases too.
    held = a.read(hold=True)
    waiting = b.begin_append(b"b", counter=2)
    assert a.append(b"x", after=Place()).outcome == MOVED
    assert b.end_append(waiting).outcome == DONE


def test_hold_of_a_place_that_is_not(open_log):
    a, b = open_log(), open_log()
    assert a.read(Place(5, bytes(32)), hold=True).outcome != DONE
    assert b.append(b"1").outcome == DONE


def test_hold_and_snapshots(open_log):
    a, b = open_log(), open_log()
    head = a.append(b"1").head
    a.read(hold=True)
    assert a.get_snapshot().outcome == DONE
    assert a.put_snapshot(0, head, b"one").outcome == DONE
    assert b.get_snapshot().place == head
    assert b.append(b"2").outcome == DONE


def test_hold_ends_by_itself(open_log):
    a, b = open_log(), open_log()
    b.append(b"1")
    assert a.changed() == 1
    begin = time.monotonic()
    a.read(hold=True)
    assert b.append(b"2").outcome == DONE  # waits until the server ends the session of the other
    assert 4 < time.monotonic() - begin < 9
    assert a.changed() == 0
    assert a.append(b"3").outcome == DONE


def test_hold_of_another(open_log):
    a, b = open_log(), open_log(timeout_ms=1000)
    a.read(hold=True)
    answer = b.append(b"1")
    assert answer.outcome == UNAVAILABLE  # and not unanswered: the server has given up
    assert answer.message == "canceling statement due to lock timeout"
    assert b.read(hold=True).outcome == UNAVAILABLE
    assert b.read().outcome == DONE
    assert a.append().outcome == DONE
    assert b.append(b"1").outcome == DONE
