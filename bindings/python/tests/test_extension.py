"""The C extension: the same as ctypes, and hostile use of what only it does."""

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest
from hypothesis import given
from json_data import json_values
from lowered_limits import limited

import immutabledata as imd
from immutabledata import _ffi

FOLDER = Path(__file__).parent


def keeping(keep, *payload):
    """What keep returns of a state and an action, after their reducer has returned."""
    kept = []

    def reduce(state, action):
        kept.append(keep(state, action))
        return state

    with imd.Store(reduce, state={"deep": [{"a": 1}], "n": 5}) as store:
        store.dispatch("go", *payload)
    gc.collect()
    return kept[0]


# ---- With and without it -------------------------------------------------------------------------


def run(code, **variables):
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def test_it_is_there_unless_it_is_turned_off():
    can_load = sys.version_info >= (3, 10) and not os.environ.get("IMMUTABLEDATA_PURE")
    assert (_ffi.EXTENSION is not None) == can_load
    code = "import immutabledata as imd; print(imd._ffi.EXTENSION)"
    assert run(code, IMMUTABLEDATA_PURE="1") == "None\n"


@pytest.mark.skipif(_ffi.EXTENSION is None, reason="there is no extension to compare with")
def test_random_calls_do_the_same_without_it():
    def printed(**variables):
        command = [sys.executable, "same_calls.py", "0", "60"]
        done = subprocess.Popen(
            command, cwd=FOLDER, env={**os.environ, **variables}, stdout=subprocess.PIPE, text=True
        )
        return done

    with printed() as fast, printed(IMMUTABLEDATA_PURE="1") as slow:
        lines, expected = fast.stdout.readlines(), slow.stdout.readlines()
    assert len(lines) == 360
    assert lines == expected


@pytest.mark.skipif(_ffi.EXTENSION is None, reason="there is no extension")
def test_a_library_too_many_does_without_it(copy_library):
    code = f"""
import immutabledata as imd
try:
    while True:
        imd._ffi.EXTENSION.Library(imd._ffi.LIBRARY._handle)
except ImportError:
    pass
other = imd.load({str(copy_library())!r})
for library in (imd, other):
    with library.Store(lambda state, action: state + action["payload"], state=1) as store:
        store.dispatch("add", 2)
        print(store.state, library.value([1, {{"a": 2}}])[1]["a"])
"""
    assert run(code) == "3 2\n3 2\n"


# ---- What reducers keep --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        (lambda state, action: state, {"deep": [{"a": 1}], "n": 5}),
        (lambda state, action: state["deep"], [{"a": 1}]),
        (lambda state, action: [state, state], [{"deep": [{"a": 1}], "n": 5}] * 2),
        (lambda state, action: action, {"type": "go", "payload": {"b": 2, "list": [1]}}),
        (lambda state, action: action["payload"], {"b": 2, "list": [1]}),
        (lambda state, action: action["payload"]["list"], [1]),
        (lambda state, action: (action, action["payload"])[1], {"b": 2, "list": [1]}),
        (lambda state, action: iter(action["payload"].items()), None),
        (lambda state, action: iter(state["deep"]), None),
    ],
)
def test_what_was_kept_stays_valid(keep, expected):
    kept = keeping(keep, {"b": 2, "list": [1]})
    with limited(input=8, text=8, values=2):
        if expected is None:
            assert len(list(kept)) in (1, 2)
        else:
            assert kept == expected


def test_what_was_not_kept_is_deleted():
    def reduce(state, action):
        payload = action["payload"]
        references.extend(map(weakref.ref, (state, action, payload)))
        assert [reference() for reference in references] == [state, action, payload]
        return state

    references = []
    with imd.Store(reduce, state={"n": 5}) as store:
        store.dispatch("go", {"a": 1})
    assert [reference() for reference in references] == [None] * 3


def test_a_value_that_is_lent_can_be_returned_and_put_into_the_state():
    def reduce(state, action):
        kind = action["type"]
        if kind == "payload":
            return action["payload"]
        if kind == "action":
            return action
        return state.set("/it", action["payload"]) if kind == "set" else [state, action]

    with imd.Store(reduce, state={}) as store:
        store.dispatch("set", {"a": [1]})
        assert store.state == {"it": {"a": [1]}}
        store.dispatch("payload", {"b": 1})
        assert store.state == {"b": 1}
        store.dispatch("action", {"c": 1})
        assert store.state == {"type": "action", "payload": {"c": 1}}
    with imd.Store(reduce, state=[]) as store:
        store.dispatch("both", {"a": [1]})
        assert store.state == [[], {"type": "both", "payload": {"a": [1]}}]


