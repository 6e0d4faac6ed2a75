"""Unknown options: each message suggests what was meant."""

import asyncio

import pytest

import immutabledata as imd

ON_ERROR = 'unknown option "on_error"; it is an attribute of the store: write store.on_error = …'
ARGUMENT = " To pass an argument of the selector, write arguments={%s: …}"


async def first(outputs):
    return await outputs.__anext__()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda app: app.observe("a", print, whn="queued"),
            'unknown option "whn"; did you mean "when"?' + ARGUMENT % '"whn"',
        ),
        (
            lambda app: app.observe("a", print, **{"when\n\udc80": 1}),
            'unknown option "when\\n\\udc80"; did you mean "when"?' + ARGUMENT % '"when\\n\\udc80"',
        ),
        (
            lambda app: app.observe("above", labels=1),
            'unknown option "labels"; did you mean "label"?' + ARGUMENT % '"labels"',
        ),
        (
            lambda app: app.observe("above", print, lst=1),
            'arguments: the expression has no $lst; expected "least"',
        ),
        (
            lambda app: app.stream(typs=["ui/*"]),
            'unknown option "typs"; did you mean "types"?',
        ),
        (
            lambda app: app.stream(size=1),
            'unknown option "size"; expected one of: "capacity", "flush", "overflow", "types"',
        ),
        (
            lambda app: app.outputs("a", capcity=2),
            'unknown option "capcity"; did you mean "capacity"?' + ARGUMENT % '"capcity"',
        ),
        (
            lambda app: app.outputs("a", when="queued"),
            'unknown option "when"; it is an option of observe',
        ),
        (lambda app: app.observe("a", print, on_error=print), ON_ERROR),
        (lambda app: app.outputs("a", on_error=print), ON_ERROR),
        (lambda app: imd.Store(print, state={}, on_error=print), ON_ERROR),
        (lambda app: imd.open("counter", on_error=print), ON_ERROR),
        (
            lambda app: app.settle(timeot=1),
            'unknown option "timeot"; did you mean "timeout"?',
        ),
        (
            lambda app: imd.Store(print, state={}, optimstic=True),
            'unknown option "optimstic"; did you mean "optimistic"?',
        ),
    ],
)
def test_an_unknown_option(app, call, message):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        call(app)
    assert str(caught.value) == message
    assert app.statistics()["observations"] == 0


def test_an_unknown_option_of_a_domain():
    with pytest.raises(imd.InvalidArgumentError, match='did you mean "store"'):
        imd.open("animals", stor="zoo.sqlite")


@pytest.mark.parametrize("output", ["select", "query", "observe", "outputs"])
def test_all_outputs_are_values(app, output):
    seen = []
    if output == "select":
        seen.append(app.select("above", least=1))
    elif output == "query":
        seen.append(app.query("list[?@ > `1`]"))
    elif output == "observe":
        app.observe("above", seen.append, least=1)
    else:
        seen.append(asyncio.run(first(app.outputs("above", least=1))))
    assert [type(each) for each in seen] == [imd.ArrayValue]
    assert seen == [[2]]
    assert app.select("a") == app.query("a") == 0


def test_plain_data(app):
    assert imd.to_python(app.select("b")) == {"c": 1}
    assert type(imd.to_python(app.select("b"))) is dict
    assert imd.to_python(app.select("a")) == 0
    assert imd.to_python({"parts": (app.state["list"],)}) == {"parts": [[1, 2]]}
    assert imd.to_python(None) is None
    with pytest.raises(imd.InvalidArgumentError, match="the data cannot be written as JSON"):
        imd.to_python({1})


def test_the_options_of_observe_are_those_of_its_type():
    from immutabledata._stores.options import OBSERVE_OPTIONS

    assert set(OBSERVE_OPTIONS) == set(imd.ObserveOptions.__annotations__)
