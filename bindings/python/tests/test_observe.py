import gc
import select
import sys
import traceback
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

import immutabledata as imd
import pytest
from observing import merge, reduce


def test_what_a_callback_is_told(app):
    a, b, later = [], [], []
    app.observe("a", a.append)
    app.observe("b", b.append)
    app.observe("a", later.append, initial=False)
    before = app.state["b"]
    merge(app, a=1)
    merge(app, a=1)
    merge(app, a="text")
    merge(app, a=None)
    assert a == [0, 1, "text", None]
    assert later == [1, "text", None]
    (only,) = b
    assert isinstance(only, imd.ObjectValue)
    assert only.is_same(before)
    assert only.to_python() == {"c": 1}


def test_a_batch_is_one(app):
    seen = []
    app.observe("a", seen.append)
    app.dispatch_batch([{"type": "merge", "payload": {"a": number}} for number in (1, 2, 3)])
    assert seen == [0, 3]


def test_arguments(app):
    seen, times = [], []
    app.observe("above", seen.append, least=1)
    app.observe("times", times.append, arguments={"when": 1})
    app.observe("above", times.append, arguments={}, least=5)
    merge(app, list=[3, 4], a=[1])
    assert seen == [[2], [3, 4]]
    assert times == [None, [], [1]]


def test_a_domain():
    with imd.open("counter") as counter:
        seen = []
        counter.observe("selectValue", seen.append)
        counter.dispatch("didTapIncrementButton")
        assert seen == [0, 1]


def test_the_decorator_leaves_the_function_as_it_is(app):
    seen = []

    def show(output):
        seen.append(output)

    decorate = app.observe("a", initial=False)
    assert decorate(show) is show
    assert seen == []
    observation = app.observation(show)
    merge(app, a=1)
    observation.cancel()
    merge(app, a=2)
    assert seen == [1]
    with pytest.raises(imd.NotFoundError, match="observes nothing of this store"):
        app.observation(show)


def test_the_last_observation_of_a_callback_is_found(app):
    seen = []
    first = app.observe("a", seen.append)
    second = app.observe("b", seen.append)
    assert app.observation(seen.append) is second
    second.cancel()
    assert app.observation(seen.append) is first


def test_patches(app):
    seen, mirror = [], None

    @app.observe("b", deliver="patch")
    def follow(change):
        nonlocal mirror
        seen.append(change)
        if isinstance(change, imd.Patch):
            mirror = imd.apply_patch(mirror, change)
        else:
            mirror = change.to_python()
        assert mirror == app.select("b")

    merge(app, b={"c": 2, "d": [1]})
    merge(app, b={"c": None})
    merge(app, b=None)
    assert seen[0] == {"c": 1}
    assert not isinstance(seen[0], imd.Patch)
    assert [change.to_json() for change in seen[:3:2]] == [
        '{"c":1}',
        '[{"op":"remove","path":"/c"}]',
    ]
    assert seen[1:] == [
        [
            {"op": "replace", "path": "/c", "value": 2},
            {"op": "add", "path": "/d", "value": [1]},
        ],
        [{"op": "remove", "path": "/c"}],
        [{"op": "replace", "path": "", "value": None}],
    ]
    assert type(seen[1][1]["value"]) is list
    assert mirror is None


def test_cancel(app):
    seen = []
    observation = app.observe("a", seen.append)
    assert not observation.cancelled
    assert repr(observation) == "<immutabledata.Observation of 'a' open>"
    observation.cancel()
    observation.cancel()
    assert observation.cancelled
    assert repr(observation) == "<immutabledata.Observation of 'a' cancelled>"
    merge(app, a=1)
    assert seen == [0]
    assert app.statistics()["observations"] == 0
    app.close()
    observation.cancel()


def test_a_context(app):
    seen = []
    with app.observe("a", seen.append) as observation:
        merge(app, a=1)
    assert observation.cancelled
    merge(app, a=2)
    assert seen == [0, 1]


def test_closing_ends_observations(app):
    observation = app.observe("a", print)
    app.close()
    assert observation.cancelled
    observation.cancel()
    with pytest.raises(imd.ClosedError):
        app.observe("a", print)
    with pytest.raises(imd.ClosedError):
        app.poll()
    with pytest.raises(imd.ClosedError):
        app.fileno()


