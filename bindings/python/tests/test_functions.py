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
        (lambda app: imd.Slice("s", 0).on("x")(one), DRAFTING + "one(a)"),
        (lambda app: imd.Slice("s", 0).on("x")(None), DRAFTING + "None"),
        (lambda app: imd.Slice("s", 0).on_type("x")(None), DRAFTING + "None"),
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
        (imd.Slice("s", 0).on("x"), "a drafting reducer"),
        (imd.Slice("s", 0).on_type("x"), "a drafting reducer"),
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
