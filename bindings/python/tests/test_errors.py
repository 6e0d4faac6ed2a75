"""Errors: their classes and messages, and the names of the package."""

import builtins
import dataclasses
import datetime
import enum
import pickle
import uuid
from collections import UserDict, UserString
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from unittest.mock import Mock

import pytest

import immutabledata as imd
from immutabledata import errors
from immutabledata._values import json_text

INCREMENT = "didTapIncrementButton"

DEEP = []
for _ in range(100_000):
    DEEP = [DEEP]

CIRCULAR = {}
CIRCULAR["again"] = [CIRCULAR]


def refuses(call, kind, *parts):
    """Checks the exact class of an error, and parts of its message."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    for part in parts:
        assert part in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("domain", "options", "kind", "parts"),
    [
        ("county", {}, imd.UnknownDomainError, ["county", "counter"]),
        ("", {}, imd.UnknownDomainError, ["counter"]),
        ("é", {}, imd.UnknownDomainError, ["é"]),
        ("counter\0", {}, imd.InvalidArgumentError, ["name of a domain", "U+0000", r"counter\x00"]),
        ("\ud800", {}, imd.InvalidArgumentError, ["name of a domain", "UTF-8", r"\ud800"]),
        (b"counter", {}, TypeError, ["name of a domain must be a str, not bytes"]),
        (None, {}, TypeError, ["name of a domain must be a str, not None"]),
        ("counter", {"stat": {"value": 1}}, imd.InvalidArgumentError, ["stat"]),
        ("counter", {"state": None}, imd.InvalidArgumentError, ["state"]),
        ("counter", {"state": []}, imd.InvalidArgumentError, ["state"]),
        ("counter", {"state": {}}, imd.InvalidArgumentError, ["value"]),
        ("counter", {"state": {"value": "1"}}, imd.InvalidArgumentError, ["value"]),
        ("counter", {"state": {"value": 0.5}}, imd.InvalidArgumentError, ["value"]),
        ("counter", {"state": {"value": True}}, imd.InvalidArgumentError, ["value"]),
        ("counter", {"state": {"value": 1, "valve": 1}}, imd.InvalidArgumentError, ["valve"]),
        ("counter", {"state": {"value": {1}}}, imd.InvalidArgumentError, ["/state/value", "set"]),
        ("counter", {"state": {"value": 2**63}}, imd.LimitError, ["the options at /state/value"]),
        (
            "counter",
            {"state": {"value": -(2**63) - 1}},
            imd.LimitError,
            ["/state/value", "65 bits"],
        ),
    ],
)
def test_open_refuses(domain, options, kind, parts):
    refuses(lambda: imd.open(domain, **options), kind, *parts)


@pytest.mark.usefixtures("still_works")
@pytest.mark.parametrize(
    ("action", "members", "kind", "parts"),
    [
        # Not an action of the domain.
        ({}, {}, imd.InvalidActionError, ["type"]),
        ({"payload": {}}, {}, imd.InvalidActionError, ["type"]),
        ({"type": 1}, {}, imd.InvalidActionError, ["type"]),
        ({"type": None}, {}, imd.InvalidActionError, ["type"]),
        ("", {}, imd.InvalidActionError, []),
        ("didTapIncrementBotton", {}, imd.InvalidActionError, ["didTapIncrementBotton", INCREMENT]),
        ('{"type":"didTapIncrementButton"}', {}, imd.InvalidActionError, []),
        (INCREMENT + "\0", {}, imd.InvalidActionError, []),
        (INCREMENT, {"payload": {}}, imd.InvalidActionError, ["payload"]),
        (INCREMENT, {"payload": None}, imd.InvalidActionError, ["payload"]),
        ({"type": INCREMENT, "payload": {"by": 1}}, {}, imd.InvalidActionError, ["payload"]),
        ({"type": INCREMENT, "by": 1}, {}, imd.InvalidActionError, ["by"]),
        # Out of range.
        (INCREMENT, {"meta": {"n": 2**63}}, imd.LimitError, ["the action at /meta/n", "65 bits"]),
        (INCREMENT, {"meta": {"n": -(2**63) - 1}}, imd.LimitError, ["/meta/n", "65 bits"]),
        (INCREMENT, {"meta": {"n": 10**5000}}, imd.LimitError, ["/meta/n", "16,611 bits"]),
        (
            INCREMENT,
            {"meta": {"n": DEEP}},
            imd.LimitError,
            ["the nesting of the action is too deep"],
        ),
        # Not JSON.
        (INCREMENT, {"meta": {"\0": 1}}, imd.InvalidJSONError, ["the action at /meta", r'"\x00"']),
        (INCREMENT, {"meta": {1, 2}}, imd.InvalidArgumentError, ["the action at /meta", "no set"]),
        (
            INCREMENT,
            {"meta": {"a/b": [0, b"x"]}},
            imd.InvalidArgumentError,
            ["/a~1b/1", "no bytes"],
        ),
        (INCREMENT, {"meta": [UserDict(a=object())]}, imd.InvalidArgumentError, ["/0/a", "object"]),
        (INCREMENT, {"meta": {"n": float("nan")}}, imd.InvalidArgumentError, ["no NaN"]),
        (INCREMENT, {"meta": {"n": -float("inf")}}, imd.InvalidArgumentError, ["no infinity"]),
        (
            INCREMENT,
            {"meta": {(1, 2): 3}},
            imd.InvalidArgumentError,
            ["the action at /meta", "tuple"],
        ),
        (INCREMENT, {"meta": ["é", "\ud800"]}, imd.InvalidArgumentError, ["/meta/1", r"\ud800"]),
        (INCREMENT, {"meta": {"\udfff": 1}}, imd.InvalidArgumentError, ["/meta", r"\udfff"]),
        (INCREMENT, {"meta": CIRCULAR}, imd.InvalidArgumentError, ["/meta/again/0", "Circular"]),
        ("\ud800", {}, imd.InvalidArgumentError, ["the action at /type", "surrogates not allowed"]),
        # The wrong Python type.
        (b"didTapIncrementButton", {}, TypeError, ["an action must be a str (its type) or"]),
        ((INCREMENT,), {}, TypeError, ["not tuple; dispatch_batch takes several actions"]),
        (
            [INCREMENT],
            {},
            TypeError,
            [
                "an action must be a str (its type) or a Mapping, not list; dispatch_batch takes "
                "several actions"
            ],
        ),
        (None, {}, TypeError, ["not None"]),
        ({"type": INCREMENT}, {"payload": {}}, TypeError, ["inside it"]),
        ({"type": INCREMENT}, {"meta": {}}, TypeError, ["inside it"]),
    ],
)
def test_dispatch_refuses(store, action, members, kind, parts):
    refuses(lambda: store.dispatch(action, **members), kind, *parts)


@pytest.mark.usefixtures("still_works")
@pytest.mark.parametrize(
    ("actions", "kind", "parts"),
    [
        (
            [INCREMENT, INCREMENT, "didTapIncrementBotton"],
            imd.InvalidActionError,
            ["action 3 of 3", INCREMENT],
        ),
        (
            [INCREMENT, {"type": INCREMENT, "by": 1}, INCREMENT],
            imd.InvalidActionError,
            ["action 2 of 3", "by"],
        ),
        ([{}], imd.InvalidActionError, ["action 1 of 1", "type"]),
        ([INCREMENT, {"type": {1}}], imd.InvalidArgumentError, ["the batch at /1/type", "no set"]),
        ([{"type": INCREMENT, "meta": 2**63}], imd.LimitError, ["the batch at /0/meta"]),
        ([INCREMENT, {"type": INCREMENT, "\0": 1}], imd.InvalidJSONError, ["the batch at /1 "]),
        ([INCREMENT, 1], TypeError, ["an action must be a str (its type) or a Mapping, not int"]),
        (INCREMENT, TypeError, ["send one with dispatch"]),
        ({"type": INCREMENT}, TypeError, ["send one with dispatch"]),
        (1, TypeError, ["not iterable"]),
    ],
)
def test_dispatch_batch_refuses(store, actions, kind, parts):
    refuses(lambda: store.dispatch_batch(actions), kind, *parts)


@pytest.mark.usefixtures("still_works")
@pytest.mark.parametrize("read", [imd.Store.select, imd.Store.select_json])
@pytest.mark.parametrize(
    ("selector", "arguments", "kind", "parts"),
    [
        ("selectValu", {}, imd.UnknownSelectorError, ["selectValu", "selectValue"]),
        ("", {}, imd.UnknownSelectorError, ["selectValue"]),
        ("selectValue\0", {}, imd.InvalidArgumentError, ["name of a selector", "U+0000"]),
        ("\udcff", {}, imd.InvalidArgumentError, ["name of a selector", "UTF-8"]),
        (1, {}, TypeError, ["name of a selector must be a str, not int"]),
        ("selectValue", {"id": 1}, imd.InvalidArgumentError, ["id"]),
        ("selectValue", {"id": 2**63}, imd.LimitError, ["the arguments at /id"]),
        ("selectValue", {"id": {1}}, imd.InvalidArgumentError, ["the arguments at /id", "no set"]),
    ],
)
def test_select_refuses(store, read, selector, arguments, kind, parts):
    refuses(lambda: read(store, selector, **arguments), kind, *parts)


@pytest.mark.parametrize(
    ("value", "refused", "accepted"),
    [
        (2**63 - 1, INCREMENT, "didTapDecrementButton"),
        (-(2**63), "didTapDecrementButton", INCREMENT),
    ],
)
def test_the_reducer_refuses(value, refused, accepted):
    with imd.open("counter", state={"value": value}) as store:
        refuses(lambda: store.dispatch(refused), imd.ReducerFailedError)
        refuses(
            lambda: store.dispatch_batch([accepted, refused, refused]),
            imd.ReducerFailedError,
            "action 3 of 3",
        )
        assert store.select("selectValue") == value
        store.dispatch(accepted)
        assert abs(store.select("selectValue")) == abs(value) - 1


KEY = ' cannot be written as JSON: the key "a\\x00" contains U+0000'
LARGE = " cannot be written as JSON: the integer needs 71 bits, and integers have 64"
AT = "the data at /deep/1/a~1b"


@pytest.mark.parametrize(
    ("part", "reason", "kind"),
    [
        ({"a\0": 1}, KEY, imd.InvalidJSONError),
        (2**70 - 1, LARGE, imd.LimitError),
        (
            datetime.date(2026, 1, 1),
            " cannot be written as JSON: JSON has no date; use isoformat()",
            imd.InvalidArgumentError,
        ),
        (float("nan"), " cannot be written as JSON: JSON has no NaN", imd.InvalidArgumentError),
    ],
)
def test_the_place_of_data_that_cannot_be_json(part, reason, kind):
    value = imd.value({})
    data = {"deep": ["\0", {"a/b": part}], "later": [2**64, {"\0": 1}]}

    def returns_it(state, action):
        return data

    for call, place in (
        (lambda: imd.value(data), AT),
        (lambda: imd.value({"deep": [value, {"a/b": part}]}), AT),
        (lambda: value.set("/x", data), AT),
        (lambda: value.update(x=data), AT),
        (lambda: value.merge(data), AT.replace("data", "patch")),
        (lambda: imd.Store(returns_it, state=data), AT.replace("data", "state")),
    ):
        error = refuses(call, kind)
        assert str(error) == place + reason
        assert error.__cause__ is None
        assert error.__suppress_context__
    with imd.Store(returns_it, state={}, optimistic=True) as store:
        for action, place in (
            ({"type": "go"}, AT.replace("the data", "what the reducer returned")),
            ({"type": "go", "payload": data}, AT.replace("the data at ", "the action at /payload")),
            ({"type": "go", "meta": data}, AT.replace("the data at ", "the action at /meta")),
        ):
            error = refuses(lambda action=action: store.dispatch(action), kind)
            assert str(error) == place + reason


class Diet(enum.Enum):
    CARNIVORE = "Carnivore"


class Holiday(datetime.date, enum.Enum):
    NEW_YEAR = 2026, 1, 1


@dataclasses.dataclass
class Animal:
    name: str


class Model:
    """As Pydantic's: its elements are pairs of a name and a value."""

    def __iter__(self):
        return iter([("name", "Cat")])

    def model_dump(self, mode):
        return dict(self)