def test_an_observation_goes_on_when_nobody_keeps_it(app):
    seen = []
    app.observe("a", seen.append)
    gc.collect()
    merge(app, a=1)
    assert seen == [0, 1]


# ---- What a callback may do ----------------------------------------------------------------------


def test_a_callback_dispatches(app):
    first, second = [], []

    @app.observe("a")
    def clamp(a):
        first.append(a)
        if a > 5:
            merge(app, a=5)
            assert app.state["a"] == 5

    app.observe("a", second.append)
    merge(app, a=9)
    assert first == second == [0, 9, 5]


def test_a_callback_observes(app):
    seen = []

    @app.observe("a")
    def begin(a):
        if a == 1:
            app.observe("b", lambda b: seen.append((a, b)))

    merge(app, a=1)
    merge(app, b=2)
    assert seen == [(1, {"c": 1}), (1, 2)]


def test_a_callback_cancels_itself(app):
    seen = []

    def once(a):
        seen.append(a)
        app.observation(once).cancel()

    assert app.observe("a", once).cancelled
    merge(app, a=1)
    assert seen == [0]


def test_a_callback_cancels_another(app):
    seen = []
    app.observe("a", lambda a: a and another.cancel())
    another = app.observe("a", seen.append)
    merge(app, a=1)
    assert seen == [0]


def test_a_callback_closes_its_store(app):
    seen = []
    app.observe("a", lambda a: a and app.close())
    app.observe("a", seen.append)
    merge(app, a=1)
    assert app.closed
    assert seen == [0]


def test_a_reducer_may_not_observe():
    def reduce(state, action):
        app.observe("a", print)

    with imd.Store(reduce, state={}) as app:
        app.define("a", "a")
        with pytest.raises(imd.ReentrantError):
            app.dispatch("go")
        assert app.statistics()["observations"] == 0


def test_a_reducer_may_not_cancel():
    def reduce(state, action):
        observation.cancel()
        return {"a": 1}

    seen = []
    with imd.Store(reduce, state={"a": 0}) as store:
        store.define("a", "a")
        observation = store.observe("a", seen.append)
        with pytest.raises(imd.ReentrantError):
            store.dispatch("go")
        assert store.state == {"a": 0}
    assert seen == [0]


# ---- Exceptions ----------------------------------------------------------------------------------


def test_an_exception_goes_to_the_hook(app, unraisable):
    after = []

    def fails(a):
        if a:
            raise KeyError(a)

    app.observe("a", fails)
    app.observe("a", after.append)
    merge(app, a=1)
    merge(app, a=2)
    assert after == [0, 1, 2]
    assert [type(error) for error, _ in unraisable] == [KeyError] * 2
    assert {repr(fails) in where for _, where in unraisable} == {True}
    assert "fails" in {frame.name for frame in traceback.extract_tb(unraisable[0][0].__traceback__)}


def test_the_hook_prints(app, capsys, monkeypatch):
    monkeypatch.setattr("sys.unraisablehook", sys.__unraisablehook__)
    app.observe("a", lambda a: 1 / a)
    printed = capsys.readouterr().err
    assert "<function test_the_hook_prints.<locals>.<lambda> at" in printed
    assert "ZeroDivisionError" in printed


def test_on_error(app, unraisable):
    seen = []
    app.on_error = lambda error, callback: seen.append((error, callback))
    assert callable(app.on_error)

    @app.observe("a")
    def fails(a):
        raise SystemExit(a)

    merge(app, a=1)
    assert [(type(error), error.code, callback) for error, callback in seen] == [
        (SystemExit, 0, fails),
        (SystemExit, 1, fails),
    ]
    app.on_error = None
    merge(app, a=2)
    assert len(seen) == 2
    assert len(unraisable) == 1
    for handler in (5, "print"):
        with pytest.raises(TypeError, match="cannot be called"):
            app.on_error = handler


def test_an_error_of_the_handler_goes_to_the_hook(app, unraisable):
    def fails(*arguments):
        raise OSError

    app.on_error = fails
    app.observe("a", lambda a: 1 / a)
    ((error, where),) = unraisable
    assert type(error) is OSError
    assert repr(fails) in where


def test_an_error_of_the_hook_is_printed(app, monkeypatch, capsys):
    monkeypatch.setattr("sys.unraisablehook", lambda report: 1 / 0)
    app.observe("a", lambda a: {}[a])
    merge(app, a=1)
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert app.state["a"] == 1


