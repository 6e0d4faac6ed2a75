"""Random changes of drafts, compared with the same changes of plain data."""

import copy

from hypothesis import given
from hypothesis import strategies as st
from json_data import json_values, keys, large_containers, same_json

import immutabledata as imd

# The part of the state that a step changes: each number picks a member or element.
place = st.lists(st.integers(0, 5), max_size=3)


steps = st.tuples(st.integers(0, 11), place, keys, st.integers(-3, 5), json_values)


def follow(root, picks):
    """The innermost dict or list that the numbers lead to."""
    found = root
    for pick in picks:
        names = sorted(found) if hasattr(found, "keys") else range(len(found))
        if not names:
            break
        part = found[names[pick % len(names)]]
        if isinstance(part, (str, int, float)) or part is None:
            break
        found = part
    return found


def take(root, operation, picks, key, number, data):
    target = follow(root, picks)
    if hasattr(target, "keys"):
        names = sorted(target)
        known = names[number % len(names)] if names else key
        if operation < 4:
            target[known if operation % 2 else key] = copy.deepcopy(data)
        elif operation < 6:
            target.pop(known, None)
        elif operation == 6:
            target.setdefault(key, copy.deepcopy(data))
        elif operation == 7:
            target.update({key: 1, known: copy.deepcopy(data)})
        elif operation == 8:
            target.clear()
        elif operation == 9:
            assert root != 0  # Reads the content of the draft.
        else:
            assert (key in target) is (key in names)
    elif operation < 3:
        target.insert(number, copy.deepcopy(data))
    elif operation == 3:
        target.append(copy.deepcopy(data))
    elif operation == 4:
        del target[number:]
    elif operation == 5:
        del target[:number:2]
    elif operation == 6:
        target[number : number + 2] = [copy.deepcopy(data), key]
    elif operation == 7:
        target.reverse()
    elif operation == 8 and len(target):
        target.append(target.pop(number % len(target)))
    elif operation == 9 and len(target):
        target[number % len(target)] = copy.deepcopy(data)
    elif operation == 10:
        target[:] = [part for part in target if part is not None]
    else:
        target.extend([key, copy.deepcopy(data)])


@given(
    state=large_containers,
    programs=st.lists(st.lists(steps, max_size=5), max_size=4),
)
def test_random_programs(state, programs):
    @imd.drafting
    def reduce(draft, program):
        for step in program:
            take(draft, *step)

    versions = [(imd.value(state), copy.deepcopy(state))]
    for program in programs:
        before, expected = versions[-1][0], copy.deepcopy(versions[-1][1])
        for step in program:
            take(expected, *step)
        after = reduce(before, program)
        assert (after is before) is same_json(expected, versions[-1][1])
        versions.append((after, expected))
    for value, expected in versions:
        assert same_json(value.to_python(), expected)
