"""Values of one library are refused by the others, wherever they would enter."""

import pytest

import immutabledata as imd
from immutabledata import _ffi


@pytest.fixture
def foreign(other):
    return other.value({"a": {"b": 1}})


def store(reducer=lambda state, action: state, **options):
    return imd.Store(reducer, state={"x": 0, "list": []}, **options)


def dispatch(reducer):
    with store(reducer) as opened:
        opened.dispatch("x")


def drafted(change):
    return lambda foreign: dispatch(imd.drafting(lambda draft, action: change(draft, foreign)))


def optimistic(foreign):
    with store(optimistic=True) as opened:
        opened.dispatch("x", payload=foreign, meta={"optimistic": {"begin": "k"}})


def select(foreign):
    with store() as opened:
        opened.define("s", "list[?@ == $x]")
        opened.select("s", x=foreign)


def observe(foreign):
    with store() as opened:
        opened.define("s", "list[?@ == $x]")
        opened.observe("s", print, arguments={"x": [foreign]})


SLICE = imd.Slice("s", {})
SLICE.on("clear")(lambda draft, action: draft.clear())

# How the messages call each place, and a function that passes a value there.
PLACES = [
    ("the data", imd.value),
    ("the data at /x/1", lambda foreign: imd.value({"x": [1, foreign]})),
    ("the data at /1/x", lambda foreign: imd.value([imd.value([]), {"x": foreign}])),
    ("the data at /x", lambda foreign: imd.value({"x": foreign, "y": imd.value({})})),
    ("the data", imd.to_python),
    ("the data", lambda foreign: imd.value({}).set("/x", foreign)),
    ("the data", lambda foreign: imd.value({"x": 1}).change("/x", lambda x: foreign)),
    ("the data at /x", lambda foreign: imd.value([1]).insert(0, {"x": foreign})),
    ("the data", lambda foreign: imd.value([1]).append(foreign)),
    ("the data", lambda foreign: imd.value([1]).extend([foreign])),
    ("the data", lambda foreign: imd.value({}).update({"x": foreign})),
    ("the patch", lambda foreign: imd.value({}).merge(foreign)),
    ("the patch", lambda foreign: imd.value({}).patch(foreign)),
    ("the other value", lambda foreign: imd.value({}).diff(foreign)),
    ("the state", lambda foreign: imd.Store(lambda state, action: state, state=foreign)),
    (
        "the state at /x",
        lambda foreign: imd.Store(lambda state, action: state, state={"x": foreign}),
    ),
    ("the options at /state", lambda foreign: imd.open("counter", state=foreign)),
    ("the action", lambda foreign: store().dispatch(foreign)),
    ("the action at /payload", lambda foreign: store().dispatch("x", payload=foreign)),
    ("the action at /meta/x", lambda foreign: store().dispatch("x", meta={"x": foreign})),
    ("the batch at /1", lambda foreign: store().dispatch_batch(["x", foreign])),
    ("the action at /payload", optimistic),
    ("the arguments at /x", select),
    ("the arguments at /x/0", observe),
    ("what the reducer returned", lambda foreign: dispatch(lambda state, action: foreign)),
    (
        "what the reducer returned at /x",
        lambda foreign: dispatch(lambda state, action: {"x": foreign}),
    ),
    ("the data", drafted(lambda draft, foreign: draft.update(x=foreign))),
    ("the data", drafted(lambda draft, foreign: draft["list"].append(foreign))),
    ("the data", drafted(lambda draft, foreign: draft["list"].insert(0, foreign))),
    ("the data", drafted(lambda draft, foreign: draft["list"].__setitem__(slice(0, 0), [foreign]))),
    ("the data at /y", drafted(lambda draft, foreign: draft.update(x={"y": foreign}))),
    ("the patch at /0/x", lambda foreign: imd.apply_patch([], [{"op": "sad", "x": foreign}])),
    ("the data", lambda foreign: imd.drafting(lambda draft, action: None)(foreign, {})),
    ("the data", lambda foreign: SLICE(foreign, {"type": "s/clear"})),
    ("the data", lambda foreign: imd.combine()(foreign, {})),
    ("the data", lambda foreign: imd.entities().remove_all(foreign)),
]


@pytest.mark.parametrize(("place", "use"), PLACES)
def test_a_value_is_refused(other, foreign, place, use):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        use(foreign)
    assert str(caught.value) == (
        f'{place} cannot be used with the library "{_ffi.LIBRARY._name}": the data belongs to '
        f'"{other.path}"; use one library for both, or convert the data with the to_python '
        "of its own library"
    )


@pytest.mark.parametrize(
    "use", [imd.value, drafted(lambda draft, foreign: draft.update(x=foreign))]
)
def test_a_draft_is_refused(other, use):
    @other.drafting
    def reduce(draft, action):
        use(draft["a"])

    with pytest.raises(imd.InvalidArgumentError, match="^the data cannot be used with "):
        reduce({"a": {}}, {})


def test_the_default_library_has_no_privilege(other):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        other.value([imd.value({})])
    assert str(caught.value).startswith(
        f'the data at /0 cannot be used with the library "{other.path}": the data belongs to '
        f'"{_ffi.LIBRARY._name}"; '
    )


@pytest.mark.parametrize("reducer", [imd.drafting(lambda draft, action: draft.clear()), SLICE])
def test_a_reducer_of_another_library_changes_nothing(other, reducer):
    with other.Store(reducer, state={"a": 1}) as store:
        with pytest.raises(imd.InvalidArgumentError, match="^the data cannot be used with "):
            store.dispatch("s/clear")
        assert store.state == {"a": 1}


def test_a_combined_reducer_of_another_library(other):
    with pytest.raises(imd.InvalidArgumentError, match="^the state cannot be used with "):
        other.Store(imd.combine(s=SLICE))


# ---- What is not refused -------------------------------------------------------------------------


def test_values_of_two_libraries_are_compared_by_content(other):
    for data in ({"a": [1, {"b": None}]}, [1.0, True], {}, []):
        assert imd.value(data) == other.value(data)
        assert other.value(data) == imd.value(data)
    assert imd.value([1]) != other.value([True])
    assert imd.value({"a": 1}) != other.value({"a": 2})


def test_the_texts_of_two_libraries_are_compared(other, monkeypatch):
    def refuse(*handles):
        raise AssertionError("the handle of another library was used")

    monkeypatch.setattr(_ffi, "imd_value_equal", refuse)
    value = imd.value({"a": [1, {"b": None}]})
    assert value.has_same_json(other.value({"a": [1, {"b": None}]}))
    assert not value.has_same_json(other.value({"a": [1.0, {"b": None}]}))


def test_they_are_never_the_same_instance(other):
    assert not imd.value({}).is_identical(other.value({}))
    assert not other.value([]).is_identical(imd.value([]))


def test_each_library_has_its_own_classes(other, foreign):
    assert isinstance(foreign, other.Value)
    assert isinstance(foreign, other.ObjectValue)
    assert not isinstance(foreign, imd.Value)
    assert not isinstance(imd.value([]), other.Value)


def test_a_value_can_be_read_and_copied(foreign):
    assert dict(foreign) == {"a": {"b": 1}}
    assert imd.value(foreign.to_python()) == imd.from_json(foreign.to_json()) == foreign
    assert imd.value({}).set("/x", foreign.at("/a/b")) == {"x": 1}
    assert imd.value([]).extend(foreign["a"]) == ["b"]
