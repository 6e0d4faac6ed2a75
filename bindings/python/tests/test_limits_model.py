"""Random values near the limits, compared with a naive model."""

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from json_data import keys, merged, nested, same_json
from lowered_limits import limited

import immutabledata as imd


def write(data):
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def count(data):
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return 1 + sum(map(count, parts))


def counted(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def reason(data, most):
    """Why data exceeds the limits; None if it does not."""
    if not isinstance(data, (str, list, dict)):
        return None
    if count(data) > most["values"]:
        return f"the value would have more than {counted(most['values'], 'value')}"
    if len(write(data).encode()) > most["text"]:
        return f"the text of the value would have more than {counted(most['text'], 'byte')}"
    return None


def paths(data, path=()):
    """The paths of all parts of data, and of parts that could be added."""
    yield path
    if isinstance(data, dict):
        yield (*path, "new")
        for key, part in data.items():
            yield from paths(part, (*path, key))
    elif isinstance(data, list):
        yield (*path, len(data))
        for at, part in enumerate(data):
            yield from paths(part, (*path, at))


def pointer(path):
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def copied(data):
    """A copy without shared parts, unlike that of deepcopy."""
    return json.loads(json.dumps(data))


def changed(data, path, how, element=None):
    """A copy with a change at a path."""
    if not path:
        return copied(element)
    made = copied(data)
    parent = made
    for step in path[:-1]:
        parent = parent[step]
    step = path[-1]
    if how == "remove":
        del parent[step]
    elif isinstance(parent, list) and (how == "insert" or step == len(parent)):
        parent.insert(step, copied(element))
    else:
        parent[step] = copied(element)
    return made


def found(data, path):
    for step in path:
        data = data[step]
    return data


def steps_to(data, places, choice):
    there = [path for path in paths(data) if places == "all" or found_in(data, path)]
    return there[choice % len(there)]


def found_in(data, path):
    try:
        found(data, path)
    except (KeyError, IndexError):
        return False
    return True


# Each maker returns the results by the model, and a call. The call gets operands that were made
# before the limits were lowered.
def setting(data, element, choice):
    path = steps_to(data, "all", choice)
    part = imd.value(element)
    return [changed(data, path, "set", element)], lambda value: value.set(path, part)


def inserting(data, element, choice):
    path = steps_to(data, "all", choice)
    part = imd.value(element)
    return [changed(data, path, "insert", element)], lambda value: value.insert(path, part)


def removing(data, element, choice):
    path = steps_to(data, "there", choice)
    if not path:
        return None
    return [changed(data, path, "remove")], lambda value: value.remove(path)


def patching(data, element, choice):
    """Copies a part three times, each time to a place that exists by then."""
    made, operations = [data], []
    for _ in range(3):
        source = steps_to(made[-1], "there", choice)
        target = steps_to(made[-1], "all", choice // 7)
        operations.append({"op": "copy", "from": pointer(source), "path": pointer(target)})
        made.append(changed(made[-1], target, "insert", found(made[-1], source)))
        if not isinstance(made[-1], (dict, list)):
            break
    patch = imd.value(operations)
    return made[1:], lambda value: value.patch(patch)


def merging(data, element, choice):
    patch = imd.value(element)
    return [merged(data, element)], lambda value: value.merge(patch)


def diffing(data, element, choice):
    other = imd.value([element])
    return [imd.value(data).diff(other)], lambda value: value.diff(other)


def querying(data, element, choice):
    text = ["@", "[@, @]", "{a: @, b: @}", "[@, @] | [@, @]"][choice % 4]
    pair = [data, data]
    made = [[data], [pair], [{"a": data, "b": data}], [pair, [pair, pair]]][choice % 4]
    store = imd.Store(lambda state, action: state, state=data)
    return made, lambda value: imd.from_json(store.query_json(text))


def reading(data, element, choice):
    text = json.dumps(element, indent=1)
    return [element], lambda value: imd.from_json(text)


def converting(data, element, choice):
    return [[data, element]], lambda value: imd.value([value, element])


def drafting(data, element, choice):
    if element is None:
        return None  # The state would not change.
    made = [[data, element]]

    @imd.drafting
    def reduce(draft, action):
        draft["made"][1] = draft["element"]

    start = {"made": [data, None], "element": element}
    store = imd.Store(reduce, state=start)
    return [{**start, "made": made[0]}], lambda value: (store.dispatch("go"), store.state)[1]


MAKERS = [
    setting,
    inserting,
    removing,
    patching,
    merging,
    diffing,
    querying,
    reading,
    converting,
    drafting,
]


# Escapes of two and six bytes, characters of one to four bytes, numbers of all lengths.
scalars = (
    st.sampled_from([None, True, False, 0.5, -1.25])
    | st.integers(-(2**63), 2**63 - 1)
    | st.text(st.sampled_from('ab"\\\n\x01\x1f\x7fé☃😀'))
    | st.text(st.characters(exclude_categories=["Cs"]))
)


data = nested(scalars, keys, max_leaves=12)


containers = st.lists(data, max_size=20) | st.dictionaries(keys, data, max_size=20)


def test_results_are_within_the_limits_and_can_be_read_back():
    seen = Counter()

    # Enough that each maker succeeds and fails.
    @settings(max_examples=max(500, settings().max_examples))
    @given(
        containers,
        st.lists(st.tuples(st.sampled_from(MAKERS), data, st.integers(0, 999)), max_size=8),
        st.integers(-6, 25),
        st.integers(-80, 200),
    )
    def run(start, calls, more_values, more_text):
        now = start
        for maker, element, choice in calls:
            if not isinstance(now, (dict, list)):
                now = start
            model = maker(now, element, choice)
            if model is None:
                continue
            made, call = model
            value = imd.value(now)
            # Near the sizes of the current data.
            most = {
                "values": max(count(now) + more_values, 1),
                "text": max(len(write(now).encode()) + more_text, 1),
            }
            steps = [*taken(maker, now, element), *made]
            reasons = {why for why in (reason(step, most) for step in steps) if why}
            with limited(**most):
                try:
                    result = call(value)
                except imd.LimitError as error:
                    named = [why for why in reasons if why in error.message]
                    assert named, (maker, error.message, reasons)  # noqa: PT017
                    seen[
                        maker.__name__, "text" if named[0].startswith("the text") else "values"
                    ] += 1
                    continue
                assert not reasons, (maker, reasons)
                seen[maker.__name__, "made"] += 1
                check_reads_back(result, made[-1])
            now = made[-1]

    run()
    names = {maker.__name__ for maker in MAKERS}
    assert names == {name for name, how in seen if how == "made"}
    assert names == {name for name, how in seen if how != "made"}
    assert {how for _, how in seen} == {"made", "values", "text"}


def taken(maker, data, element):
    """The operands that a call converts, which must be within the limits too."""
    strings = [element] if isinstance(element, str) else []
    if maker in (setting, inserting):
        return strings
    if maker is converting:
        return [[0, element]]
    return [{"type": "go"}, *strings, [data, element]] if maker is drafting else []


def check_reads_back(result, expected):
    if isinstance(result, imd.Value):
        text = result.to_json()
        again = imd.from_json(text)
        assert again.has_same_json(result)
        assert again.to_json() == text
        assert same_json(result.to_python(), expected)
    else:
        assert same_json(result, expected)
