"""Creating and deleting objects leaks no memory, table entries or descriptors."""

import contextlib
import ctypes
import gc
import os
import sys
from pathlib import Path

import pytest

import immutabledata as imd
from immutabledata._stores import base, effect_call, observation, reducer

# The number of objects of each kind to create and delete. 200,000 take some minutes.
COUNT = int(os.environ.get("IMD_TEST_LEAKS", "2000"))

# The permitted growth: far less than that of one entry for each object.
BLOCKS = COUNT // 20
BYTES = COUNT * 16

INCREMENT = "didTapIncrementButton"


class _Mallinfo(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena",
            "ordblks",
            "smblks",
            "hblks",
            "hblkhd",
            "usmblks",
            "fsmblks",
            "uordblks",
            "fordblks",
            "keepcost",
        )
    )


def allocated():
    """The allocated blocks of Python, and the allocated bytes of native code if known."""
    gc.collect()
    native = 0
    with contextlib.suppress(AttributeError):
        mallinfo = ctypes.CDLL(None).mallinfo2
        mallinfo.restype = _Mallinfo
        native = mallinfo().uordblks
    return sys.getallocatedblocks(), native


def resident():
    """The memory of the process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def registries():
    return [
        len(registered)
        for registered in (
            observation._observations,
            reducer._reducers,
            base._stores,
            effect_call._effects,
        )
    ]


def keep(state, action):
    return state


def store_with_a_reducer():
    store = imd.Store(keep, state={"a": 0})
    store.define("a", "a")
    return store


# ---- Objects of each kind ------------------------------------------------------------------------


def a_store(domain):
    store = imd.open("counter")
    store.dispatch(INCREMENT)
    store.close()


def a_store_with_a_reducer(domain):
    store = store_with_a_reducer()
    store.dispatch("x")
    store.close()


def a_dropped_store(domain):
    store = store_with_a_reducer()
    store.observe("a", id)
    store.dispatch("x")


def a_store_in_a_cycle(domain):
    store = store_with_a_reducer()
    store.observe("a", lambda a: store)


def an_observation(domain):
    domain.observe("selectValue", id).cancel()


def an_observation_in_a_with_block(domain):
    with domain.observe("selectValue", id, when="queued"):
        domain.dispatch(INCREMENT)


def an_observation_that_ends_with_its_store(domain):
    with imd.open("counter") as store:
        observation = store.observe("selectValue", id)
    assert observation.cancelled


def an_observation_that_cancels_itself(domain):
    def observe(value):
        domain.observation(observe).cancel()

    domain.observe("selectValue", observe)


def an_observation_that_closes_its_store(domain):
    store = imd.open("counter")
    store.observe("selectValue", lambda value: store.close())


def a_callback_that_raises(domain):
    with imd.open("counter") as store:
        store.on_error = lambda error, callback: None
        store.observe("selectValue", lambda value: 1 / 0)


def a_reducer_that_raises(domain):
    store = imd.Store(lambda state, action: 1 / 0, state=0)
    with store, pytest.raises(ZeroDivisionError):
        store.dispatch("x")


def a_failed_effect(domain):
    with imd.open("foodtruck") as store:
        store.on_error = lambda error, callback: None
        store.set_effect("addOrder", lambda arguments: 1 / 0)
        store.dispatch("ui/ordersView/onTapAddOrderButton")
        store.settle()


def a_stream(domain):
    with domain.stream() as stream:
        domain.dispatch(INCREMENT)
        assert stream.next().action == {"type": INCREMENT}


def a_dropped_stream(domain):
    domain.stream()


def a_stream_that_ends_with_its_store(domain):
    with imd.open("counter") as store:
        stream = store.stream()
    assert list(stream) == []


def a_value(domain):
    value = imd.value({"a": [1, 2, {"b": "x"}]})
    assert value["a"][2]["b"] == "x"
    assert [key for key, _ in value.items()] == ["a"]
    value.set("/a", 1).diff(value)


def a_refused_store(domain):
    with pytest.raises(imd.InvalidArgumentError):
        imd.Store(keep, state=0, unknown=1)


def a_refused_observation(domain):
    with pytest.raises(imd.UnknownSelectorError):
        domain.observe("unknown", id)


def growth(scenario, count, domain):
    """How many blocks, native and resident bytes remain beyond the permitted growth."""
    before, entries = allocated(), registries()
    size = resident()
    for _ in range(count):
        scenario(domain)
    after = allocated()
    assert registries() == entries
    assert len(domain._observations) == len(domain._numbers) == 0
    return {
        kind: grown - permitted
        for kind, grown, permitted in (
            ("blocks", after[0] - before[0], BLOCKS),
            ("bytes", after[1] - before[1], BYTES),
            ("resident", resident() - size, BYTES + (8 << 20)),
        )
        if grown > permitted
    }


def check_no_growth(scenario, count):
    with imd.open("counter") as domain:
        for _ in range(200):  # Fills caches.
            scenario(domain)
        # A leak grows each time. Python's table of names grows once: by 2 MB at 43,690 names.
        growths = []
        for _ in range(3):
            growths.append(growth(scenario, count, domain))
            if not growths[-1]:
                return
        pytest.fail(f"grows each time: {growths}")


@pytest.mark.parametrize(
    "scenario",
    [
        a_store,
        a_store_with_a_reducer,
        a_dropped_store,
        a_store_in_a_cycle,
        an_observation,
        an_observation_in_a_with_block,
        an_observation_that_ends_with_its_store,
        an_observation_that_cancels_itself,
        an_observation_that_closes_its_store,
        a_callback_that_raises,
        a_reducer_that_raises,
        a_failed_effect,
        a_stream,
        a_dropped_stream,
        a_stream_that_ends_with_its_store,
        a_value,
        a_refused_store,
        a_refused_observation,
    ],
)
def test_ended_objects_leave_nothing(scenario):
    check_no_growth(scenario, COUNT)


def test_listeners_leave_nothing():
    def scenario(domain):
        listener = domain.listener()(lambda *arguments: None)
        listener.cancel()
        assert not domain._listeners
        listener._thread.join()

    check_no_growth(scenario, COUNT // 4)


KEPT = imd.value({"kept": [1]})

# Functions of the state and the action that return the next state.
RESULTS = {
    "the state": lambda state, action: state,
    "the action": lambda state, action: action,
    "a part of the state": lambda state, action: state["part"],
    "the state through a cursor": lambda state, action: next(iter(state.values())),
    "a part of the action": lambda state, action: action["payload"],
    "a part of the action's payload": lambda state, action: action["payload"]["deep"],
    "a new value": lambda state, action: state.set("/part/n", 2),
    "an equal value": lambda state, action: state.set("/n", 1).remove("/n"),
    "a value that is kept": lambda state, action: KEPT,
    "plain data with the state inside": lambda state, action: {"before": state},
    "a scalar": lambda state, action: 5,
    "none": lambda state, action: None,
}


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_what_a_reducer_returns_leaves_nothing(result):
    start = imd.value({"part": {"n": 1}})

    def reducer(state, action):
        return start if action["type"] == "reset" else result(state, action)

    action = {"type": "x", "payload": {"n": 1, "deep": {"n": 2}}}
    with imd.Store(reducer, state={"part": {"n": 1}}) as store:

        def scenario(domain):
            store.dispatch("reset")
            with contextlib.suppress(imd.ReducerFailedError):
                store.dispatch(action)

        check_no_growth(scenario, COUNT)
        expected = result(start, imd.value(action))
        is_refused = expected is None or expected == 5
        assert store.state == (start if is_refused else expected)
    assert KEPT == {"kept": [1]}


@pytest.mark.parametrize("options", [{}, {"shared": True}, {"keep": {"entries": 10}}])
def test_dispatches_to_a_log_leave_nothing(tmp_path, options):
    with imd.open("counter", log={"path": tmp_path / "x.imd", **options}) as store:

        def scenario(domain):
            store.dispatch(INCREMENT)
            store.sync()

        check_no_growth(scenario, COUNT // 4)


def test_many_observations_of_one_store_leave_nothing():
    def scenario(store):
        for _ in range(COUNT):
            store.observe("selectValue", id, initial=False)
        store.close()

    def repeat(count):
        for _ in range(count):
            with imd.open("counter") as store:
                scenario(store)

    repeat(2)  # Afterwards the tables have their final capacity.
    before, entries = allocated(), registries()
    repeat(3)
    after = allocated()
    assert registries() == entries
    assert after[0] <= before[0] + BLOCKS
    assert after[1] <= before[1] + BYTES


def test_descriptors_are_closed_with_their_owners():
    def open_descriptors():
        return len(os.listdir("/proc/self/fd"))

    before = open_descriptors()
    for _ in range(20):
        with imd.open("counter") as store, store.stream() as stream:
            assert store.fileno() >= 0 <= stream.fileno()
    assert open_descriptors() == before