class Awaitable:
    def __await__(self):
        yield


@pytest.mark.parametrize(
    ("part", "reason"),
    [
        ({1, 2}, "set; use a sorted list"),
        (frozenset(), "frozenset; use a sorted list"),
        ({"a": 1}.keys(), "dict_keys; use list()"),
        ({"a": 1}.values(), "dict_values; use list()"),
        (iter([]), "list_iterator; use list()"),
        (Decimal("1.5"), "Decimal; use str() or float()"),
        (Fraction(1, 2), "Fraction; use str() or float()"),
        (Animal("Cat"), "Animal; use dataclasses.asdict()"),
        (Animal, "type"),
        (Diet.CARNIVORE, "Diet; use .value"),
        (Holiday.NEW_YEAR, "Holiday; use .value"),
        (Diet, type(Diet).__name__),
        (b"a", "bytes; use decode() for text, or base64"),
        (bytearray(b"a"), "bytearray; use decode() for text, or base64"),
        (memoryview(b"a"), "memoryview; use tolist()"),
        (datetime.datetime(2026, 1, 1), "datetime; use isoformat()"),
        (datetime.time(12), "time; use isoformat()"),
        (datetime.timedelta(1), "timedelta; use total_seconds()"),
        (PurePosixPath("a"), "PurePosixPath; use os.fspath()"),
        (uuid.UUID(int=1), "UUID; use str()"),
        (UserString("a"), "UserString; use str()"),
        (Awaitable(), "Awaitable; await it"),
        (Model(), "Model; use model_dump(mode='json')"),
        (Mock(), "Mock"),
        (1j, "complex"),
    ],
)
def test_what_to_write_instead(part, reason):
    error = refuses(lambda: imd.value([part]), imd.InvalidArgumentError)
    assert str(error) == f"the data at /0 cannot be written as JSON: JSON has no {reason}"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the text is empty"),
        (b"", "the text is empty"),
        (" ", "the text contains only white space"),
    ],
)
def test_empty_json(text, reason):
    with pytest.raises(imd.InvalidJSONError) as caught:
        imd.from_json(text)
    assert str(caught.value) == (
        f'the value is not JSON: {reason}; write JSON text such as {{"name":"value"}} '
        "(line 1, column 1)"
    )


