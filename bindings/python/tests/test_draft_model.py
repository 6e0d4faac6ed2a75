"""Random changes of drafts, compared with the same changes of plain data."""

import copy
import json

from hypothesis import given
from hypothesis import strategies as st
from json_data import json_values, keys, large_containers, same_json

import immutabledata as imd

# The part of the state that a step changes: each number picks a member or element.
place = st.lists(st.integers(0, 5), max_size=3)

# Whether a step begins at the root or at a part that a step before has changed.
beginning = st.one_of(st.none(), st.integers(0, 9))


steps = st.tuples(beginning, st.integers(0, 23), place, keys, st.integers(-3, 5), json_values)


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


def take(root, held, start, operation, picks, key, number, data):
    target = follow(held[start % len(held)] if held and start is not None else root, picks)
    held.append(target)
    if operation == 23:
        assert root != 0  # Reads the content of the draft.
    elif operation == 22:
        assert target != 0
    elif hasattr(target, "keys"):
        change_object(target, operation % 11, key, number, data)
    else:
        change_array(target, operation, key, number, data)


def change_object(target, operation, key, number, data):
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
        target[key] = target[known] if names else 1
    else:
        assert (key in target) is (key in names)


def change_array(target, operation, key, number, data):
    if operation < 3:
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
    elif operation == 11:
        target.extend([key, copy.deepcopy(data)])
    elif operation == 12:
        target[number:number] = [copy.deepcopy(data), target[:], key]
    elif operation == 13:
        target[::-2] = [copy.deepcopy(data) for _ in target[::-2]]
    elif operation == 14:
        target[1:3] = target[2:0:-1]
    elif operation == 15:
        target.sort(key=lambda part: len(part) if hasattr(part, "__len__") else -1)
    elif operation == 16:
        target += target[number:]
    elif operation == 17 and len(target):
        target.insert(0, target[number % len(target)])
    elif operation == 18:
        del target[-1:number:-1]
    elif len(target):
        del target[number % len(target)]


@given(
    state=large_containers,
    programs=st.lists(st.lists(steps, max_size=12), max_size=4),
)
def test_random_programs(state, programs):
    @imd.drafting
    def reduce(draft, program):
        held = []
        for step in program:
            take(draft, held, *step)

    versions = [(imd.value(state), copy.deepcopy(state))]
    for program in programs:
        # As JSON, since a copy would have the same part twice where a program put it twice.
        before, expected = versions[-1][0], json.loads(json.dumps(versions[-1][1]))
        held = []
        for step in program:
            take(expected, held, *step)
        after = reduce(before, program)
        assert (after is before) is same_json(expected, versions[-1][1])
        versions.append((after, expected))
    for value, expected in versions:
        assert same_json(value.to_python(), expected)
