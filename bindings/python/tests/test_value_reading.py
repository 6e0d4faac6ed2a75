"""Values read like dicts and lists."""

import pytest
from json_data import SAMPLE, same_json

import immutabledata as imd

# ---- An object reads as a dict -------------------------------------------------------------------


def test_object():
    made = imd.value(SAMPLE)
    assert list(made) == list(made.keys()) == sorted(SAMPLE)
    assert [*made.values()] == [SAMPLE[key] for key in sorted(SAMPLE)]
    assert list(made.items()) == sorted(SAMPLE.items())
    assert dict(made) == SAMPLE
    assert {**made} == SAMPLE
    assert "list" in made
    assert made.get("list") == SAMPLE["list"]
    assert made.get("none") is None
    assert made.get("none", 5) == 5
    assert ("list", SAMPLE["list"]) in made.items()
    assert "empty" in made.values()
    assert made.keys() == SAMPLE.keys()


@pytest.mark.parametrize(
    "key", ["absent", "a", "a/b/0", "\0", "\ud800", "list\0", 0, None, (), "0"]
)
def test_a_missing_key(key):
    made = imd.value(SAMPLE)
    assert key not in made
    assert made.get(key) is None
    with pytest.raises(KeyError) as caught:
        made[key]
    assert caught.value.args == (key,)


class Caseless(str):
    """Equals the same text in another case, but is another key as JSON."""

    __slots__ = ()

    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


@pytest.mark.parametrize("path", ["/in/n", "/list/9", ("in", "n")])
def test_a_path_as_a_key_gets_a_hint(path):
    made = imd.value({"in": {"n": 1}, "list": []})

    def dispatch(reducer):
        with imd.Store(reducer, state=made) as store:
            store.dispatch("any")

    for read in (
        lambda: made[path],
        lambda: dispatch(lambda state, action: state[path]),
        lambda: dispatch(lambda state, action: action[path]),
        lambda: dispatch(imd.drafting(lambda draft, action: draft[path])),
    ):
        with pytest.raises(KeyError) as caught:
            read()
        assert caught.value.args == (path,)
        assert caught.value.__notes__ == [
            f"[] takes one key; for a path, write value.at({path!r}), or [] for each key"
        ]


@pytest.mark.parametrize("key", ["n", "a/b", 0, None])
def test_other_missing_keys_get_no_hint(key):
    with pytest.raises(KeyError) as caught:
        imd.value({})[key]
    assert not hasattr(caught.value, "__notes__")


def test_a_key_that_equals_another_one():
    imd.value({"name": 1})["name"]
    made = imd.value({"name": 1, "NAME": 2, "in": {"NAME": 3}})
    for _ in range(2):
        assert made[Caseless("NAME")] == 2
        assert Caseless("Name") not in made
        assert made["name"] == 1  # A member that was read is found faster afterwards.
    assert made.at(("in", Caseless("NAME"))) == 3
    assert made.set((Caseless("NAME"),), 5).to_python() == {**made, "NAME": 5}

    @imd.drafting
    def reduce(draft, action):
        draft["in"][Caseless("NAME")] = 4

    assert reduce(made, None)["in"].to_python() == {"NAME": 4}


def test_more_keys_than_the_package_keeps_pointers_of():
    keys = [*map(str, range(600)), "x" * 100, "é/~", "~", "%s"]
    made = imd.value({key: number for number, key in enumerate(keys)})
    for _ in range(2):
        assert [imd.value(made.to_python())[key] for key in keys] == list(range(len(keys)))
        assert all(made[key] == made.at((key,)) for key in keys)
        assert imd.drafting(lambda draft, key: draft.update({key: -1}))(made, "é/~")["é/~"] == -1


def test_an_unhashable_key_is_refused():
    with pytest.raises(TypeError):
        imd.value({})[[]]


def test_keys_are_not_normalized():
    made = imd.value({"é": 1}).set("/e\u0301", 2)
    assert len(made) == 2
    assert (made["é"], made["e\u0301"]) == (1, 2)
    assert list(made) == ["e\u0301", "é"]
    assert made.remove("/é") == {"e\u0301": 2}


def test_many_members():
    data = {str(number): number for number in range(5_000)}
    made = imd.value(data)
    assert list(made) == sorted(data)
    assert all(made[key] == data[key] for key in data)
    assert all(key in made for key in data)
    with pytest.raises(KeyError):
        made["5000"]


LIST = SAMPLE["list"]


# ---- An array reads as a list --------------------------------------------------------------------


@pytest.mark.parametrize("index", [*range(-5, 5)])
def test_index(index):
    assert same_json(imd.value(LIST)[index], LIST[index])


@pytest.mark.parametrize("index", [5, -6, 2**70, -(2**70)])
def test_an_index_out_of_range(index):
    with pytest.raises(IndexError, match=f"no element {index} in an array of 5"):
        imd.value(LIST)[index]


@pytest.mark.parametrize("index", ["0", 0.0, None])
def test_an_index_of_the_wrong_type(index):
    with pytest.raises(TypeError):
        imd.value(LIST)[index]


@pytest.mark.parametrize(
    "part",
    [slice(None), slice(1, 3), slice(None, None, -1), slice(-2, None), slice(3, 1), slice(0, 9, 2)],
)
def test_slice(part):
    data = [*LIST, [1], {"a": [2]}]
    made = imd.value(data)[part]
    assert type(made) is imd.ArrayValue
    assert same_json(made.to_python(), data[part])


@pytest.mark.parametrize("size", [0, 1, 40, 3000])
def test_slices_are_arrays_of_their_own(size):
    data = [{"n": n} for n in range(size)]
    array = imd.value(data)
    assert array[:].is_identical(array)
    for part in (slice(1, None), slice(-100, None), slice(7, -7), slice(size, 2), slice(-2, size + 5)):
        made = array[part]
        assert made == data[part]
        assert made.append(1)[-1] == 1
        assert all(element.is_identical(array[n]) for element, n in zip(made, range(size)[part]))
    assert array == data


def test_array():
    made = imd.value(LIST)
    assert list(made) == LIST
    assert list(reversed(made)) == LIST[::-1]
    assert made.index(None) == 2
    assert made.count(2.5) == 1
    assert 2.5 in made
    assert 7 not in made
    first, *_ = made
    assert first == 1
    assert [1] in imd.value([[1]])