def test_an_action_is_a_copy_of_what_was_dispatched():
    payload = {"a": 1, "list": [1]}

    def reduce(state, action):
        payload.update(a=2, b=3)
        payload["list"].append(2)
        return action["payload"]

    with imd.Store(reduce, state={}) as store:
        store.dispatch("go", payload)
        assert store.state == {"a": 1, "list": [1]}


def test_a_traceback_keeps_its_action():
    def reduce(state, action):
        raise KeyError("no")

    with imd.Store(reduce, state={"n": 1}) as store, pytest.raises(KeyError) as caught:
        store.dispatch("go", {"a": [1]})
    frame = caught.traceback[-1].frame.f_locals
    assert frame["action"] == {"type": "go", "payload": {"a": [1]}}
    assert frame["state"] == {"n": 1}


# ---- Threads and signals -------------------------------------------------------------------------


def test_another_thread_reads_what_is_lent():
    def read(part):
        for _ in range(200):
            seen.append(part["deep"] if "deep" in part else part)

    def reduce(state, action):
        parts = [state, action, action["payload"]]
        threads = [threading.Thread(target=read, args=(part,)) for part in parts]
        for thread in threads:
            thread.start()
        running.extend(threads)
        return state

    seen, running = [], []
    with imd.Store(reduce, state={"deep": [1]}) as store:
        for _ in range(5):
            store.dispatch("go", {"deep": [2], "n": 1})
        for thread in running:
            thread.join()
    assert len(seen) == 5 * 3 * 200
    assert {json.dumps(imd.to_python(part)) for part in seen} == {
        "[1]",
        "[2]",
        json.dumps({"payload": {"deep": [2], "n": 1}, "type": "go"}),
    }


def test_threads_share_a_store():
    def reduce(state, action):
        return state.set("/n", state["n"] + action["payload"]["by"])

    @imd.drafting
    def draft(draft, action):
        draft["n"] += action["payload"]["by"]

    def work():
        for number in range(300):
            store.dispatch("add", {"by": 1, "text": "x" * number})
            assert store.select("n") <= 1200
            assert store.state["n"] <= 1200

    for reducer in (reduce, draft):
        with imd.Store(reducer, state={"n": 0}) as store:
            store.define("n", "n")
            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert store.state == {"n": 1200}


def test_a_store_that_another_thread_closes():
    for _ in range(20):
        store = imd.Store(lambda state, action: state + 1, state=0)
        thread = threading.Thread(target=store.close)
        thread.start()
        with pytest.raises(imd.ClosedError):
            while True:
                store.dispatch("add", {"a": 1})
                store.query("@")
        thread.join()


def test_signals_that_raise_leave_the_store_usable(unraisable):
    class Interrupted(BaseException):
        pass

    def handler(number, frame):
        raise Interrupted

    @imd.drafting
    def reduce(draft, action):
        draft["list"].append(action["payload"]["n"])
        draft["n"] += 1

    before = signal.signal(signal.SIGALRM, handler)
    gc.disable()  # Hypothesis has a callback of the collector, in which the exception is lost.
    interruptions = 0
    try:
        with imd.Store(reduce, state={"list": [], "n": 0}) as store:
            while interruptions < 200:
                try:
                    # Python ignores an exception in a destructor; then the next signal interrupts.
                    signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.5)
                    while True:
                        store.dispatch("add", {"n": store.state["n"], "more": [1]})
                except (Interrupted, KeyboardInterrupt):  # See _reduce for the latter.
                    interruptions += 1
            signal.setitimer(signal.ITIMER_REAL, 0)
            assert store.state["list"] == list(range(store.state["n"]))
        assert unraisable == [] or _ffi.EXTENSION is None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()


def test_an_exception_that_cannot_be_written(unraisable):
    class Unprintable(Exception):
        def __str__(self):
            raise KeyboardInterrupt

    def reduce(state, action):
        raise Unprintable

    with imd.Store(reduce, state=0) as store:
        with pytest.raises((Unprintable, KeyboardInterrupt)):
            store.dispatch("go")
        assert store.state == 0


# ---- Any data ------------------------------------------------------------------------------------


@given(json_values)
def test_payloads_arrive_as_they_are(data):
    with imd.Store(lambda state, action: [action["payload"]], state=[]) as store:
        store.dispatch("go", data)
        assert store.state == [data]
        assert store.state.to_json() == imd.value([data]).to_json()


