"""Random changes of a long array draft, whose elements are held and changed after they shifted."""

import copy
import os
import random

import pytest

import immutabledata as imd

EXAMPLES = int(os.environ.get("IMD_TEST_EXAMPLES", "0")) or 4
STEPS = 500


def steps(generator):
    weights = {insert: 6, remove: 6, hold: 6, change_held: 6, put_again: 1, reorder: 0.05}
    for function in generator.choices([*weights], [*weights.values()], k=STEPS):
        numbers = generator.randrange(1000), generator.randrange(1, 4), generator.randrange(5)
        yield function, *numbers


def insert(array, held, at, count, way):
    new = [{"new": at, "parts": [count]} for _ in range(count)]
    at %= len(array) + 1
    if way == 0:
        array[at:at] = new
    elif way == 1:
        array.extend(new)
    elif way == 2:
        array[at : at + 1] = new
    else:
        array.insert(at, new[0])
    held.append(new[0])


def remove(array, held, at, count, way):
    at %= len(array)
    if way == 0:
        del array[at : at + count]
    elif way == 1:
        del array[at : at + 7 * count : count + 1]
    elif way == 2:
        held.append(array.pop(at))
    elif way == 3:
        array.pop()
    else:
        del array[at]


def hold(array, held, at, count, way):
    held += array[at % len(array) :][:count] if way == 0 else [array[at % len(array)]]


def change_held(array, held, at, count, way):
    if held:
        part = held[at % len(held)]
        part["changed"] = at
        part["parts"].insert(0, {"n": way})
        part["parts"][-1] = count


def put_again(array, held, at, count, way):
    part = held[count] if len(held) > count else array[0]
    if way == 0:
        array[at % len(array)] = part
    elif way == 1:
        array[1 : 1 + count] = array[count:0:-1]
    elif way == 2:
        array[::-7] = array[::7]
    else:
        array.insert(at % len(array), part)


def reorder(array, held, at, count, way):
    if way:
        array.reverse()
    else:
        array.sort(key=lambda element: element.get("changed", at))


@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_held_elements_stay_at_their_places(seed):
    program = list(steps(random.Random(seed)))

    def follow(array):
        held = []
        for at, (change, *arguments) in enumerate(program):
            change(array, held, *arguments)
            if at % 100 == 50:
                assert array[at % len(array)] == expected_reads.setdefault(
                    at, copy.deepcopy(array[at % len(array)])
                )
                len(repr(array))

    expected_reads = {}
    state = [{"old": number, "parts": [number]} for number in range(300)]
    expected = copy.deepcopy(state)
    follow(expected)
    before = imd.value(state)
    after = imd.drafting(lambda draft, action: follow(draft))(before, None)
    assert after.to_python() == expected
    for element, content in zip(after, expected):
        if content in state[content.get("old", 0) :][:1]:
            assert element.is_identical(before[content["old"]])


def test_a_key_that_changes_the_array_fails_as_for_a_list():
    def sort(array):
        with pytest.raises(ValueError, match="list modified during sort"):
            array.sort(key=lambda element: array.append(99) or element)

    def change(draft, action):
        sort(draft)
        draft.sort(key=lambda element: -element)

    assert imd.drafting(change)(imd.value([1, 3, 2]), None) == [99, 99, 99, 3, 2, 1]


def test_a_reversed_loop_ends_where_the_array_has_shrunk():
    def shrink(array):
        seen = []
        for element in reversed(array):
            seen.append(element)
            del array[2:]
        return seen

    def change(draft, action):
        assert shrink(draft) == shrink([1, 2, 3, 4, 5, 6])

    assert imd.drafting(change)(imd.value([1, 2, 3, 4, 5, 6]), None) == [1, 2]
