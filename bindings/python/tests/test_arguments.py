"""The arguments of select and query, which are kept as values."""

import pytest
from json_data import same_json

import immutabledata as imd

EQUAL = [1, True, 1.0, "1", 0, False, 0.0, -0.0, None, "", "null", 2**63 - 1, -(2**63)]


class Disguised(str):
    """A str that equals another text than its own."""

    __slots__ = ()

    def __eq__(self, other):
        return other == "a"

    def __hash__(self):
        return hash("a")


@pytest.fixture
def store():
    with imd.Store(lambda state, action: action["payload"], state={"a": 1, "b": 2}) as store:
        yield store


@pytest.mark.parametrize("others", [{}, {"b": 1}, {"b": 0.5}, {"b": [1]}, {"b": "x" * 1_000}])
def test_arguments_that_are_equal_are_told_apart(store, others):
    expression = "[$a, $b]" if others else "[$a]"
    for _ in range(2):
        for argument in EQUAL:
            expected = [argument, *others.values()]
            for output in (
                store.query(expression, a=argument, **others),
                store.query(expression, **others, a=argument),
                store.query(expression, arguments={"a": argument, **others}),
                store.query(expression, arguments={"a": argument}, **others),
            ):
                assert same_json(output.to_python(), expected)


def test_many_arguments(store):
    for _ in range(2):
        for number in range(200):
            assert store.query("$a", a=number) == number
            assert store.query("$a", a=str(number)) == str(number)


@pytest.mark.parametrize(
    "bad", [2**63, float("nan"), "\ud800", object(), pytest.param(10**5_000, id="long")]
)
def test_arguments_that_cannot_be_json_fail_again(store, bad):
    for _ in range(2):
        with pytest.raises((imd.InvalidArgumentError, imd.LimitError)):
            store.query("$a", a=bad)


def test_a_name_is_what_its_text_says(store):
    assert store.query("a") == 1
    assert store.query(Disguised("b")) == 2
    assert store.query("$a", a=1) == 1
    assert store.query("[$a, $b]", b=0, arguments={"a": 1}) == [1, 0]
    assert store.query("$b", arguments={Disguised("b"): 1}) == 1
    store.define("a", "a")
    store.define("b", "b")
    assert store.select("a") == 1
    assert store.select(Disguised("b")) == 2


@pytest.mark.parametrize("bad", ["a\0", "\ud800", 5, b"a", None, ["a"]])
def test_an_invalid_name_fails_again(store, bad):
    for call in (store.select, store.query):
        for _ in range(2):
            with pytest.raises((imd.InvalidArgumentError, TypeError)):
                call(bad)
