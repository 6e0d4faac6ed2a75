"""Threads, forks, and ends."""

import os
import signal
import threading
import time

from driver import DONE, REPEATED, UNANSWERED, UNAVAILABLE, Log


def test_close_waits_for_all_calls(open_log):
    log = open_log()
    calls = [log.begin_append(b"%d" % i, counter=i + 1) for i in range(50)]
    log.close()
    assert [log.pending[call].get_nowait().outcome for call in calls] == [DONE] * 50
    assert len(open_log().read_all()) == 50


def test_close_of_a_stopped_server(own_server):
    log = Log(own_server.address(log="closed"), timeout_ms=1000)
    own_server.signal(signal.SIGSTOP)
    calls = [log.begin_append(b"%d" % i, counter=i + 1) for i in range(3)]
    begin = time.monotonic()
    log.close()
    assert time.monotonic() - begin < 4
    assert [log.pending[call].get_nowait().outcome for call in calls] == [
        UNANSWERED,
        UNAVAILABLE,
        UNAVAILABLE,
    ]


def test_calls_inside_callbacks(open_log):
    """The functions may be called by what the driver calls, on its thread."""
    a, b = open_log(), open_log()
    done = threading.Event()
    calls = []

    def changed(number):
        calls.append((number, b.begin_append(b"answer to %d" % number)))
        done.set()

    b.on_changed = changed
    a.append(b"1")
    assert done.wait(20)
    [(number, call)] = calls
    assert number == 1
    assert b.end_append(call).outcome == DONE
    assert [entry.text for entry in a.read_all()] == [b"1", b"answer to 1"]


def test_many_threads_use_one_log(open_log):
    """Calls take effect in the order in which they were made."""
    log = open_log()
    lock = threading.Lock()
    outcomes = []

    def run():
        for _ in range(25):
            with lock:
                log.counter += 1
                call = log.begin_append(b"x", counter=log.counter)
            outcomes.append(log.end_append(call).outcome)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [DONE] * 200
    assert [entry.counter for entry in log.read_all()] == list(range(1, 201))


def test_fork(open_log):
    """In the child, calls are refused, and closing leaves the connection of the parent alone."""
    log = open_log()
    assert log.append(b"1").outcome == DONE
    child = os.fork()
    if child == 0:
        outcome = log.append(b"2").outcome
        log.close()
        os._exit(outcome)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == UNAVAILABLE
    assert log.append(b"2").outcome == DONE
    assert log.changes.empty()


def descriptors():
    return {
        int(each) for each in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{each}")
    }  # without that of the folder


def test_descriptors_are_closed_by_exec(open_log):
    before = descriptors()
    log = open_log()
    opened = descriptors() - before
    assert len(opened) == 2  # the connection, and what wakes the thread
    assert not any(os.get_inheritable(each) for each in opened)
    log.close()
    assert descriptors() == before


def test_closed_logs_leave_nothing(open_log):
    threads, before = len(os.listdir("/proc/self/task")), descriptors()
    for _ in range(20):
        log = open_log()
        assert log.append(b"1").outcome == DONE
        log.close()
    for address in ["postgresql://127.0.0.1:1/app?log=a", "postgresql://host", "nonsense"]:
        with Log(address) as log:
            assert log.opened.outcome != DONE
    assert descriptors() == before
    assert len(os.listdir("/proc/self/task")) == threads


def test_repeated_after_unanswered(own_server):
    """An append that was done though nobody heard of it is recognized by its counter."""
    with Log(own_server.address(log="repeated"), timeout_ms=2000) as log:
        own_server.configure("synchronous_standby_names = 'nobody'")
        while (answer := log.append(b"x")).outcome == DONE:
            pass  # the server did not use the setting yet
        assert answer.outcome == UNANSWERED
        own_server.configure("synchronous_standby_names = ''")
        again = log.append(b"x")
        assert (again.outcome, again.counter) == (REPEATED, log.counter + 1)
