"""Observation while several threads dispatch, cancel and close."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

from reducers import merge, reduce

import immutabledata as imd


def test_many_threads_dispatch(app):
    seen, barrier = [], Barrier(4)
    app.observe("a", seen.append)

    def work(thread):
        barrier.wait()
        for number in range(200):
            merge(app, a=[thread, number])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(seen) == 1 + 4 * 200
    for thread in range(4):
        assert [a[1] for a in seen[1:] if a[0] == thread] == list(range(200))


def test_cancel_waits_for_a_running_callback(app):
    inside, go_on = Barrier(2), Barrier(2)
    done = []

    def slow(a):
        if a:
            inside.wait()
            go_on.wait()
            done.append(a)

    observation = app.observe("a", slow)
    dispatching = Thread(target=merge, args=(app,), kwargs={"a": 1})
    dispatching.start()
    inside.wait()
    releasing = Thread(target=go_on.wait)
    releasing.start()
    observation.cancel()
    assert done == [1]
    dispatching.join()
    releasing.join()


def test_observing_and_cancelling_while_others_dispatch(app):
    barrier = Barrier(4)

    def dispatch():
        barrier.wait()
        for number in range(300):
            merge(app, a=number)

    def observe():
        barrier.wait()
        for _ in range(100):
            seen = []
            with app.observe("a", seen.append):
                merge(app, b=0)
            count = len(seen)
            assert count >= 1
            merge(app, b=1)
            assert len(seen) == count

    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(work) for work in (dispatch, dispatch, observe, observe)]
    assert [future.exception() for future in futures] == [None] * 4
    assert app.statistics()["observations"] == 0


def test_closing_while_others_dispatch_to_observers():
    for _ in range(20):
        app = imd.Store(reduce, state={"a": 0})
        app.define("a", "a")
        seen, barrier = [], Barrier(3)
        app.observe("a", seen.append)

        def work(app=app, barrier=barrier):
            barrier.wait()
            for number in range(10_000):
                merge(app, a=number)

        with ThreadPoolExecutor(2) as pool:
            futures = [pool.submit(work) for _ in range(2)]
            barrier.wait()
            app.close()
            count = len(seen)
        assert {type(future.exception()) for future in futures} <= {imd.ClosedError, type(None)}
        assert len(seen) == count
