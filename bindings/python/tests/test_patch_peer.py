"""Random patches, compared with the Python package jsonpatch and the algorithm of RFC 7396."""

import copy

import jsonpatch
import jsonpointer
from hypothesis import given
from hypothesis import strategies as st
from json_data import merged, nested, plain, same_json

import immutabledata as imd

REFUSED = "refused"

# Few keys and few values, so that many pointers match and many tests succeed.
keys = st.sampled_from(["a", "b", "0", "1", "-", "", "~", "/", "~1", "é", "01"])
scalars = st.sampled_from([None, True, False, 0, 1, 1.0, 2, -0.5, "", "a", "é"])
values = nested(scalars, keys, max_leaves=8, max_size=4)
documents = st.lists(values, max_size=5) | st.dictionaries(keys, values, max_size=5)


def escaped(step):
    return "/" + str(step).replace("~", "~0").replace("/", "~1")


def places(data, prefix=""):
    """The pointers to all parts of data, each with the part."""
    yield prefix, data
    if isinstance(data, (dict, list)):
        for step, part in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(part, prefix + escaped(step))


def vacancies(data):
    """The pointers to parts that could be added to data."""
    for place, part in places(data):
        if isinstance(part, dict):
            yield place + "/new"
        elif isinstance(part, list):
            yield from (place + "/-", f"{place}/{len(part)}")


@st.composite
def patched(draw):
    """A document, and a patch whose operations mostly apply to it."""
    document = draw(documents)
    known = [place for place, _ in places(document)]
    parts = [part for _, part in places(document)]
    pointers = st.one_of(
        *[st.sampled_from(known)] * 3,
        st.sampled_from([*vacancies(document)]),
        st.lists(keys, max_size=3).map(lambda steps: "".join(map(escaped, steps))),
        st.sampled_from(["a", "/~", "/a~2", "//", "/-1", "/+1", "/ 1", "/1e0", "/9" * 9]),
    )
    operation = st.fixed_dictionaries(
        {
            "op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]),
            "path": pointers,
            "from": pointers,
            "value": values | st.sampled_from(parts),
        },
        optional={"other": scalars},
    )
    return document, draw(st.lists(operation, max_size=6))


def ours(document, patch):
    try:
        return plain(imd.value(document).patch(patch))
    except (imd.InvalidArgumentError, imd.NotFoundError):
        return REFUSED


def theirs(document, patch):
    try:
        return jsonpatch.apply_patch(copy.deepcopy(document), patch)
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException):
        return REFUSED


@given(patched())
def test_random_patches(case):
    document, patch = case
    assert same_json(ours(document, patch), theirs(document, patch))


@given(documents, documents)
def test_jsonpatch_applies_our_diffs(before, after):
    patch = imd.value(before).diff(after)
    assert same_json(theirs(before, patch), after)


@given(
    st.lists(scalars | st.integers(0, 40), max_size=20).flatmap(
        lambda items: st.tuples(st.just(items), st.permutations(items))
    )
)
def test_jsonpatch_moves_elements_by_our_diffs(lists):
    before, after = lists
    patch = imd.value(before).diff(after)
    assert same_json(theirs(before, patch), after)


@given(documents, documents)
def test_we_apply_the_diffs_of_jsonpatch(before, after):
    patch = jsonpatch.make_patch(before, after).patch
    # jsonpatch sees no difference between 1 and 1.0.
    assert imd.value(after) == ours(before, patch)
    assert same_json(ours(before, patch), theirs(before, patch))


# ---- Merge patches -------------------------------------------------------------------------------


merge_patches = st.recursive(
    values, lambda parts: st.dictionaries(keys, st.none() | parts, min_size=1), max_leaves=8
)


@given(st.dictionaries(keys, values) | documents, merge_patches)
def test_random_merge_patches(document, patch):
    assert same_json(plain(imd.value(document).merge(patch)), merged(document, patch))
