"""Stores and values that several threads use."""

import queue
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

import pytest

import immutabledata as imd
from immutabledata._stores import thread_state

INCREMENT = "didTapIncrementButton"


def test_no_increment_is_lost():
    barrier = Barrier(8)

    def work(store):
        barrier.wait()
        for _ in range(2_000):
            store.dispatch(INCREMENT)

    with imd.open("counter") as store:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, [store] * 8))
        assert store.select("selectValue") == 16_000


def test_intermediate_states_of_a_batch_are_not_visible():
    with imd.open("counter") as store:
        batches = Thread(
            target=lambda: [store.dispatch_batch([INCREMENT] * 10) for _ in range(500)]
        )
        batches.start()
        seen = []
        while batches.is_alive():
            seen.append(store.select("selectValue"))
        batches.join()
        seen.append(store.select("selectValue"))
    assert seen[-1] == 5_000
    assert seen == sorted(seen)
    assert {value % 10 for value in seen} == {0}


def test_errors_reach_the_right_caller():
    barrier = Barrier(4)

    def work(store, name):
        barrier.wait()
        for _ in range(500):
            with pytest.raises(imd.InvalidActionError, match=name):
                store.dispatch(name)

    with imd.open("counter") as store, ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [store] * 4, ["northwards", "easterly", "southern", "westmost"]))


def test_a_reducer_runs_on_one_thread_at_a_time():
    barrier, inside = Barrier(8), []

    def reduce(state, action):
        inside.append(action["payload"])
        assert len(inside) == 1
        try:
            return state.set("/n", state["n"] + 1)
        finally:
            inside.pop()

    def work(store, name):
        barrier.wait()
        for number in range(200):
            if number % 10:
                store.dispatch("count", payload=name)
            else:
                before = store.state
                store.dispatch_batch([{"type": "count", "payload": name}] * 2)
                assert store.state["n"] >= before["n"] + 2
                store.query("n")

    with imd.Store(reduce, state={"n": 0}) as store:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, [store] * 8, range(8)))
        assert store.state == {"n": 8 * (180 + 20 * 2)}


def test_exceptions_reach_the_right_caller():
    barrier = Barrier(4)

    def reduce(state, action):
        raise LookupError(action["payload"])

    def work(store, name):
        barrier.wait()
        for number in range(200):
            with pytest.raises(LookupError) as caught:
                store.dispatch("fail", payload=[name, number])
            assert caught.value.args[0] == [name, number]

    with imd.Store(reduce, state={}) as store, ThreadPoolExecutor(4) as pool:
        list(pool.map(work, [store] * 4, range(4)))


def test_threads_share_values():
    made = imd.value({str(number): {"n": [number]} for number in range(100)})
    barrier = Barrier(4)

    def work(start):
        barrier.wait()
        mine = made
        for number in range(start, start + 200):
            mine = mine.set((str(number % 100), "n", 0), number)
            assert made[str(number % 100)]["n"][0] == number % 100
        return mine

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(4)))
    assert [mine["50"]["n"][0] for mine in results] == [150] * 4


@pytest.mark.parametrize("closers", [1, 3])
def test_closing_while_other_threads_use_the_store(closers):
    workers = 4
    barrier = Barrier(workers + closers)

    def work(store):
        barrier.wait()
        while True:
            store.dispatch(INCREMENT)
            store.select("selectValue")
            store.dispatch_batch([INCREMENT, INCREMENT])

    def close(store):
        barrier.wait()
        store.close()

    for _ in range(20):
        store = imd.open("counter")
        with ThreadPoolExecutor(workers + closers) as pool:
            working = [pool.submit(work, store) for _ in range(workers)]
            closing = [pool.submit(close, store) for _ in range(closers)]
        assert [type(future.exception()) for future in working] == [imd.ClosedError] * workers
        assert [future.exception() for future in closing] == [None] * closers


def test_other_threads_read_an_action_while_its_dispatch_ends():
    seen, count = queue.SimpleQueue(), 300

    def read():
        for _ in range(count):
            action = seen.get(timeout=60)
            assert list(action["payload"]) == ["list", "n"]
            assert action["payload"]["list"] == [action["payload"]["n"]]
            assert action["payload"]["list"] == [action["payload"]["n"]]

    def reduce(state, action):
        for _ in range(4):
            seen.put(action)
        return state

    with imd.Store(reduce, state=None) as store, ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        for number in range(count):
            store.dispatch("any", payload={"n": number, "list": [number]})
        for reader in readers:
            reader.result()


def test_a_store_ends_while_the_state_of_a_thread_is_made(monkeypatch):
    stores = [imd.Store(lambda state, action: state, state=0)]
    failures = []

    class Collecting(thread_state.ThreadState):
        """Does what the garbage collector may do at any time."""

        def __init__(self):
            super().__init__()
            stores.clear()

    monkeypatch.setattr(thread_state, "ThreadState", Collecting)
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: failures.append(raised.exc_value))
    thread = Thread(target=lambda: thread_state.local.state)
    thread.start()
    thread.join()
    assert (stores, failures) == ([], [])
