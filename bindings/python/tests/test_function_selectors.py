"""Selectors that are functions written in Python."""

from __future__ import annotations

import gc
import traceback
import weakref

import pytest

import immutabledata as imd


def merge(state, action):
    return state.merge(action["payload"])


@pytest.fixture
def store():
    state = {"items": [1, 2, 3], "rate": 2, "unused": 0, "todos": {"a": {"n": 1}, "b": {"n": 2}}}
    with imd.Store(merge, state=state) as store:
        yield store


def change(store, **members):
    store.dispatch("merge", payload=members)


def test_called_only_if_an_input_changed(store):
    calls = []

    @store.selector(inputs=["items", "rate"])
    def total(items, rate):
        calls.append((list(items), rate))
        return sum(items) * rate

    assert [store.select("total"), store.select("total")] == [12, 12]
    change(store, unused=1)
    assert store.select("total") == 12
    change(store, rate=3)
    assert store.select("total") == 18
    assert calls == [([1, 2, 3], 2), ([1, 2, 3], 3)]
    assert total([1], 1) == 1


def test_without_inputs_it_gets_the_state(store):
    store.define("keys", sorted)
    assert store.select("keys") == ["items", "rate", "todos", "unused"]
    store.selector("rates")(lambda state: [state["rate"]])
    assert store.select("rates") == [2]


def test_each(store):
    calls = []

    def double(todo, rate):
        calls.append(todo["n"])
        return {"n": todo["n"] * rate}

    store.define("doubled", double, inputs=["rate"], each="todos")
    assert store.select("doubled") == {"a": {"n": 2}, "b": {"n": 4}}
    before = store.select("doubled")
    change(store, todos={"b": {"n": 5}})
    assert store.select("doubled") == {"a": {"n": 2}, "b": {"n": 10}}
    assert calls == [1, 2, 5]
    assert store.select("doubled")["a"] == before["a"]


def test_arguments(store):
    store.define("above", "items[?@ > $least]")
    store.define("count", lambda items, *, step, _cache=None: len(items) * step, inputs=["above"])
    assert store.select("count", least=1, step=10) == 20
    with pytest.raises(imd.InvalidArgumentError, match='the argument "step" of "count" is missing'):
        store.select("count", least=1)


def test_observers_and_patches(store):
    outputs = []
    store.define("total", lambda items: {"sum": sum(items), "same": 1}, inputs=["items"])
    store.observe("total", outputs.append, deliver="patch")
    change(store, unused=1)
    change(store, items=[3, 2, 1])
    change(store, items=[3])
    assert outputs == [
        {"sum": 6, "same": 1},
        [{"op": "replace", "path": "/sum", "value": 3}],
    ]


def test_exceptions_reach_the_caller(store):
    raised = ZeroDivisionError("nothing to share")

    def share(items):
        if not items:
            raise raised
        return sum(items) / len(items)

    store.define("share", share, inputs=["items"])
    store.define("twice", lambda share: 2 * share, inputs=["share"])
    failures = []
    store.on_error = lambda error, _: failures.append(error)
    outputs = []
    store.observe("twice", outputs.append)
    change(store, items=[])
    for select in (store.select, store.select_json):
        with pytest.raises(ZeroDivisionError) as caught:
            select("twice")
        assert caught.value is raised
    with pytest.raises(ZeroDivisionError):
        store.observe("share", print)
    change(store, items=[5])
    assert outputs == [4.0, 10.0]
    (failure,) = failures
    assert isinstance(failure, imd.InvalidSelectorError)
    assert str(failure) == 'the selector "share": ZeroDivisionError: nothing to share'
    assert failure.__cause__ is raised


@pytest.mark.parametrize("when", ["inline", "queued"])
def test_the_failure_of_an_observed_selector_shows_the_line_of_the_function(store, when, unraisable):
    def share(items):
        return sum(items) / len(items)

    store.define("share", share, inputs=["items"])
    store.define("twice", lambda share: 2 * share, inputs=["share"])
    store.observe("twice", print, initial=False, when=when)
    store.observe("share", print, initial=False, when=when)
    change(store, items=[])
    store.poll()
    assert len(unraisable) == 2
    for failure, _ in unraisable:
        assert isinstance(failure.__cause__, ZeroDivisionError)
        for error in (failure, failure.__cause__):
            assert traceback.extract_tb(error.__traceback__)[-1].line == "return sum(items) / len(items)"
    change(store, items=[4])
    assert store._selectors and not any(each.raised for each in store._selectors.values())


