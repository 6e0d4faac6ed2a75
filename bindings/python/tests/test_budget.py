"""The budget of work that an evaluation may take."""

import pytest

import immutabledata as imd

SUMS = "let $all = @ in length([*].[sum($all)])"


@pytest.fixture
def app():
    with imd.Store(lambda state, action: action["payload"], state=list(range(100))) as store:
        store.define("sums", SUMS)
        store.define("echo", "[$budget, $arguments]")
        yield store


@pytest.mark.parametrize("call", ["query", "query_json", "select", "select_json"])
def test_a_call(app, call):
    function, text = getattr(app, call), SUMS if call.startswith("query") else "sums"
    with pytest.raises(imd.LimitError) as caught:
        function(text, budget=1000)
    assert caught.value.message.splitlines()[0] == (
        "sum(): the evaluation takes more than 1000 units of work, which is its budget; "
        'simplify the expression, or raise "budget"'
    )
    assert caught.value.column == 29
    assert str(function(text)) == str(function(text, budget=1)) == "100"


@pytest.mark.parametrize("output", ["null", '"é"', "1.0", "-7", '{"b":1,"a":[true,"x"]}'])
def test_json(app, output):
    expression = f"`{output}`"
    assert app.query_json(expression, budget=1000) == app.query_json(expression)


def test_a_store():
    with imd.Store(lambda state, action: state, state=list(range(100)), budget=1000) as store:
        with pytest.raises(imd.LimitError):
            store.query(SUMS)
        assert store.query(SUMS, budget=100_000) == 100
    with imd.open("counter", budget=2) as store:
        assert store.query("value") == 0
        with pytest.raises(imd.LimitError):
            store.query("[value]")


def test_a_store_without_one():
    with imd.Store(lambda state, action: state, state=[], budget=None) as store:
        assert store.query("@") == []
    with imd.Store(lambda state, action: state, state=[], budget=None, optimistic=True) as store:
        assert store.query("@") == []
    with imd.open("counter", budget=None, state={"value": 1}) as store:
        assert store.query("value") == 1


@pytest.mark.parametrize(
    ("budget", "kind", "message"),
    [
        (0, imd.InvalidArgumentError, "options/budget"),
        (-1, imd.InvalidArgumentError, "options/budget"),
        ("1", TypeError, "budget must be an int, not str"),
        (True, TypeError, "budget must be an int, not bool"),
        (1.5, TypeError, "budget must be an int, not float"),
    ],
)
def test_a_store_refuses(budget, kind, message):
    for call in (
        lambda: imd.Store(lambda state, action: state, state=[], budget=budget),
        lambda: imd.open("counter", budget=budget),
    ):
        with pytest.raises(kind, match=message):
            call()


def test_arguments_named_like_options(app):
    assert app.select("echo", arguments={"budget": 1, "arguments": 2}) == [1, 2]
    assert app.query("$x", x=3, arguments={}) == 3


def test_an_observation(app):
    delivered, failed = [], []
    app.on_error = lambda error, callback: failed.append(type(error))
    app.observe("sums", delivered.append, budget=20_000)
    app.dispatch("set", payload=list(range(1000)))
    app.dispatch("set", payload=list(range(10)))
    assert delivered == [100, 10]
    assert failed == [imd.LimitError]


@pytest.mark.parametrize("initial", [True, False])
def test_the_first_evaluation_of_an_observation(app, initial):
    delivered = []
    with pytest.raises(imd.LimitError):
        app.observe("sums", delivered.append, budget=1000, initial=initial)
    assert app.select("sums") == 100
    app.observe("sums", delivered.append, budget=1000, initial=initial)
    app.dispatch("set", payload=list(range(10)))
    assert delivered == ([100, 10] if initial else [10])


@pytest.mark.parametrize(
    ("budget", "kind"),
    [(0, imd.InvalidArgumentError), (-1, imd.InvalidArgumentError), ("1", TypeError),
     (True, TypeError)],
)  # fmt: skip
def test_invalid_arguments(app, budget, kind):
    for call in (
        lambda: app.query("@", budget=budget),
        lambda: app.select("sums", budget=budget),
        lambda: app.observe("sums", print, budget=budget),
    ):
        with pytest.raises(kind):
            call()
