"""apply_patch, compared with Value.patch."""

import copy
import json
import os
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_data import containers, same_json

import immutabledata as imd


def check(doc, patch):
    """Applies a patch to plain data, and compares the outcome with that for a Value."""
    before = copy.deepcopy((doc, patch))
    made, refused = outcome(lambda: imd.apply_patch(doc, patch))
    expected, refused_by_library = outcome(lambda: imd.value(doc).patch(patch))
    assert refused == refused_by_library
    assert same_json(made, imd.value([expected]).to_python()[0])
    assert same_json((doc, patch), before)
    return made


def outcome(call):
    """The result of a call, or the class and message of its error."""
    try:
        return call(), None
    except imd.Error as error:
        return None, (type(error), str(error))


# ---- The conformance suite -----------------------------------------------------------------------


def suite():
    """The cases of json-patch-tests, a conformance suite that is not in the repository."""
    folder = os.environ.get("IMD_CONFORMANCE") or Path(__file__).parents[4] / "shared/conformance"
    for file in sorted(Path(folder, "json-patch").glob("*.json")):
        yield from json.loads(file.read_text(encoding="utf-8"))


CASES = [case for case in suite() if not case.get("disabled")]


@pytest.mark.skipif(not CASES, reason="json-patch-tests is not available")
def test_the_conformance_suite():
    for case in CASES:
        doc, patch = copy.deepcopy((case["doc"], case["patch"]))
        if "error" in case:
            with pytest.raises((imd.InvalidArgumentError, imd.NotFoundError)):
                imd.apply_patch(doc, patch)
        else:
            assert same_json(imd.apply_patch(doc, patch), case.get("expected", doc)), case
        assert (doc, patch) == (case["doc"], case["patch"])
        if isinstance(doc, (dict, list)):
            check(doc, patch)


# ---- Single operations ---------------------------------------------------------------------------

DOC = {"a": {"b": [1, 2]}, "c": "text", "/~": None, "": {"": 0}, "n": 1.5, "long": "x" * 60}


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "add", "path": "/a/b/1", "value": {"new": []}},
        {"op": "add", "path": "/a/b/-", "value": 3},
        {"op": "add", "path": "/a/b/2", "value": 3},
        {"op": "add", "path": "/a/b/3", "value": 3},
        {"op": "add", "path": "/d", "value": None},
        {"op": "add", "path": "/d/e", "value": 1},
        {"op": "add", "path": "", "value": [1]},
        {"op": "add", "path": "/c/d", "value": 1},
        {"op": "add", "path": "/a/b/x", "value": 1},
        {"op": "add", "path": "/a/b/01", "value": 1},
        {"op": "add", "path": "/a/b/+1", "value": 1},
        {"op": "add", "path": "/a/b/-1", "value": 1},
        {"op": "add", "path": "/a/b/²", "value": 1},
        {"op": "add", "path": "/a/b/", "value": 1},
        {"op": "add", "path": "/a/b/" + "9" * 30, "value": 1},
        {"op": "add", "path": "/a/b/" + "9" * 5000, "value": 1},
        {"op": "add", "path": "/" + "k" * 100, "value": 1},
        {"op": "remove", "path": "/a/b/0"},
        {"op": "remove", "path": "/a/b/-"},
        {"op": "remove", "path": "/a/b/2"},
        {"op": "remove", "path": "/~1~0"},
        {"op": "remove", "path": "/~01"},
        {"op": "remove", "path": "/long/x"},
        {"op": "remove", "path": "//"},
        {"op": "remove", "path": ""},
        {"op": "replace", "path": "/a/b", "value": {"x": 1}},
        {"op": "replace", "path": "/a/b/1", "value": {"x": 1}},
        {"op": "replace", "path": "/a/b/-", "value": 1},
        {"op": "replace", "path": "/x", "value": 1},
        {"op": "replace", "path": "", "value": {}},
        {"op": "move", "from": "/a/b/0", "path": "/a/b/1"},
        {"op": "move", "from": "/a/b", "path": "/c"},
        {"op": "move", "from": "/a/b", "path": "/a/b"},
        {"op": "move", "from": "/a", "path": "/a/b"},
        {"op": "move", "from": "/x", "path": "/x"},
        {"op": "move", "from": "/a/b", "path": ""},
        {"op": "move", "from": "", "path": "/a"},
        {"op": "copy", "from": "/a", "path": "/a/b/0"},
        {"op": "copy", "from": "", "path": "/a/copy"},
        {"op": "copy", "from": "/x", "path": "/y"},
        {"op": "test", "path": "/a", "value": {"b": [1.0, 2]}},
        {"op": "test", "path": "/a", "value": {"b": [True, 2]}},
        {"op": "test", "path": "/a", "value": [1]},
        {"op": "test", "path": "/a/b", "value": [1]},
        {"op": "test", "path": "/n", "value": 2},
        {"op": "test", "path": "/c", "value": None},
        {"op": "test", "path": "/long", "value": 'é\n"' * 30},
        {"op": "test", "path": "", "value": {}},
        {"op": "test", "path": "/x", "value": 1},
        {"op": "spam", "path": "/a"},
        {"op": 1, "path": "/a"},
        {"op": "add", "value": 1},
        {"op": "add", "path": "/a"},
        {"op": "add", "path": None, "value": 1},
        {"op": "add", "path": "a", "value": 1},
        {"op": "move", "path": "/a"},
        {"op": "move", "path": "/a", "from": 1.5},
        {"path": "/a"},
        {},
        [],
        "add",
        None,
        True,
    ],
    ids=str,
)
def test_one_operation(operation):
    check(DOC, [operation])


