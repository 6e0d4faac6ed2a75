"""Applies the same changes to drafts and to plain data."""

import copy

from json_data import plain, same_json

import immutabledata as imd

STATE = {
    "a": {"x": 1, "y": {"z": [1, 2]}},
    "b": [{"n": 1}, {"n": 2}, 3],
    "c": "text",
    "ids": [5, 3, 4],
}


def reducer(change):
    @imd.drafting
    def reduce(draft, action):
        change(draft)

    return reduce


def run(change, state=STATE):
    """Applies a change to a draft and to plain data; returns the Values before and after."""
    before = imd.value(state)
    after = reducer(change)(before, None)
    expected = copy.deepcopy(state)
    change(expected)
    assert same_json(plain(after), expected)
    assert before == state
    return before, after


def put(container, key, data):
    container[key] = data


def delete(container, key):
    del container[key]