def test_what_a_selector_fails_with(app):
    seen, errors = [], []
    app.on_error = lambda error, callback: errors.append((error, callback))

    @app.observe("largest", label="the top")
    def show(largest):
        seen.append(largest)

    merge(app, list=[1, "x"])
    merge(app, list=[7])
    assert seen == [2, 7]
    ((error, callback),) = errors
    assert type(error) is imd.InvalidSelectorError
    assert str(error).startswith("the top: ")
    assert callback is show


def test_what_a_reducer_raises_inside_a_callback(app):
    caught = []

    @app.observe("a")
    def nested(a):
        with pytest.raises(LookupError, match="refused") as error:
            app.dispatch("fail")
        caught.append(error.value)

    merge(app, a=1)
    assert len(caught) == 2
    with pytest.raises(LookupError):
        app.dispatch("fail")


# ---- Options -------------------------------------------------------------------------------------


def test_filter_and_dependencies(app):
    filtered, dependent = [], []
    app.observe("a", filtered.append, filter=("mouse*", "key*"))
    app.observe("a", dependent.append, dependencies=["b"])
    app.dispatch("mouse/moved", payload={"a": 1})
    app.dispatch("else", payload={"a": 2})
    app.dispatch("else", payload={"a": 3, "b": 3})
    assert filtered == [0, 2, 3]
    assert dependent == [0, 3]


def test_poll(app):
    seen, latest, bounded = [], [], []
    app.observe("a", seen.append, when="queued")
    last = app.observe("a", latest.append, when="queued", coalesce=True)
    two = app.observe("a", bounded.append, when="queued", capacity=2)
    one = app.observe("a", print, when="queued", overflow="coalesce", capacity=1, initial=False)
    one.cancel()
    for number in (1, 2, 3):
        merge(app, a=number)
    assert seen == latest == bounded == []
    assert app.poll() == 4 + 1 + 2
    assert app.poll() == 0
    assert (seen, latest, bounded) == ([0, 1, 2, 3], [3], [2, 3])
    assert (last.skipped, two.skipped, one.skipped) == (3, 2, 0)


def test_poll_inside_a_callback(app):
    polled = []
    app.observe("a", lambda a: polled.append(app.poll()), when="queued")
    assert app.poll() == 1
    assert polled == [0]


def test_a_cancelled_one_is_not_polled_for(app):
    seen = []
    observation = app.observe("a", seen.append, when="queued")
    observation.cancel()
    assert app.poll() == 0
    assert seen == []


def test_select_waits_for_something_to_poll(app):
    def is_readable():
        return select.select([app], [], [], 0)[0] == [app]

    app.observe("a", print, when="queued", initial=False)
    assert not is_readable()
    merge(app, a=1)
    assert is_readable()
    assert app.fileno() == app.fileno() >= 0
    app.poll()
    assert not is_readable()


@pytest.mark.parametrize(
    ("call", "kind", "part"),
    [
        (lambda app: app.observe("c", print), imd.UnknownSelectorError, "c"),
        (lambda app: app.observe("a\0", print), imd.InvalidArgumentError, "U+0000"),
        (lambda app: app.observe("a", print, x=1), imd.InvalidArgumentError, "x"),
        (lambda app: app.observe("above", print), imd.InvalidArgumentError, "least"),
        (lambda app: app.observe("above", print, least={1}), imd.InvalidArgumentError, "set"),
        (lambda app: app.observe("a", print, when="never"), imd.InvalidArgumentError, "queued"),
        (lambda app: app.observe("a", print, deliver=""), imd.InvalidArgumentError, "patch"),
        (lambda app: app.observe("a", print, overflow=""), imd.InvalidArgumentError, "coalesc"),
        (lambda app: app.observe("a", print, label=""), imd.InvalidArgumentError, "options/label"),
        (lambda app: app.observe("a", print, capacity=0), imd.InvalidArgumentError, "capacity"),
        (lambda app: app.observe("a", print, dependencies=["c"]), imd.UnknownSelectorError, ""),
        (lambda app: app.observe(), TypeError, "selector"),
        (lambda app: app.observe(print), TypeError, "name of a selector is a str"),
        (lambda app: app.observe("a", 5), TypeError, "int cannot be called"),
        (lambda app: app.observe("a")(5), TypeError, "int cannot be called"),
        (lambda app: app.observe("a", print, initial=1), TypeError, "initial is of type bool"),
        (lambda app: app.observe("a", print, coalesce=0), TypeError, "coalesce is of type"),
        (lambda app: app.observe("a", print, when=1), TypeError, "when is of type str"),
        (lambda app: app.observe("a", print, deliver=b"x"), TypeError, "deliver is of type"),
        (lambda app: app.observe("a", print, label=1), TypeError, "label is of type str"),
        (lambda app: app.observe("a", print, capacity="1"), TypeError, "capacity is of type"),
        (lambda app: app.observe("a", print, capacity=True), TypeError, "capacity is of type"),
        (lambda app: app.observe("a", print, overflow=1), TypeError, "overflow is of type"),
        (lambda app: app.observe("a", print, filter="a*"), TypeError, "iterable of str, not"),
        (lambda app: app.observe("a", print, filter=1), TypeError, "iterable of str"),
        (lambda app: app.observe("a", print, filter=[1]), TypeError, "contains int"),
        (lambda app: app.observe("a", print, dependencies="b"), TypeError, "iterable of str"),
        (lambda app: app.observe("a", print, arguments=[]), TypeError, "Mapping, not list"),
        (
            lambda app: app.observe("above", print, least=1, arguments={"least": 1}),
            TypeError,
            "'least' is given twice",
        ),
    ],
)
def test_refused(app, call, kind, part):
    with pytest.raises(kind) as caught:
        call(app)
    assert type(caught.value) is kind
    assert part in str(caught.value)
    assert app._observations == {}
    assert app.statistics()["observations"] == 0


