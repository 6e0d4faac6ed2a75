"""Bugs that are planted into a small program, each found by a test of at most five lines."""

import inspect

import pytest
from notes import STATE, make_reducer, make_rule

import immutabledata as imd
from immutabledata.testing import TestStore


def clear(store):
    store.send("typed", "a", changes={"/text": "a"})
    store.send("cleared", changes={"/text": ""})
    store.advance(500)
    store.request("save", {"text": ""}).succeed({"version": 1, "text": ""})
    store.receive("saved", changes={"/version": 1})


def search(store):
    store.send("searched", "a", changes={"/query": "a"})
    store.request("search").succeed(["a1"])
    store.receive("found", ["a1"], changes={"/results": ["a1"]})


def save(store):
    store.send("typed", "a", changes={"/text": "a"})
    store.advance(500)
    store.request("save", {"text": "a"}).succeed({"version": 1, "text": "a"})
    store.receive("saved", changes={"/version": 1})


def type_while_saving(store):
    store.send("typed", "a", changes={"/text": "a"})
    store.advance(500)
    store.request("save").succeed({"version": 1, "text": ""})
    store.receive("saved", changes={"/version": 1})


def search_and_stop(store):
    store.send("searched", "a", changes={"/query": "a"})
    store.send("searched", "", changes={"/query": ""})
    assert not store.state["results"]


def search_twice(store):
    store.send("searched", "a", changes={"/query": "a"})
    store.send("searched", "ab", changes={"/query": "ab"})
    store.request("search", {"query": "ab"}).succeed(["ab1"])
    store.receive("found", changes={"/results": ["ab1"]})


def stop_searching_while_typing(store):
    store.send("typed", "a", changes={"/text": "a"})
    store.send("searched", "")
    store.advance(500)
    store.request("save").succeed({"version": 1, "text": "a"})
    store.receive("saved", changes={"/version": 1})


def fail_twice(store):
    store.send("typed", "a", changes={"/text": "a"})
    for wait in (500, 1000):
        store.advance(wait)
        store.request("save").fail("disk full")
    store.receive("failed", {"reason": "disk full"}, changes={"/error": "disk full"})


def search_again(store):
    for query in ("a", "ab"):
        store.send("searched", query, changes={"/query": query})
        store.request("search").succeed([query])
        store.receive("found", changes={"/results": [query]})


def forget_an_error(store):
    store.send("searched", "a", changes={"/query": "a"})
    store.request("search").fail("offline")
    store.receive("failed", changes={"/error": "offline"})
    store.send("searched", "", changes={"/query": "", "/error": None})


BUGS = {
    "a missing case": clear,
    "a wrong path": search,
    "an effect twice": save,
    "an outcome after a cancel": search_and_stop,
    "a wrong key": stop_searching_while_typing,
    "a forgotten failure": fail_twice,
    "a lost update": type_while_saving,
    "a wrong delay": save,
    "a missing effect": clear,
    "no second attempt": fail_twice,
    "old arguments": save,
    "a wrong mode": search_twice,
    "an error that stays": forget_an_error,
    "a change too many": search_again,
}


def run(test, bug=None):
    with TestStore(make_reducer(bug), STATE, rule=make_rule(bug)) as store:
        test(store)


@pytest.mark.parametrize("test", dict.fromkeys(BUGS.values()), ids=lambda test: test.__name__)
def test_a_program_without_bugs_passes(test):
    run(test)


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_is_found(bug):
    test = BUGS[bug]
    assert len(inspect.getsource(test).strip().splitlines()) <= 6
    with pytest.raises((AssertionError, imd.Error)):
        run(test, bug)
