"""Paths: one notation in all functions."""

import pytest

import immutabledata as imd

BEFORE = imd.value({"a": {"b/~": [1, 2]}, "": 0, "0": 5})


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/a/b~1~0/0", 1),
        (("a", "b/~", 0), 1),
        (["a", "b/~", "0"], 1),
        ("/a/b~1~0", [1, 2]),
        ("/", 0),
        (("",), 0),
        (0, 5),
        ("/0", 5),
    ],
)
def test_all_functions_take_the_same_paths(path, part):
    assert BEFORE.at(path) == part
    after = BEFORE.set(path, "new")
    assert after.at(path) == "new"
    assert BEFORE.change(path, lambda before: [before, "new"]).at(path) == [part, "new"]
    assert BEFORE.remove(path) != BEFORE
    assert BEFORE.insert(path, "new").at(path) == "new"


@pytest.mark.parametrize("path", ["", (), []])
def test_the_whole_value(path):
    assert BEFORE.at(path) is not None
    assert BEFORE.at(path) == BEFORE
    assert BEFORE.set(path, 5) == 5
    assert BEFORE.change(path, len) == 3


@pytest.mark.parametrize(
    ("path", "kind", "message"),
    [
        (
            "a",
            imd.InvalidArgumentError,
            '"a" is not a JSON Pointer, which is empty or begins with "/"; for the key, '
            "write \"/a\" or ('a',)",
        ),
        (
            "a/b~",
            imd.InvalidArgumentError,
            '"a/b~" is not a JSON Pointer, which is empty or begins with "/"; for the key, '
            "write \"/a~1b~0\" or ('a/b~',)",
        ),
        (
            "\ud800\x85\u200f",
            imd.InvalidArgumentError,
            '"\\ud800\\x85\\u200f" is not a JSON Pointer, which is empty or begins with "/"; for '
            "the key, write \"/\\ud800\\x85\\u200f\" or ('\\ud800\\x85\\u200f',)",
        ),
        (-1, imd.InvalidArgumentError, "an index in a path must not be negative; got -1"),
        (("a", -1), imd.InvalidArgumentError, "an index in a path must not be negative; got -1"),
        (("\0",), imd.InvalidArgumentError, "a key must not contain U+0000: '/\\x00'"),
        (None, TypeError,
         "a path must be a JSON Pointer, an index, or a sequence of keys, not None"),
        ({"a"}, TypeError,
         "a path must be a JSON Pointer, an index, or a sequence of keys, not set"),
        (b"/a", TypeError,
         "a path must be a JSON Pointer, an index, or a sequence of keys, not bytes"),
        (("a", 1.5), TypeError, "a step of a path must be a str or an int, not float"),
        (True, TypeError, "a step of a path must be a str or an int, not bool"),
    ],
)  # fmt: skip
def test_a_wrong_path(path, kind, message):
    for call in (
        lambda: BEFORE.at(path),
        lambda: BEFORE.set(path, 1),
        lambda: BEFORE.change(path, id),
        lambda: BEFORE.insert(path, 1),
        lambda: BEFORE.remove(path),
    ):
        with pytest.raises(kind) as caught:
            call()
        assert type(caught.value) is kind
        assert str(caught.value) == message


# ---- change --------------------------------------------------------------------------------------


def test_change():
    before = imd.value({"n": 1, "list": [1], "same": {}})
    after = before.change("/n", lambda n: n + 1).change(("list",), lambda found: found.append(2))
    assert after == {"n": 2, "list": [1, 2], "same": {}}
    assert before == {"n": 1, "list": [1], "same": {}}
    assert after["same"].is_identical(before["same"])


@pytest.mark.parametrize("path", ["/n", "/list"])
def test_a_change_to_an_identical_part_returns_the_same_value(path):
    before = imd.value({"n": 1, "list": [1]})
    assert before.change(path, lambda part: part) is before


def test_wrong_changes():
    before = imd.value({"n": 1})
    with pytest.raises(imd.NotFoundError, match='nothing at "/m"'):
        before.change("/m", lambda m: 1)
    with pytest.raises(TypeError, match="the function for change must be a function that takes"):
        before.change("/n", 5)
    with pytest.raises(ZeroDivisionError):
        before.change("/n", lambda n: n / 0)
    with pytest.raises(imd.InvalidArgumentError, match="the data cannot be written as JSON"):
        before.change("/n", lambda n: {n})


# ---- Paths of files ------------------------------------------------------------------------------


def test_a_path_object_as_the_path_of_a_file(tmp_path):
    path = tmp_path / "zoo.sqlite"
    with imd.open("animals", store=path) as store:
        store.dispatch("ui/animalList/onAppear")
        store.settle(30)
    assert path.exists()