def test_output_too_deep_for_python():
    refuses(lambda: json_text.decode("[" * 100_000, "select_json"), imd.LimitError, "select_json")


# ---- The classes ---------------------------------------------------------------------------------

BUILTINS = {
    "InvalidArgumentError": ValueError,
    "InvalidJSONError": ValueError,
    "InvalidActionError": ValueError,
    "UnknownDomainError": LookupError,
    "UnknownSelectorError": LookupError,
    "InvalidSelectorError": ValueError,
    "ReducerFailedError": RuntimeError,
    "ReentrantError": RuntimeError,
    "LimitError": OverflowError,
    "TimedOutError": TimeoutError,
    "StorageError": OSError,
    "CorruptError": ValueError,
    "ClosedError": RuntimeError,
    "NotFoundError": LookupError,
    "UnavailableError": ConnectionError,
    "RefusedError": PermissionError,
    "DivergedError": ValueError,
    "OutdatedError": RuntimeError,
}


@pytest.mark.parametrize("kind", errors.BY_STATUS.values(), ids=lambda kind: kind.__name__)
def test_class(kind):
    assert kind.__mro__[1:3] == (imd.Error, BUILTINS[kind.__name__])
    made = errors.from_status(kind.status, "no good", 1, 2, 3)
    for error in (made, pickle.loads(pickle.dumps(made))):
        assert type(error) is kind
        assert error.message == "no good"
        place = " (line 1, column 2)" if kind is imd.InvalidJSONError else ""
        assert str(error) == "no good" + place
        assert (error.status, error.name) == (kind.status, kind.name)
        assert (error.line, error.column, error.offset) == (1, 2, 3)


