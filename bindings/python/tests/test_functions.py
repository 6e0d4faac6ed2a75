"""Functions with wrong parameters are rejected when they are passed, not when they are called."""

import functools

import pytest

import immutabledata as imd


def nothing():
    pass


def one(a):
    pass


def two(a, b):
    pass


def three(a, *, b):
    pass


async def awaiting(state, action):
    return state


async def generating(state, action):
    yield state


class Awaiting:
    async def __call__(self, state, action):
        return state


class Called:
    def __call__(self, a, b, c):
        pass


CALLBACK = "a callback must be a function that takes the output, not "
STATES = "must be a function that takes a state and an action, not "
DRAFTING = "a drafting reducer must be a function that takes a draft and an action, not "
CASE = (
    "a case of a slice must be a function such as case(draft), case(draft, *, title: str) or "
    "case(draft, action), not "
)
CASE_OF_TYPE = "a case of a slice must be a function such as case(draft, action), not "
LISTENER = (
    "a listener must be a function that takes the action, the old state and the new state, not "
)
ASYNC_ADVICE = (
    "await in a thunk, a listener or the function of an effect, and dispatch the result"
)
ON_ERROR = "on_error must be a function that takes an exception and a callback, or None, not "


@pytest.mark.parametrize(
    ("give", "message"),
    [
        (lambda app: app.observe("a", nothing), CALLBACK + "nothing()"),
        (lambda app: app.observe("a")(two), CALLBACK + "two(a, b)"),
        (lambda app: app.observe("a", None), CALLBACK + "None"),
        (lambda app: app.observe("a")(None), CALLBACK + "None"),
        (lambda app: app.observe("a", three), CALLBACK + "three(a, *, b)"),
        (lambda app: app.observe("a", Called()), CALLBACK + "Called(a, b, c)"),
        (lambda app: imd.Store(one, state=0), f"a reducer {STATES}one(a)"),
        (lambda app: imd.Store(5, state=0), f"a reducer {STATES}int"),
        (lambda app: imd.Store(None, state=0), f"a reducer {STATES}None"),
        (lambda app: imd.combine(n=5), f'the reducer of "n" {STATES}int'),
        (lambda app: imd.combine(n=nothing), f'the reducer of "n" {STATES}nothing()'),
        (lambda app: imd.drafting(one), DRAFTING + "one(a)"),
        (lambda app: imd.drafting(None), DRAFTING + "None"),
        (lambda app: imd.Slice("s", 0).on("x")(nothing), CASE + "nothing()"),
        (lambda app: imd.Slice("s", 0).on("x")(None), CASE + "None"),
        (lambda app: imd.Slice("s", 0).on_type("x")(None), CASE_OF_TYPE + "None"),
        (lambda app: app.listener()(two), LISTENER + "two(a, b)"),
        (lambda app: app.listener()(None), LISTENER + "None"),
        (
            lambda app: app.set_fetch(nothing),
            "fetch must be a function that takes a request, or None, not nothing()",
        ),
        (lambda app: setattr(app, "on_error", one), ON_ERROR + "one(a)"),
    ],
)
def test_wrong_parameters(app, give, message):
    with pytest.raises(TypeError) as caught:
        give(app)
    assert str(caught.value) == message
    assert app.statistics()["observations"] == 0


@pytest.mark.parametrize(
    ("give", "role"),
    [
        (lambda reducer: imd.Store(reducer, state=0), "a reducer"),
        (lambda reducer: imd.combine(n=reducer), 'the reducer of "n"'),
        (imd.drafting, "a drafting reducer"),
        (imd.Slice("s", 0).on("x"), "a case of a slice"),
        (imd.Slice("s", 0).on_type("x"), "a case of a slice"),
    ],
)
@pytest.mark.parametrize("reducer", [awaiting, generating, Awaiting(), functools.partial(awaiting)])
def test_async_reducers(give, role, reducer):
    with pytest.raises(TypeError) as caught:
        give(reducer)
    assert str(caught.value) == f"{role} must not be an async function; {ASYNC_ADVICE}"


@pytest.mark.parametrize(
    ("reducer", "role"),
    [
        (lambda state, action: awaiting(state, action), "the reducer"),
        (imd.combine(n=lambda state, action: awaiting(state, action)), "the reducer of 'n'"),
        (imd.drafting(lambda draft, action: awaiting(draft, action)), "the reducer"),
    ],
)
def test_a_reducer_that_returns_a_coroutine(reducer, role):
    with imd.Store(reducer, state={"n": 0}) as store:
        with pytest.raises(TypeError) as caught:
            store.dispatch("x")
        assert str(caught.value) == f"{role} returned a coroutine; {ASYNC_ADVICE}"
        assert store.state == {"n": 0}


def injecting(function):
    """A decorator that passes an argument of its own."""
    return functools.wraps(function)(lambda output: function("own", output))


@pytest.mark.parametrize(
    "callback",
    [
        print,
        [].append,
        {}.get,
        bool,
        {}.__contains__,
        injecting(two),
        functools.partial(two, 1),
        lambda *all: None,
        lambda a, b=1: None,
    ],
)
def test_right_parameters(app, callback):
    app.observe("a", callback).cancel()


# ---- Functions of which a call runs nothing, and classes -------------------------------------------


def to_log(use):
    def give(app, function, tmp_path):
        path = tmp_path / "log.imd"
        with imd.Store(lambda state, action: state, state=0, log=path) as store:
            store.dispatch("x")
        use(path, function)

    return give


