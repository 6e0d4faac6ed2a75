"""Servers that are killed, stopped, restored, or slow."""

import signal
import time

from driver import DIVERGED, DONE, REFUSED, REPEATED, UNANSWERED, UNAVAILABLE, Log, Place
from server import BIN, Server


def test_killed_in_the_middle_of_appends(own_server):
    """After a restart, each append that was answered is there; another is there or not, once."""
    answered = []
    with Log(own_server.address(log="killed")) as log:
        for _round in range(3):
            calls = [
                (i, log.begin_append(b"%d" % i, counter=log.counter + 1 + i)) for i in range(400)
            ]
            outcomes = []
            for i, call in calls:
                outcomes.append(log.end_append(call).outcome)
                if i == 50:
                    own_server.stop("immediate")
            done = outcomes.index(next(o for o in outcomes if o != DONE))
            assert done >= 50
            assert set(outcomes[done:]) <= {UNANSWERED, UNAVAILABLE, REPEATED}
            assert outcomes.count(UNANSWERED) <= 1
            own_server.start()
            answered += [log.counter + 1 + i for i in range(done)]
            entries = log.read_all()
            counters = [entry.counter for entry in entries]
            assert counters == list(range(1, len(counters) + 1))
            assert counters[: len(answered)] == answered
            assert len(counters) - len(answered) <= outcomes.count(UNANSWERED)
            log.counter = counters[-1]
            answered = counters
            assert entries[-1].place == Place().after(*[entry.text for entry in entries])
        assert log.append(b"last").outcome == DONE


def test_stopped_server(own_server):
    """All calls end in time, whatever the server does."""
    with Log(own_server.address(log="stopped"), timeout_ms=1500) as log:
        assert log.append(b"1").outcome == DONE
        own_server.signal(signal.SIGSTOP)
        begin = time.monotonic()
        append = log.begin_append(b"2")
        second = log.begin_append(b"3")
        assert log.end_append(append).outcome == UNANSWERED
        assert log.end_append(second).outcome == UNAVAILABLE
        assert log.changed() == 0
        assert time.monotonic() - begin < 5
        answer = log.read()
        assert answer.outcome == UNAVAILABLE
        assert "did not answer in time" in answer.message
        opened = Log(own_server.address(log="stopped"), timeout_ms=500)
        assert opened.opened.outcome == UNAVAILABLE
        opened.close()
        own_server.signal(signal.SIGCONT)
        # The append of before may still be done, until one with its counter is.
        assert log.append(b"2").outcome in (DONE, REPEATED)
        assert [entry.text for entry in log.read_all()] == [b"1", b"2"]


def test_absent_server(own_server):
    own_server.stop()
    with Log(own_server.address(log="absent")) as log:
        assert log.opened.outcome == UNAVAILABLE
        assert "Connection refused" in log.opened.message
        assert log.append(b"1").outcome == REFUSED
        assert log.append(b"1").message == "the log was not opened"


def test_restored_server(own_server):
    """A log that continues from an older copy is another one."""
    with Log(own_server.address(log="restored")) as log:
        log.append(b"1", b"2")
        own_server.stop()
        copy = Server(copy_of=own_server)
        own_server.start()
        head = log.append(b"3").head
        with Log(copy.address(log="restored")) as restored:
            assert restored.opened.id == log.opened.id
            assert restored.read(head).outcome == DIVERGED
            assert restored.append(b"4", after=head).outcome == DIVERGED
            restored.append(b"three", b"4")
            assert restored.read(head).outcome == DIVERGED
        copy.remove()


def test_dump(server, open_log, name):
    """A dump has the whole log, and the rights by the names of roles."""
    log = open_log()
    head = log.append(b"1", b"2").head
    log.put_snapshot(0, Place().after(b"1"), b"one")
    log.trim(1)
    server.sql("create role dumped login")
    server.sql(f"select immutabledata.allow('{name}', 'dumped', 'append')")
    server.sql("create database restored")
    dump = server.run(
        BIN / "pg_dump", "-h", server.folder, "-p", server.port, "-U", "postgres", "app"
    )
    assert "\tdumped\t2\n" in dump.stdout
    server.sql(dump.stdout, "restored")
    with Log(server.address("restored", log=name, user="dumped")) as restored:
        assert restored.opened.id == log.opened.id
        assert restored.append(b"3", after=head).outcome == DONE
        assert restored.read(head).entries[0].author == "dumped"
        assert restored.append(b"3", origin=log.origin, counter=2).outcome == REPEATED