# ---- Threads -------------------------------------------------------------------------------------


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


def test_cancel_waits_for_a_callback_that_runs(app):
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


# ---- Memory --------------------------------------------------------------------------------------


class Owner:
    """Something whose end can be seen."""


@pytest.mark.parametrize("is_closed", [True, False])
def test_a_callback_that_refers_to_its_store_does_not_keep_it(is_closed):
    def make():
        owner = Owner()
        app = imd.Store(reduce, state={"a": 0})
        app.define("a", "a")
        owner.app = app
        observation = app.observe("a", lambda a: owner.app.select("a"))
        app.observe("a", lambda a: owner, when="queued")
        merge(app, a=1)
        handle = app._handle
        if is_closed:
            app.close()
        return weakref.ref(owner), weakref.ref(app), weakref.ref(observation), handle

    *references, handle = make()
    gc.collect()
    assert [reference() for reference in references] == [None] * 3
    with pytest.raises(imd.ClosedError):
        imd._ffi.imd_store_poll(handle, None, None)


def test_dropping_a_store_ends_its_observations():
    app = imd.Store(reduce, state={"a": 0})
    app.define("a", "a")
    reference = weakref.ref(app)
    callback = Owner()
    callback_reference = weakref.ref(callback)
    observation = app.observe("a", lambda a, owner=callback: owner)
    del app, callback
    assert reference() is None
    assert callback_reference() is None
    assert observation.cancelled
    observation.cancel()


class Named:
    """A callback that notes its end."""

    def __init__(self, name, ended):
        self.name, self.ended = name, ended

    def __call__(self, output):
        pass

    def __del__(self):
        self.ended.append(self.name)


@pytest.mark.parametrize("is_closed", [True, False])
def test_callbacks_are_released_in_the_order_in_which_they_began(is_closed):
    ended = []
    app = imd.Store(reduce, state={"a": 0})
    app.define("a", "a")
    observations = [app.observe("a", Named(name, ended)) for name in "abcde"]
    observations[1].cancel()
    if is_closed:
        app.close()
    del app
    assert ended == ["b", "a", "c", "d", "e"]
    assert all(observation.cancelled for observation in observations)


def test_cancelling_frees_the_callback(app):
    owner = Owner()
    reference = weakref.ref(owner)
    observation = app.observe("a", lambda a, owner=owner: None)
    del owner
    assert reference() is not None
    observation.cancel()
    assert reference() is None


def test_a_refused_callback_is_freed(app):
    owner = Owner()
    reference = weakref.ref(owner)
    with pytest.raises(imd.UnknownSelectorError):
        app.observe("unknown", lambda a, owner=owner: None)
    del owner
    gc.collect()
    assert reference() is None


def test_what_was_told_of_is_freed(app):
    seen = []
    app.observe("b", seen.append)
    reference = weakref.ref(seen.pop())
    assert reference() is None