def test_an_old_exception_is_no_cause(store):
    def fail(rate):
        if rate == 3:
            raise ValueError("three")
        return rate

    store.define("fail", fail, inputs=["rate"])
    store.define("length", "length(rate)")
    store.observe("fail", lambda _: None, dependencies=["fail"])
    store.on_error = lambda error, callback: None
    change(store, rate=3)
    with pytest.raises(imd.InvalidSelectorError) as caught:
        store.select("length")
    assert caught.value.__cause__ is None


def test_interruption(store):
    def interrupt(state):
        raise KeyboardInterrupt

    store.define("interrupt", interrupt)
    with pytest.raises(KeyboardInterrupt):
        store.select("interrupt")


@pytest.mark.parametrize(
    "use",
    [
        lambda store: store.select("rate"),
        lambda store: store.query("rate"),
        lambda store: store.define("x", "rate"),
        lambda store: store.dispatch("merge", payload={}),
        lambda store: store.observe("rate", print),
    ],
)
def test_it_must_not_use_its_store(store, use):
    store.define("rate", "rate")
    store.define("broken", lambda state: use(store))
    with pytest.raises(imd.ReentrantError) as caught:
        store.select("broken")
    assert str(caught.value).startswith('the selector "broken": a selector ') or str(
        caught.value
    ).startswith("a selector ")


def test_it_may_use_another_store(store):
    with imd.Store(merge, state={"rate": 9}) as other:
        store.define("other", lambda state: other.query("rate"))
        assert store.select("other") == 9


def test_redefinition(store):
    outputs = []
    store.define("a", lambda rate: rate, inputs=["rate"])
    store.define("b", lambda a: [a], inputs=["a"])
    store.observe("b", outputs.append)
    store.define("a", lambda items: items[0], inputs=["items"])
    store.define("a", "items[1]")
    change(store, items=[0, 9])
    assert outputs == [[2], [1], [2], [9]]


def test_replaced_functions_are_released(store):
    class Function:
        def __call__(self, state):
            return 1

    first, second = Function(), Function()
    references = [weakref.ref(first), weakref.ref(second)]
    store.define("f", first)
    store.define("f", second)
    del first, second
    gc.collect()
    assert [reference() is None for reference in references] == [True, False]
    store.close()
    gc.collect()
    assert references[1]() is None


def test_a_function_that_refers_to_its_store_leaks_nothing():
    store = imd.Store(merge, state={})
    store.define("f", lambda state: repr(store))
    reference = weakref.ref(store)
    del store
    gc.collect()
    assert reference() is None


def test_cycle(store):
    store.define("a", lambda rate: rate, inputs=["rate"])
    store.define("b", lambda a: a, inputs=["a"])
    with pytest.raises(imd.InvalidArgumentError) as caught:
        store.define("a", lambda b: b, inputs=["b"])
    assert str(caught.value) == (
        'the selector would be its own input: "a" needs "b" needs "a"; nothing was changed'
    )
    assert store.select("b") == 2


def test_describe(store):
    store.define("f", lambda todo, *, x: 1, each="todos")
    assert [
        {key: value for key, value in selector.items() if key != "arguments"}
        for selector in store.describe()["selectors"]
    ] == [{"name": "f", "inputs": [], "each": "todos"}]
    with imd.open("counter") as counter:
        counter.define("double", lambda value: 2 * value, inputs=["selectValue"])
        names = [selector["name"] for selector in counter.describe()["selectors"]]
        assert names[0] == "selectValue"
        assert names[-1] == "double"
        counter.dispatch("didTapIncrementButton")
        assert counter.select("double") == 2
        with pytest.raises(imd.InvalidArgumentError, match="of the domain cannot be replaced"):
            counter.define("selectValue", lambda state: state)


async def coroutine(state):
    return 1


