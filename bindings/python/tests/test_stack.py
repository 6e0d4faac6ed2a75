"""The deepest permitted input of each function, on a thread with a small stack."""

import threading

import pytest

import immutabledata as imd

STACK = 256 * 1024
DEPTH = 2048
# An expression nests at most 110 levels deep. The innermost expression is one of them.
EXPRESSION_DEPTH = 109


def on_small_stack(run):
    """Runs a function on a thread with a small stack; raises its exception."""
    raised = []

    def work():
        try:
            run()
        except BaseException as error:
            raised.append(error)

    before = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    if raised:
        raise raised[0]


def nested(inside, depth=DEPTH, key="a"):
    """A value with the same nesting, made from the inside out."""
    around = imd.value({key: 0, "b": 1} if isinstance(key, str) else [0, 1])
    value = inside
    for _ in range(depth):
        value = around.set((key,), value)
    return value


KEYS = ["a", 0]


def text_reads_back():
    text = '{"a":' * DEPTH + "1" + "}" * DEPTH
    assert imd.from_json(text).to_json() == text
    text = "[" * DEPTH + "1" + "]" * DEPTH
    assert imd.from_json(text).to_json() == text


def equality():
    for key in KEYS:
        assert nested(1, key=key).has_same_json(nested(1, key=key))
        assert not nested(1, key=key).has_same_json(nested(2, key=key))


def diff_and_patch():
    for key in KEYS:
        one, other = nested(1, key=key), nested(2, key=key)
        patch = one.diff(other)
        assert patch == [{"op": "replace", "path": f"/{key}" * DEPTH, "value": 2}]
        assert one.patch(patch).has_same_json(other)


def merge():
    one, other = nested(1), nested(2)
    assert one.merge(other).has_same_json(other)
    assert imd.value([]).merge(other).has_same_json(other)


def change():
    for key in KEYS:
        path = [key] * DEPTH
        value = nested(1, key=key)
        assert value.set(path, 2).has_same_json(nested(2, key=key))
        assert value.at(f"/{key}" * DEPTH) == 1
        assert not value.insert(path, 2).has_same_json(value)
        assert not value.remove(path).has_same_json(value)


def iterate():
    value = nested(1)
    for _ in range(DEPTH):
        value = next(iter(value.values()))
    assert value == 1


def store():
    deliveries = []
    states = [nested(inside, DEPTH - 1) for inside in range(4)]
    with imd.Store(lambda state, action: action["payload"], state={}) as store:
        store.define("whole", "@")
        store.observe("whole", lambda value: deliveries.append(value), when="inline")
        for state in states:
            store.dispatch({"type": "set", "payload": state})
            assert store.state.has_same_json(state)
            assert store.query_json("a.a == a.a") == "true"
            assert store.select_json("whole") == state.to_json()
    assert len(deliveries) == 5


def expression_nested_to_the_limit():
    state = None
    for _ in range(EXPRESSION_DEPTH + 1):
        state = {"a": [state]}
    with imd.Store(lambda state, action: state, state=state) as store:
        for opening, closing in [("(", ")"), ("[", "]"), ("!", ""), ("a[?", "]")]:
            text = opening * EXPRESSION_DEPTH + "a" + closing * EXPRESSION_DEPTH
            assert store.query(text) is not None
            store.define(f"nested {opening}", text)
            with pytest.raises(imd.LimitError):
                store.query(opening + text + closing)


@pytest.mark.parametrize(
    "run",
    [
        text_reads_back,
        equality,
        diff_and_patch,
        merge,
        change,
        iterate,
        store,
        expression_nested_to_the_limit,
    ],
)
def test_deepest_input_on_a_small_stack(run):
    on_small_stack(run)
