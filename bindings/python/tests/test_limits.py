"""The limits of values, as attributes and in messages."""

import pytest
from lowered_limits import DEFAULTS, limited

import immutabledata as imd
from immutabledata import limits


@pytest.mark.parametrize("name", DEFAULTS)
def test_a_limit_is_an_attribute(name):
    assert getattr(limits, name) == DEFAULTS[name]
    with limited(**{name: 2**31 - 1}):
        assert getattr(limits, name) == 2**31 - 1
        assert f" {name}=2147483647" in repr(limits)
    assert getattr(limits, name) == DEFAULTS[name]
    assert getattr(type(limits), name).__doc__


@pytest.mark.parametrize(
    ("name", "limit", "message"),
    [
        ("values", 0, "the values limit must be from 1 to 2147483647, not 0"),
        ("text", 2**31, "the text limit must be from 1 to 2147483647, not 2147483648"),
        ("input", -1, "the input limit must be from 1 to 2147483647, not -1"),
        ("input", -(2**63), f"the input limit must be from 1 to 2147483647, not {-(2**63)}"),
        ("work", 0, f"the work limit must be from 1 to {2**63 - 1}, not 0"),
    ],
)
def test_a_limit_out_of_range(name, limit, message):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        setattr(limits, name, limit)
    assert caught.value.message == message
    assert getattr(limits, name) == DEFAULTS[name]


@pytest.mark.parametrize("name", DEFAULTS)
@pytest.mark.parametrize(
    ("limit", "written"),
    [
        (2**63, "0x8000000000000000"),
        (-(2**63) - 1, "-0x8000000000000001"),
        (16**5000, "0x1" + "0" * 5000),
    ],
    ids=["above", "below", "far above"],
)
def test_a_limit_beyond_64_bits(name, limit, written):
    with pytest.raises(imd.InvalidArgumentError) as caught:
        setattr(limits, name, limit)
    assert caught.value.message == (
        f"limits.{name} must be an integer of at most 64 bits, not {written}"
    )
    assert getattr(limits, name) == DEFAULTS[name]


@pytest.mark.parametrize(
    ("limit", "kind"), [(1.5, "float"), ("1", "str"), (None, "None"), (True, "bool")]
)
def test_a_limit_is_an_int(limit, kind):
    with pytest.raises(TypeError, match=f"limits.text must be an int, not {kind}"):
        limits.text = limit


def test_there_are_no_other_limits():
    with pytest.raises(AttributeError):
        limits.depth = 1


def test_data_beyond_the_limit_of_input():
    text = "abcdefgh"
    value = imd.value([1, 2])
    with limited(input=8):
        for call, what in [
            (lambda: imd.value([1, 2, 3, 4]), "the data"),
            (lambda: imd.value([1, 2, 3, value]), "the data"),
            (lambda: value.set(0, text * 2), "the data"),
            (lambda: value.set(0, "é" * 5), "the data"),
            (lambda: value.append([1, 2, 3, 4]), "the data"),
            (lambda: value.merge({"a": text}), "the patch"),
        ]:
            with pytest.raises(imd.LimitError) as caught:
                call()
            assert caught.value.message == (
                f"{what} must take at most 8 bytes as JSON; that is the input limit, "
                "immutabledata.limits.input"
            )
        with pytest.raises(imd.LimitError, match="text has more than 8 bytes"):
            imd.from_json("[1,2,3,4]")
        assert value.set(0, text)[0] == text
    with limited(text=8), pytest.raises(imd.LimitError, match="would have more than 8 bytes"):
        value.set(0, text)


def test_arguments_beyond_the_limit_of_input():
    with imd.Store(lambda state, action: state, state=None) as store, limited(input=8):
        with pytest.raises(imd.LimitError) as caught:
            store.query("$n", n="abcdefgh")
    assert caught.value.message == (
        "the arguments must take at most 8 bytes as JSON; that is the input limit, "
        "immutabledata.limits.input"
    )