TAKERS = {
    "reducer": lambda app, function, _: imd.Store(function, state=0),
    "combined reducer": lambda app, function, _: imd.combine(n=function),
    "drafting reducer": lambda app, function, _: imd.drafting(function),
    "case": lambda app, function, _: imd.Slice("s", 0).on("x")(function),
    "case for a type": lambda app, function, _: imd.Slice("s", 0).on_type("x")(function),
    "observer": lambda app, function, _: app.observe("a", function),
    "comparison": lambda app, function, _: app.observe("a", print, did_change=function),
    "comparison of outputs": lambda app, function, _: app.outputs("a", did_change=function),
    "dependency": lambda app, function, _: app.observe("a", print, dependencies={"a": function}),
    "filter": lambda app, function, _: app.observe("a", print, filter=function),
    "rule": lambda app, function, _: app.set_rule(function),
    "effect": lambda app, function, _: app.set_effect("roll", function),
    "listener": lambda app, function, _: app.listener()(function),
    "selector": lambda app, function, _: app.define("b", function, inputs=["a", "a"]),
    "migration": lambda app, function, _: imd.log.migration(from_version=1)(function),
    "migration of actions": lambda app, function, _: imd.log.migration(from_version=1)(
        lambda state: state
    ).action(function),
    "predicate": to_log(lambda path, function: imd.log.redact(path, function, print)),
    "progress": to_log(lambda path, function: imd.log.verify(path, progress=function)),
    "reducer of a log": to_log(lambda path, function: imd.log.compact(path, function)),
    "fetch": lambda app, function, _: app.set_fetch(function),
    "on_error": lambda app, function, _: setattr(app, "on_error", function),
    "trace": lambda app, function, _: app.set_trace(function),
    "default": lambda app, function, _: imd.value({}, default=function),
    "default of a store": lambda app, function, _: imd.Store(print, state=0, default=function),
    "change": lambda app, function, _: imd.value({"a": 1}).change("/a", function),
    "id": lambda app, function, _: imd.entities(id=function),
    "sort_by": lambda app, function, _: imd.entities(sort_by=function),
}


def generate(*arguments):
    yield


async def wait(*arguments):
    pass


async def wait_and_generate(*arguments):
    yield


class Generate:
    def __call__(self, *arguments):
        yield


class Made:
    def __init__(self, *arguments):
        pass


WRONG = {
    "generator function": (generate, "must not be a generator function"),
    "partial of one": (functools.partial(generate, 1), "must not be a generator function"),
    "object with one": (Generate(), "must not be a generator function"),
    "method": (Generate().__call__, "must not be a generator function"),
    "async function": (wait, "must not be an async function"),
    "partial of an async function": (functools.partial(wait), "must not be an async function"),
    "async generator function": (wait_and_generate, "must not be an async function"),
    "class": (Made, "not the class Made"),
    "too many parameters": (lambda a, b, c, d: None, "<lambda>(a, b, c, d)"),
    "a parameter without a value": (lambda *a, name, other: None, "name"),
    "partial with too many": (functools.partial(lambda a, b, c, d, e: 0, 1), "(b, c, d, e)"),
}

# They await, or use what is yielded; and name their parameters.
RIGHT = {
    ("effect", "async function"),
    ("effect", "partial of an async function"),
    ("listener", "async function"),
    ("listener", "partial of an async function"),
    ("rule", "generator function"),
    ("rule", "partial of one"),
    ("rule", "object with one"),
    ("rule", "method"),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("taker", TAKERS)
def test_a_function_that_cannot_be_called_is_refused_wherever_one_is_taken(
    taker, wrong, tmp_path
):
    if taker == "selector" and wrong == "a parameter without a value":
        pytest.skip("these are arguments of the selector")
    function, words = WRONG[wrong]
    with imd.Store(lambda state, action: state, state={"a": 1}) as app:
        app.define("a", "a")
        if (taker, wrong) in RIGHT:
            TAKERS[taker](app, function, tmp_path)
            return
        with pytest.raises(TypeError) as caught:
            TAKERS[taker](app, function, tmp_path)
        assert words in str(caught.value)


def test_a_class_whose_objects_are_data_is_a_function(app):
    app.observe("a", bool).cancel()
    app.define("listed", list, inputs=["keys(@)"])
    assert app.select("listed") == sorted(app.state)
    assert imd.value({"a": 1j}, default=str) == {"a": "1j"}


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (wait, 'the observer of "a" returned a coroutine; '),
        (generate, 'the observer of "a" returned a generator, which has not run; return a result'),
    ],
)
def test_an_observer_that_returns_what_has_not_run(result, words):
    errors = []
    with imd.Store(lambda state, action: state, state={"a": 1}) as store:
        store.on_error = lambda error, callback: errors.append(str(error))
        store.define("a", "a")
        store.observe("a", lambda output: result())
    assert len(errors) == 1
    assert errors[0].startswith(words)


def test_a_predicate_that_returns_a_coroutine_redacts_nothing(tmp_path):
    path = tmp_path / "log.imd"
    with imd.Store(lambda state, action: state, state=0, log=path) as store:
        store.dispatch("x")
    before = path.read_bytes()
    with pytest.raises(TypeError, match="the predicate returned a coroutine; use a plain function"):
        imd.log.redact(path, lambda entry: wait(), lambda state, action: state)
    assert path.read_bytes() == before