def test_every_class_has_a_status():
    assert set(errors.BY_STATUS.values()) == set(imd.Error.__subclasses__())


def test_a_status_newer_than_the_package():
    error = errors.from_status(999, "new")
    assert type(error) is imd.Error
    assert (error.status, error.name, str(error)) == (999, "IMD_UNKNOWN_STATUS", "new")


# ---- The names of the package --------------------------------------------------------------------


def test_all_is_frozen():
    assert sorted(imd.__all__) == [
        "Action",
        "ActionCreator",
        "ArrayValue",
        "ClosedError",
        "Commit",
        "CorruptError",
        "DivergedError",
        "Error",
        "History",
        "HistoryChange",
        "HistoryOptions",
        "HistoryStep",
        "InspectOptions",
        "InvalidActionError",
        "InvalidArgumentError",
        "InvalidJSONError",
        "InvalidSelectorError",
        "JSON",
        "Library",
        "LikelyMistakeWarning",
        "LimitError",
        "Listener",
        "LogEntry",
        "LogOptions",
        "LogSnapshot",
        "Migration",
        "NotFoundError",
        "ObjectValue",
        "Observation",
        "ObserveOptions",
        "OutdatedError",
        "Outputs",
        "Patch",
        "Preview",
        "Reducer",
        "ReducerFailedError",
        "ReentrantError",
        "RefusedError",
        "Request",
        "Slice",
        "StorageError",
        "Store",
        "Stream",
        "StrictOptions",
        "TimedOutError",
        "TraceOptions",
        "UnavailableError",
        "UnknownDomainError",
        "UnknownSelectorError",
        "Value",
        "apply_patch",
        "cancelled",
        "combine",
        "domains",
        "drafting",
        "entities",
        "fetch",
        "from_json",
        "limits",
        "load",
        "log",
        "register_log",
        "to_python",
        "value",
        "version",
    ]
    assert all(hasattr(imd, name) for name in imd.__all__)


def test_a_star_import_replaces_no_builtin():
    assert not set(imd.__all__) & set(dir(builtins))
