"""Random JSON text, valid and almost valid, compared with Python's json."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_data import json_values, same_json

import immutabledata as imd

digits = st.text(st.sampled_from("0123456789"), min_size=1, max_size=22)
exponents = st.one_of(st.integers(0, 30), st.integers(0, 30), st.integers(250, 400)).map(str)
numbers = st.tuples(
    st.sampled_from(["", "-"]),
    digits.map(lambda text: text.lstrip("0") or "0"),
    st.just("") | digits.map(lambda text: "." + text),
    st.just("") | st.tuples(st.sampled_from(["e", "E-", "e+"]), exponents).map("".join),
).map("".join)
spaces = st.text(st.sampled_from(" \t\n\r"), max_size=2)
escapes = st.sampled_from(
    [r"\"", r"\\", r"\/", r"\b\f\n\r\t", r"\u00e9", r"\uD83C\udf0b", r"\u0000"]
)
characters = st.characters(min_codepoint=0x20, exclude_categories=["Cs"], exclude_characters='"\\')
strings = st.lists(st.text(characters, max_size=9) | escapes, max_size=4).map(
    lambda parts: f'"{"".join(parts)}"'
)


def joined(opening, parts, closing):
    return st.tuples(st.lists(parts, max_size=5), spaces).map(
        lambda made: opening + made[1] + ",".join(made[0]) + closing
    )


def spaced(*parts):
    return st.tuples(spaces, *parts, spaces).map("".join)


texts = st.recursive(
    spaced(numbers | numbers | strings | st.sampled_from(["null", "true", "false", "[]", "{}"])),
    lambda parts: (
        joined("[", parts, "]") | joined("{", spaced(strings, spaces, st.just(":"), parts), "}")
    ),
    max_leaves=12,
)


@st.composite
def mistaken(draw):
    """Text with up to three characters removed, inserted or replaced."""
    text = draw(texts)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        put = draw(
            st.sampled_from(
                ["", *'[]{},:"\\0-.eE+ntfu \t\x0b\x1f\x7f\u00e9\u2028', "NaN", r"\ud800"]
            )
        )
        text = text[:at] + put + text[at + draw(st.integers(0, 1)) :]
    return text


def theirs(text):
    """The data that Python reads, or the errors that the library may raise."""
    try:
        data = json.loads(text, parse_constant=refused, object_pairs_hook=members)
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, UnicodeEncodeError):
        return imd.InvalidJSONError, imd.LimitError  # A number before the error may be too large.
    return data if is_representable(data) else imd.LimitError


def refused(constant):
    raise ValueError(f"for Python, {constant} is a number")


def members(pairs):
    """Rejects keys with U+0000; if an object repeats a key, the last value wins."""
    if any("\0" in key for key, _ in pairs):
        raise ValueError("the library holds no such key")
    for _, value in pairs:
        json.dumps(value, ensure_ascii=False).encode()
        if not is_representable(value):
            raise ValueError("it is refused, even if a later member has the same key")
    return dict(pairs)


def is_representable(data):
    """Whether all numbers are 64-bit integers or finite doubles."""
    if isinstance(data, list):
        return all(map(is_representable, data))
    if isinstance(data, dict):
        return all(map(is_representable, data.values()))
    if isinstance(data, float):
        return math.isfinite(data)
    return not isinstance(data, int) or -(2**63) <= data < 2**63


def check(text):
    expected = theirs(text)
    if isinstance(expected, (type, tuple)):
        with pytest.raises(expected):
            imd.from_json(text)
    else:
        read = imd.from_json(text)
        assert same_json(read.to_python() if isinstance(read, imd.Value) else read, expected)


@given(st.lists(numbers, min_size=1))
def test_random_numbers(numbers):
    for text in numbers:
        check(text)
    check(f"[{','.join(numbers)}]")


@given(texts)
def test_random_text(text):
    check(text)


@given(mistaken())
def test_random_mistakes(text):
    check(text)


@given(st.lists(st.sampled_from([*'[]{},: 01-".e', '"a"', "null", "1"]), max_size=7).map("".join))
def test_random_tokens(text):
    check(text)


@given(json_values, st.sampled_from([None, 0, 1, "\t"]), st.booleans(), st.booleans())
def test_text_written_by_python(data, indent, is_ascii, is_sorted):
    text = json.dumps(data, indent=indent, ensure_ascii=is_ascii, sort_keys=is_sorted)
    assert same_json(json.loads(text), data)
    check(text)
