"""Random changes of values, compared with the same changes of a dict or list."""

import copy
import json

from hypothesis import given
from hypothesis import strategies as st
from json_data import (
    canonical,
    equal_json,
    json_values,
    keys,
    large_containers,
    ordered,
    same_json,
)

import immutabledata as imd

operations = st.sampled_from(
    ["set", "set", "insert", "remove", "remove", "append", "extend", "update", "slice", "deeper"]
)
steps = st.tuples(
    operations, st.lists(st.integers(0, 400), max_size=3), keys, st.integers(-3, 400), json_values
)


def follow(data, picks):
    """The path to a container in data: each number picks a member or an element."""
    path = []
    for pick in picks:
        names = list(data) if isinstance(data, dict) else range(len(data))
        if not names or not isinstance(data[names[pick % len(names)]], (dict, list)):
            break
        path.append(names[pick % len(names)])
        data = data[path[-1]]
    return path, data


def change(value, data, step):
    """Applies a step to a value, and to plain data in place; returns both."""
    operation, picks, key, number, part = copy.deepcopy(step)
    path, target = follow(data, picks)
    names = ordered(target) if isinstance(target, dict) else range(len(target))
    known = list(names)[number % len(names)] if len(names) else None
    if operation == "slice" and isinstance(target, list):
        return cut(value, data, path, number)
    if operation == "deeper":
        part = {key: [part]}
    if operation == "remove":
        if known is None:
            return value, data
        del target[known]
        return value.remove((*path, known)), data
    if isinstance(target, dict):
        if operation == "update" and not path:
            target.update({key: part, "k1": 1})
            return value.update({key: part, "k1": 1}), data
        key = known if operation == "set" and known is not None and number % 2 else key
        target[key] = part
        return value.set((*path, key), part), data
    if operation == "append":
        target.append(part)
        return value.insert((*path, "-"), part), data
    if operation == "extend" and not path:
        target.extend(copy.deepcopy(part) for _ in range(number % 40))
        return value.extend([part] * (number % 40)), data
    if operation in ("set", "deeper") and known is not None:
        target[known] = part
        return value.set((*path, known), part), data
    index = max(0, number) % (len(target) + 1)
    target.insert(index, part)
    return value.insert((*path, index), part), data


def cut(value, data, path, number):
    """Replaces an array with a slice of it."""
    part = slice(number % 7 or None, -(number % 5) or None, [1, 2, -1, -3][number % 4])
    target, array = data, value
    for step in path:
        target, array = target[step], array[step]
    target[:], piece = target[part], array[part]
    return (value.set(path, piece) if path else piece), data


def check(value, data):
    """Checks that a value reads, writes and compares like plain data."""
    text = value.to_json()
    assert text == canonical(data)
    assert same_json(json.loads(text), data)
    assert imd.from_json(text).has_same_json(value)
    assert value == data
    assert len(value) == len(data)
    if isinstance(data, dict):
        assert list(value) == list(ordered(data))
        assert all((key in value) and value[key] == data[key] for key in data)
        assert [key for key, _ in value.items()] == list(ordered(data))
        assert list(value.values()) == list(ordered(data).values())
        assert value.get("no such key") is None
    else:
        assert list(value) == data
        assert list(reversed(value)) == data[::-1]
        assert all(value[index] == data[index] for index in range(-len(data), len(data)))


@given(large_containers, st.lists(steps, max_size=12))
def test_random_changes(data, changes):
    value = imd.value(data)
    data = copy.deepcopy(data)
    versions = [(value, copy.deepcopy(data))]
    for step in changes:
        value, data = change(value, data, step)
        versions.append((value, copy.deepcopy(data)))
    for value, data in versions:
        check(value, data)
    for (before, old), (after, new) in zip(versions, versions[1:]):
        assert (before == after) is equal_json(old, new)
        assert before.has_same_json(after) is same_json(old, new)
        assert before.patch(before.diff(after)).has_same_json(after)
