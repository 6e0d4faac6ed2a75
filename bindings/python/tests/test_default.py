"""The option default, which replaces data that JSON does not know."""

import dataclasses
import datetime
import decimal
import uuid

import pytest

import immutabledata as imd

DAY = datetime.date(2024, 2, 29)
ID = uuid.UUID(int=1)


@dataclasses.dataclass
class Todo:
    title: str
    due: datetime.date


def plain(data):
    """Data for objects that JSON does not know."""
    if dataclasses.is_dataclass(data):
        return dict(vars(data))
    if isinstance(data, datetime.date):
        return data.isoformat()
    if isinstance(data, (decimal.Decimal, uuid.UUID)):
        return str(data)
    raise TypeError(f"no rule for {type(data).__name__}")


def keep(state, action):
    return state.set("/last", action["payload"])


def make(reducer=keep, **options):
    return imd.Store(reducer, state={"last": None}, default=plain, **options)


TODO = {"title": "Write", "due": "2024-02-29"}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (DAY, "2024-02-29"),
        ([decimal.Decimal("1.50"), ID], ["1.50", str(ID)]),
        ({"a": [Todo("Write", DAY)]}, {"a": [TODO]}),
        ([Todo(imd.value(["shared"]), DAY), imd.value({"b": 1})],
         [{"title": ["shared"], "due": "2024-02-29"}, {"b": 1}]),
    ],
)  # fmt: skip
def test_data(data, expected):
    assert imd.value(data, default=plain) == expected
    assert make().state["last"] is None
    store = make()
    store.dispatch("added", data)
    assert store.state["last"] == expected
    store.dispatch_batch([{"type": "added", "payload": None}, {"type": "added", "payload": data}])
    assert store.state["last"] == expected
    assert store.preview([{"type": "added", "payload": data}]).state["last"] == expected
    assert imd.Store(keep, state={"last": data}, default=plain).state["last"] == expected


def test_a_value_inside_what_the_function_returns_is_shared():
    shared = imd.value([1, 2])
    made = imd.value([Todo(shared, DAY), shared], default=plain)
    assert made[0]["title"].is_identical(shared)
    assert made[1].is_identical(shared)


def test_what_a_reducer_and_a_selector_return():
    @imd.drafting
    def drafting(draft, action):
        draft["last"] = Todo("Write", DAY)

    for reducer in (drafting, lambda state, action: {"last": [Todo("Write", DAY)]}):
        store = make(reducer)
        store.dispatch("added")
        assert TODO in (store.state["last"], *store.state["last"])
    store.define("due", lambda state: {"due": DAY})
    assert store.select("due") == {"due": "2024-02-29"}


def test_arguments():
    store = make()
    store.define("on", lambda state, *, day: [day])
    outputs = []
    store.observe("on", outputs.append, arguments={"day": DAY})
    assert outputs == [["2024-02-29"]]
    assert store.select("on", day=DAY) == ["2024-02-29"]
    assert store.select_json("on", day=DAY) == '["2024-02-29"]'
    assert store.query("$day", day=DAY) == "2024-02-29"


def test_a_domain():
    with imd.open("counter", default=plain) as store:
        with pytest.raises(imd.InvalidActionError):
            store.dispatch("didTapIncrementButton", DAY)


@pytest.mark.parametrize(
    ("default", "message"),
    [
        (plain, "the data at /a/0 cannot be written as JSON: no rule for set"),
        (lambda data: [data], "the data at /a/0 cannot be written as JSON: Circular reference"),
        (None, "the data at /a/0 cannot be written as JSON: JSON has no set; use a sorted list"),
    ],
)
def test_an_object_that_the_function_does_not_know(default, message):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        imd.value({"a": [{1}]}, default=default)
    assert str(caught.value).startswith(message)


def test_an_exception_of_the_function_is_raised():
    def fail(data):
        raise KeyError("mine")

    store = imd.Store(keep, state={"last": None}, default=fail)
    with pytest.raises(KeyError, match="mine"):
        store.dispatch("added", DAY)
    assert store.state["last"] is None


def test_it_applies_to_its_store_only():
    make().dispatch("added", DAY)
    with pytest.raises(imd.InvalidArgumentError, match="JSON has no date; use isoformat"):
        imd.Store(keep, state={"last": None}).dispatch("added", DAY)


def test_no_function():
    with pytest.raises(TypeError, match="default must be a function that takes an object and"):
        imd.Store(keep, state={}, default="isoformat")
    with pytest.raises(TypeError, match="default must be a function that takes an object and"):
        imd.value([DAY], default=lambda: None)