@pytest.mark.parametrize(
    ("selector", "options", "error", "message"),
    [
        (7, {}, TypeError, "a selector must be an expression or a function, not int"),
        ("rate", {"inputs": ["a"]}, TypeError, "only a function has inputs"),
        (len, {"inputs": "rate"}, TypeError, "inputs must be a list of names or expressions"),
        (lambda: 1, {}, TypeError, r'"f" gets the state, but the function is <lambda>\(\)'),
        (len, {"inputs": [len]}, TypeError, "an input must be the name of a selector or an exp"),
        (
            lambda a: 1,
            {"inputs": ["a", "b"]},
            TypeError,
            r'the selector "f" gets "a", "b", but the function is <lambda>\(a\)',
        ),
        (coroutine, {}, TypeError, "use a plain function"),
        (len, {"inputs": ["a["]}, imd.InvalidSelectorError, "a\\["),
    ],
)
def test_mistakes(store, selector, options, error, message):
    with pytest.raises(error, match=message):
        store.define("f", selector, **options)


def test_dependency_comparison(store):
    outputs = []
    store.define("rate", "rate")
    store.define("all", "[items[0], rate]")
    store.observe(
        "all", outputs.append, dependencies={"rate": lambda last, rate: rate - last >= 2}
    )
    for rate in (3, 4, 5):
        change(store, rate=rate)
    assert outputs == [[1, 2], [1, 4]]
    with pytest.raises(TypeError, match="the comparison of a dependency must be a function"):
        store.observe("all", print, dependencies={"rate": 7})


@pytest.mark.parametrize(
    ("at", "keys"), [(None, ["todos"]), ("@", []), ("board.todos", ["board", "todos"])]
)
def test_selectors_of_entities(at, keys):
    todos = imd.entities(sort_by="title")
    state = todos.initial_state([{"id": 7, "title": "b"}, {"id": "x", "title": "a"}])
    for key in reversed(keys):
        state = imd.value({key: state})

    def reducer(state, action):
        collection = state
        for key in keys:
            collection = collection[key]
        changed = todos.update_one(collection, *action["payload"])
        return state.set(keys, changed) if keys else changed

    with imd.Store(reducer, state=state) as store:
        todos.define(store, "todos", at=at)
        seen = []
        store.observe("todos.byId", seen.append, arguments={"id": "7"})
        store.dispatch("update", payload=["x", {"title": "c"}])
        store.dispatch("update", payload=[7, {"title": "d"}])
        assert [entity["title"] for entity in seen] == ["b", "d"]
        # Not visited for the other entity.
        assert store.statistics()["visits"] == 1
        assert [entity["id"] for entity in store.select("todos.all")] == ["x", 7]
        assert store.select("todos.ids") == ["x", 7]
        assert store.select("todos.total") == 2
        assert store.select("todos.byId", id="none") is None
        by_id = store.select("todos.sorted", by="title")
        assert [entity["title"] for entity in by_id] == ["c", "d"]


def test_a_misspelled_input_is_a_likely_mistake(store):
    store.define("total", lambda items: sum(items), inputs=["items"])
    store.define("twice", lambda total: 2 * total, inputs=["total"])
    with pytest.warns(imd.LikelyMistakeWarning) as caught:
        store.define("half", lambda total: total, inputs=["totl"])
    assert str(caught[0].message) == (
        'the selector "half": the input "totl": the state has no member "totl"'
    )


def test_close_in_a_selector_keeps_the_store_open(store):
    store.define("broken", lambda state: store.close())
    with pytest.raises(imd.ReentrantError):
        store.select("broken")
    assert not store.closed
    assert store.state["rate"] == 2


def test_an_exception_is_not_kept():
    class Failure(Exception):
        pass

    def fail(rate):
        if rate == 3:
            raise Failure("cut\0here")
        return rate

    store = imd.Store(merge, state={"rate": 2})
    store.define("fail", fail, inputs=["rate"])
    store.define("rate", "rate")
    store.observe("rate", lambda _: None, dependencies=["fail"])
    change(store, rate=3)
    with pytest.raises(Failure):
        store.select("fail")
    change(store, rate=3)
    reference = weakref.ref(store)
    del store
    gc.collect()
    assert reference() is None
