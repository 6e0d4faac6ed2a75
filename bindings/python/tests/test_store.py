"""Stores of a domain: opening, dispatching, selecting and closing."""

import copy
import gc
import re
from collections import UserDict, deque
from types import MappingProxyType

import pytest

import immutabledata as imd
from immutabledata import _ffi

INCREMENT = "didTapIncrementButton"
DECREMENT = "didTapDecrementButton"


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, 0),
        ({"state": {"value": 40}}, 40),
        ({"state": {"value": -1}}, -1),
        ({"state": MappingProxyType({"value": 40})}, 40),
        ({"state": {"value": 2**63 - 1}}, 2**63 - 1),
        ({"state": {"value": -(2**63)}}, -(2**63)),
    ],
)
def test_open(options, value):
    with imd.open("counter", **options) as store:
        assert store.select("selectValue") == value


def test_open_returns_a_store():
    with imd.open("counter") as store:
        assert type(store) is imd.Store


@pytest.mark.parametrize(
    ("action", "members"),
    [
        (INCREMENT, {}),
        (INCREMENT, {"meta": {"source": "keyboard"}}),
        (INCREMENT, {"meta": {"deep": [[[None, True, 0.5, "é\0𝄞"]]], "": ("a", deque("b"))}}),
        ({"type": INCREMENT}, {}),
        ({"type": INCREMENT, "meta": {"at": 2**63 - 1}}, {}),
        (MappingProxyType({"type": INCREMENT}), {}),
        (UserDict(type=INCREMENT, meta=UserDict()), {}),
    ],
)
def test_dispatch(store, action, members):
    before = copy.deepcopy((dict(action) if not isinstance(action, str) else action, members))
    assert store.dispatch(action, **members) is None
    assert store.select("selectValue") == 41
    after = (dict(action) if not isinstance(action, str) else action, members)
    assert before == after


@pytest.mark.parametrize(
    ("actions", "value"),
    [
        ([], 40),
        ([INCREMENT], 41),
        ([INCREMENT, {"type": INCREMENT, "meta": {"n": 1}}, INCREMENT, DECREMENT], 42),
        ((INCREMENT for _ in range(1000)), 1040),
    ],
)
def test_dispatch_batch(store, actions, value):
    assert store.dispatch_batch(actions) is None
    assert store.select("selectValue") == value


def test_select(store):
    assert store.select("selectValue") == 40
    assert type(store.select("selectValue")) is int
    assert store.select_json("selectValue") == "40"


def test_a_misspelled_attribute_is_rejected(store):
    with pytest.raises(AttributeError):
        store.on_eror = print


def test_stores_are_independent(store):
    with imd.open("counter") as other:
        other.dispatch(INCREMENT)
        assert (store.select("selectValue"), other.select("selectValue")) == (40, 1)


def test_domains_describes_the_counter():
    (counter,) = (domain for domain in imd.domains() if domain["name"] == "counter")
    assert {action["type"] for action in counter["actions"]} == {INCREMENT, DECREMENT}
    assert [selector["name"] for selector in counter["selectors"]] == ["selectValue"]
    assert not any("payload" in action for action in counter["actions"])
    assert "state" in counter["options"]["properties"]


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", imd.version())
    assert imd.__version__ == imd.version()


# ---- Closing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        lambda store: store.dispatch(INCREMENT),
        lambda store: store.dispatch_batch([INCREMENT]),
        lambda store: store.dispatch_batch([]),
        lambda store: store.select("selectValue"),
        lambda store: store.select_json("selectValue"),
    ],
)
def test_closed(store, call):
    assert not store.closed
    assert repr(store) == "<immutabledata.Store 'counter' open>"
    store.close()
    store.close()
    assert store.closed
    assert repr(store) == "<immutabledata.Store 'counter' closed>"
    with pytest.raises(imd.ClosedError) as caught:
        call(store)
    assert type(caught.value) is imd.ClosedError
    assert str(caught.value) == (
        "the store 'counter' was closed; open another with immutabledata.open"
    )


def test_with_closes():
    with imd.open("counter") as store:
        pass
    assert store.closed


def test_with_closes_after_an_exception():
    with pytest.raises(KeyError), imd.open("counter") as store:
        raise KeyError
    assert store.closed


def test_a_deleted_store_is_closed():
    store = imd.open("counter")
    finalizer, handle = store._close, store._handle
    assert finalizer.alive
    del store
    gc.collect()
    assert not finalizer.alive
    with pytest.raises(imd.ClosedError):
        _ffi.imd_store_dispatch_batch(handle, b"[]", 2, _ffi.imd_error())
