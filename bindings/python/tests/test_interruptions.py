"""Tests of code that interrupts a reducer: it fails alone, and the dispatch succeeds."""

import contextlib
import functools
import gc
import signal
import sys
import weakref

import pytest

import immutabledata as imd


class Use:
    """What the code that interrupts does to a store, and what it has raised."""

    def __init__(self, store, use):
        self.store = store
        self.use = use
        self.raised = []

    def __call__(self):
        try:
            self.use(self.store)
        except imd.ReentrantError as error:
            self.raised.append(error.message)


MESSAGE = (
    "a signal handler, a finalizer or a debugger interrupted a reducer or another function that "
    "must not do this; wait until that function has returned"
)

USES = {
    "state": lambda store: store.state,
    "select": lambda store: store.select("count"),
    "query": lambda store: store.query("n"),
    "dispatch": lambda store: store.dispatch("added"),
    "dispatch_batch": lambda store: store.dispatch_batch(["added"]),
    "preview": lambda store: store.preview(["added"]),
    "undo": lambda store: store.undo(),
    "describe": lambda store: store.describe(),
    "observe": lambda store: store.observe("count", print),
    "stream": lambda store: store.stream(),
}


class Interrupting:
    """Ways to interrupt, each a method that interrupts at once by calling a Use."""

    def signal(use, wrap=lambda handler: handler):
        def handler(number, frame):
            use()

        signal.signal(signal.SIGUSR1, wrap(handler))
        signal.raise_signal(signal.SIGUSR1)

    def lambda_as_handler(use):
        Interrupting.signal(use, lambda handler: lambda *_: handler(*_))

    def partial_as_handler(use):
        Interrupting.signal(use, lambda handler: functools.partial(lambda a, *b: use(), None))

    def finalizer(use):
        class Closed:
            def __del__(self):
                use()

        Closed()

    def method_as_finalizer(use):
        class Closed:
            def close(self):
                use()

            __del__ = close

        Closed()

    def collected_finalizer(use):
        class Closed:
            def __init__(self):
                self.me = self

            def __del__(self):
                use()

        Closed()
        gc.collect()

    def weak_reference(use):
        class Target:
            pass

        target = Target()
        reference = weakref.ref(target, lambda reference: use())
        del target
        assert reference() is None

    def weakref_finalize(use):
        class Target:
            pass

        target = Target()
        weakref.finalize(target, use)
        del target

    def lost_generator(use):
        def generate():
            try:
                yield
            finally:
                use()

        next(generate())

    def collector(use):
        def callback(phase, info):
            if phase == "start":
                use()

        gc.callbacks.append(callback)
        try:
            gc.collect()
        finally:
            gc.callbacks.remove(callback)

    def trace_function(use):
        calls = []

        def trace(frame, event, argument):
            if not calls:
                calls.append(event)
                use()

        outer = sys.gettrace()
        sys.settrace(trace)
        try:
            (lambda: None)()
        finally:
            sys.settrace(outer)

    def profile_function(use):
        calls = []

        def profile(frame, event, argument):
            if not calls:
                calls.append(event)
                use()

        outer = sys.getprofile()
        sys.setprofile(profile)
        try:
            (lambda: None)()
        finally:
            sys.setprofile(outer)


WAYS = {name: way for name, way in vars(Interrupting).items() if name[0] != "_"}


@pytest.fixture(autouse=True)
def _restore_handler():
    outer = signal.getsignal(signal.SIGUSR1)
    yield
    signal.signal(signal.SIGUSR1, outer)


@contextlib.contextmanager
def make_store(interrupt):
    def reduce(state, action):
        if action["type"] == "interrupted":
            interrupt()
        return state.set("/n", state["n"] + 1)

    with imd.Store(reduce, state={"n": 0}, history=True) as store:
        store.define("count", "n")
        yield store


def check(way, use):
    interrupt = []
    with make_store(lambda: way(interrupt[0])) as store:
        interrupt.append(Use(store, use))
        store.dispatch("interrupted")
        assert interrupt[0].raised == [MESSAGE]
        assert store.state == {"n": 1}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_interrupts_a_reducer_fails_alone(way):
    check(way, USES["dispatch"])
    check(way, USES["state"])


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_each_use_that_interrupts_a_reducer_fails_alone(use):
    check(Interrupting.finalizer, use)


def test_a_reducer_that_a_finalizer_has_interrupted_still_must_not_use_its_store():
    used = []

    def interrupt():
        Interrupting.finalizer(used[0])
        used[0]()

    with make_store(interrupt) as store:
        used.append(Use(store, USES["state"]))
        with pytest.raises(imd.ReentrantError, match="a reducer selected from its own store"):
            store.dispatch("interrupted")
        assert store.state == {"n": 0}


def test_a_reducer_of_a_dispatch_in_a_signal_handler_must_not_use_its_store():
    use = []
    with make_store(lambda: use[0]()) as store:
        use.append(Use(store, USES["state"]))

        def handler(number, frame):
            with pytest.raises(imd.ReentrantError, match="a reducer selected from its own store"):
                store.dispatch("interrupted")

        signal.signal(signal.SIGUSR1, handler)
        signal.raise_signal(signal.SIGUSR1)


def test_what_interrupts_a_reducer_may_use_another_store():
    with imd.Store(lambda state, action: state, state=7) as other:
        read = []
        with make_store(lambda: Interrupting.finalizer(lambda: read.append(other.state))) as store:
            store.dispatch("interrupted")
        assert read == [7]


def test_what_interrupts_a_reducer_can_close_what_belongs_to_its_store():
    closed = []
    with make_store(lambda: Interrupting.finalizer(lambda: closed[0].close())) as store:
        closed.append(store.stream())
        store.dispatch("interrupted")
        assert closed[0].closed
    with make_store(lambda: Interrupting.finalizer(lambda: closed[1].cancel())) as store:
        closed.append(store.observe("count", print))
        store.dispatch("interrupted")
        assert closed[1].cancelled


def test_what_interrupts_another_pure_function_fails_alone():
    used, errors = [], []

    def interrupt(*_):
        Interrupting.finalizer(used[0])
        return True

    with imd.Store(lambda state, action: state + 1, state=0) as store:
        store.on_error = lambda error, callback: errors.append(error)
        store.define("plus", lambda state: interrupt() and state + 1)
        store.set_rule(lambda action, old, new: [] if interrupt() else None)
        used.append(Use(store, USES["dispatch"]))
        store.observe("plus", print, initial=False, filter=interrupt, did_change=interrupt)
        used[0].raised.clear()
        store.dispatch("added")
        assert store.select("plus") == 2
        assert set(used[0].raised) == {MESSAGE}
        assert errors == []