@pytest.mark.parametrize(
    "data",
    [
        "x" * 5_000_000,
        "é😀" * 1_000_000,
        '"\\\n' * 500_000,
        list(range(200_000)),
        {str(number): {"n": number} for number in range(50_000)},
        [[[]] * 1000] * 200,
    ],
    ids=["text", "unicode", "escapes", "list", "dict", "lists"],
)
def test_a_large_payload(data):
    with imd.Store(lambda state, action: [action["payload"]], state=[]) as store:
        store.dispatch("go", data)
        assert store.state.to_python() == [data]


@pytest.mark.parametrize("depth", [60, 63, 64, 65, 66, 500])
def test_a_deep_payload(depth):
    data = 1
    for level in range(depth):
        data = [data] if level % 2 else {"a": data}
    with imd.Store(lambda state, action: [action["payload"]], state=[]) as store:
        store.dispatch("go", data)
        assert store.state.to_python() == [data]


# ---- Wrong use -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [imd.ObjectValue, imd.ArrayValue, imd.Value])
def test_a_value_without_content(kind):
    value = object.__new__(kind)
    for call in (
        lambda: value["a"],
        lambda: value[0],
        lambda: "a" in value,
        lambda: len(value),
        lambda: value.at("/a"),
        lambda: value.set("/a", 1),
        lambda: value.insert("/a", 1),
        lambda: value.remove("/a"),
        lambda: value.has_same_json(imd.value({})),
        lambda: value.to_json(),
        lambda: list(value),
        lambda: value._handle,
        lambda: imd.value([value]),
        lambda: imd.value({}).set("/a", value),
    ):
        with pytest.raises((AttributeError, LookupError, TypeError, ValueError)):
            call()


def test_an_iterator_outlives_its_value():
    values = imd.value([[number] for number in range(100)])
    members = imd.value({str(number): number for number in range(100)})
    iterators = [iter(values), iter(members), iter(members.items()), iter(members.values())]
    del values, members
    gc.collect()
    found = [list(iterator) for iterator in iterators]
    assert found[0] == [[number] for number in range(100)]
    assert dict(found[2]) == dict(zip(found[1], found[3])) == {str(n): n for n in range(100)}
    assert [list(iterator) for iterator in iterators] == [[]] * 4


def test_threads_share_an_iterator():
    def read():
        for element in iterator:
            seen.append(element)

    if _ffi.EXTENSION is None:
        pytest.skip("a generator refuses it")
    iterator, seen = iter(imd.value(list(range(20_000)))), []
    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(20_000))


def test_a_draft_without_content():
    drafts = []
    imd.drafting(lambda draft, action: drafts.extend([draft, draft["list"]]))({"list": []}, None)
    for kind in map(type, drafts):
        draft = object.__new__(kind)
        for call in (
            lambda draft=draft: draft["a"],
            lambda draft=draft: draft.__setitem__(0, 1),
            lambda draft=draft: draft.__delitem__("a"),
            lambda draft=draft: draft.append(1),
        ):
            with pytest.raises((AttributeError, ValueError)):
                call()


def test_a_store_that_was_not_made():
    store = object.__new__(imd.Store)
    for call in (
        lambda: store.dispatch("go"),
        lambda: store.select("a"),
        lambda: store.query("a"),
        lambda: store.state,
    ):
        with pytest.raises((AttributeError, ValueError)):
            call()


def test_methods_for_other_objects():
    value, other = imd.value({}), imd.value([])
    for call in (
        lambda: imd.ObjectValue.__getitem__(5, "a"),
        lambda: imd.Value.set(5, "/a", 1),
        lambda: imd.Store.dispatch(value, "go"),
        lambda: imd.Store.state.fget(value),
        lambda: value.set("/a"),
        lambda: other.at(),
        lambda: value.set("/a", 1, 2),
    ):
        with pytest.raises((AttributeError, TypeError)):
            call()


def test_a_store_and_its_reducer_are_collected():
    class Reducer:
        def __call__(self, state, action):
            return state

    reducer = Reducer()
    reducer.store = imd.Store(reducer, state={})
    reducer.store.dispatch("go", {"a": 1})
    reference = weakref.ref(reducer.store)
    del reducer
    gc.collect()
    assert reference() is None


def test_drafts_in_a_cycle_are_collected():
    def reduce(draft, action):
        draft.data = None

    class Kept(list):
        pass

    kept = Kept()

    @imd.drafting
    def cycle(draft, action):
        kept.append(draft)
        draft["kept"] = kept
        del draft["kept"]

    cycle(imd.value({}), None)
    reference = weakref.ref(kept)
    del kept, cycle
    gc.collect()
    assert reference() is None