@pytest.mark.parametrize("patch", [{}, {"op": "add"}, "text", 5, 1.5, None, True])
def test_invalid_patches(patch):
    check(DOC, patch)


@pytest.mark.parametrize("path", ["/~", "/a~2", "/~~0", "/~~01", "/a/~a"])
def test_invalid_pointers(path):
    with pytest.raises(
        imd.InvalidArgumentError, match=r'"~" at offset \d must be followed by 0 or 1'
    ):
        imd.apply_patch({}, [{"op": "remove", "path": path}])


def test_the_message_says_which_operation():
    operations = [{"op": "add", "path": "/d", "value": 1}, {"op": "remove", "path": "/e"}]
    with pytest.raises(imd.NotFoundError) as caught:
        imd.apply_patch({"a": 1}, operations)
    assert str(caught.value) == ('operation 1: nothing at "/e": there is no member "e"')


def test_all_or_nothing():
    doc = {"list": [1, 2, 3], "inner": {"a": 1}}
    before = copy.deepcopy(doc)
    with pytest.raises(imd.InvalidArgumentError):
        imd.apply_patch(
            doc,
            [
                {"op": "remove", "path": "/list/0"},
                {"op": "add", "path": "/inner/b", "value": 2},
                {"op": "test", "path": "/inner/b", "value": 3},
            ],
        )
    assert doc == before


# ---- Sharing -------------------------------------------------------------------------------------


def test_unchanged_parts_are_shared():
    doc = {"a": {"deep": [1]}, "b": {"deep": [2]}}
    made = imd.apply_patch(doc, [{"op": "add", "path": "/a/deep/-", "value": 3}])
    assert made == {"a": {"deep": [1, 3]}, "b": {"deep": [2]}}
    assert made["b"] is doc["b"]
    assert doc == {"a": {"deep": [1]}, "b": {"deep": [2]}}
    assert imd.apply_patch(doc, []) is doc
    assert imd.apply_patch(doc, [{"op": "test", "path": "/a/deep/0", "value": 1}]) is doc


def test_neither_the_patch_nor_copied_parts_change():
    patch = [
        {"op": "add", "path": "/new", "value": {"list": []}},
        {"op": "add", "path": "/new/list/-", "value": 1},
        {"op": "copy", "from": "/new", "path": "/twin"},
        {"op": "add", "path": "/new/list/-", "value": 2},
        {"op": "add", "path": "/twin/list/-", "value": 3},
        {"op": "move", "from": "/twin", "path": "/moved"},
        {"op": "add", "path": "/moved/list/-", "value": 4},
    ]
    assert check({}, patch) == {"new": {"list": [1, 2]}, "moved": {"list": [1, 3, 4]}}
    assert patch[0]["value"] == {"list": []}


def test_many_operations_on_one_list():
    doc = {"list": list(range(50_000))}
    patch = [{"op": "replace", "path": f"/list/{at}", "value": -at} for at in range(50_000)]
    assert imd.apply_patch(doc, patch) == {"list": [-at for at in range(50_000)]}


def test_deeply_nested_data():
    doc = []
    for _ in range(20_000):
        doc = [doc]
    patch = [{"op": "add", "path": "/0" * 20_000 + "/0", "value": 1}]
    patch.append({"op": "test", "path": "", "value": imd.apply_patch(doc, patch)})
    imd.apply_patch(doc, patch)


def test_values_and_other_containers():
    operations = [{"op": "add", "path": "/a/0", "value": imd.value({"b": 1})}]
    for doc in (
        imd.value({"a": [2]}),
        {"a": imd.value([2])},
        {"a": (2,)},
        MappingProxyType({"a": [2]}),
    ):
        made = imd.apply_patch(doc, imd.value(operations))
        assert made == imd.apply_patch(doc, operations) == {"a": [{"b": 1}, 2]}
        assert type(made) is dict
        assert type(made["a"]) is list
        assert type(made["a"][0]) is dict


def test_scalars():
    assert imd.apply_patch(5, [{"op": "replace", "path": "", "value": 6}]) == 6
    assert imd.apply_patch(None, [{"op": "test", "path": "", "value": None}]) is None
    with pytest.raises(imd.InvalidArgumentError, match="is an integer"):
        imd.apply_patch(5, [{"op": "add", "path": "/a", "value": 6}])


@given(containers, containers)
def test_a_diff_turns_one_into_the_other(left, right):
    patch = imd.value(left).diff(right)
    assert same_json(imd.apply_patch(left, patch), imd.value(right).to_python())


paths = st.lists(st.sampled_from(["a", "b", "0", "1", "-", "~0"]), max_size=3).map(
    lambda steps: "".join("/" + step for step in steps)
)
values = st.sampled_from([None, 0, 1.0, "b", [], {}, [1, [2]], {"a": {"b": []}}])
operations = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]),
        "path": paths,
        "from": paths,
        "value": values,
    }
)


@given(
    st.sampled_from([{}, [], {"a": [1, {"b": 0}], "b": {"a": 1}}, [[1, [2]], {"a": [3]}]]),
    st.lists(operations, max_size=8),
)
def test_random_operations_beside_the_library(doc, patch):
    check(doc, patch)