def test_failover(own_server):
    """A log whose address has a primary and a standby goes on after the latter was promoted."""
    standby = Server(standby_of=own_server)
    try:
        ports = f"127.0.0.1:{own_server.port},127.0.0.1:{standby.port}"
        with Log(f"postgresql://postgres@{ports}/app?log=failover") as log:
            texts = [b"%d" % i for i in range(20)]
            for text in texts:
                assert log.append(text).outcome == DONE
            number = "select max(number) from immutabledata.log where name = 'failover'"
            while standby.sql(number) != "20":
                pass
            own_server.stop("immediate")
            assert log.changed() == 0
            assert log.append(b"x").outcome == UNAVAILABLE  # it is still a standby
            assert standby.sql("select pg_promote()") == "t"
            assert log.append(b"20").outcome == DONE
            assert [entry.text for entry in log.read_all()] == [*texts, b"20"]
            assert log.read().head == Place().after(*texts, b"20")
    finally:
        standby.remove()


def test_removed_log(server, open_log, name):
    log = open_log()
    log.append(b"1")
    server.sql(f"delete from immutabledata.log where name = '{name}'")
    assert log.append(b"2").outcome == REFUSED
    assert log.append(b"2").message == "the log was removed"
    assert log.read().message == "the log was removed"


def test_slow_commit(server, open_log):
    """The server itself gives up: an append that was answered as failed is not done later."""
    log = open_log(timeout_ms=1000)
    log.append(b"1")
    server.sql("""
      create function pg_temp_slow() returns trigger language plpgsql as
      'begin perform pg_sleep(30); return null; end';
      create constraint trigger slow after insert on immutabledata.entry
        for each row execute function pg_temp_slow()""")
    try:
        answer = log.append(b"2")
    finally:
        server.sql("drop function pg_temp_slow cascade")
    assert answer.outcome in (UNAVAILABLE, UNANSWERED)
    assert log.append(b"2").outcome == DONE


def test_commit_that_fails(server, open_log):
    """An error after the result of the statement, as when the queue of notifications is full."""
    log = open_log()
    log.append(b"1")
    server.sql("""
      create function fails() returns trigger language plpgsql as
      $$ begin raise exception 'no' using errcode = '54000'; end $$;
      create constraint trigger fails after insert on immutabledata.entry
        deferrable initially deferred for each row execute function fails()""")
    try:
        answer = log.append(b"2")
        held = log.read(hold=True)
        while_held = log.append(b"2", after=held.head)
    finally:
        server.sql("drop function fails cascade")
    assert (answer.outcome, answer.message) == (REFUSED, "no")
    assert (while_held.outcome, while_held.message) == (REFUSED, "no")
    assert log.append(b"2").outcome == DONE


def test_standby_that_does_not_confirm(own_server):
    """A commit whose wait for a standby was cancelled counts as unanswered."""
    cancel = (
        "select count(pg_cancel_backend(pid)) from pg_stat_activity "
        "where wait_event = 'SyncRep' and application_name = 'immutabledata'"
    )
    with Log(own_server.address(log="standby")) as log:
        own_server.configure("synchronous_standby_names = 'nobody'")
        call = log.begin_append(b"x")
        while own_server.sql(cancel) == "0":
            if not log.pending[call].empty():  # the server did not use the setting yet
                assert log.end_append(call).outcome == DONE
                log.counter += 1
                call = log.begin_append(b"x")
        answer = log.end_append(call)
        assert answer.outcome == UNANSWERED
        assert answer.message == "committed, but a standby has not confirmed it"
        assert len(log.read_all()) == log.counter + 1
