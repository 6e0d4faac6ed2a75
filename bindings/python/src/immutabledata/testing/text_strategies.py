"""Strategies of Hypothesis for texts of given lengths that match a pattern."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any, Callable, NamedTuple

from hypothesis import strategies as st

from .._values import quoted
from ..errors import InvalidArgumentError
from .fitting import Fits, Strategy, drawn_until

# So few that two actions often have the same one, as the ids of records must.
COMMON_TEXTS = ("a", "b", "c")

_CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0")
TEXT = st.text(_CHARACTERS, max_size=20)

# How many characters a text has more than it must.
_MORE = 20

# Those among which the characters of a class are looked for.
_KNOWN_CHARACTERS = ["\t", "\n", "\r", *map(chr, range(0x20, 0x180)), *"λΩжЯ٣あ中€😀"]

# A class, an escape, or a character that stands for itself; and how often it is repeated.
_PIECE = re.compile(
    r"""(?P<atom> \[ \^? (?: \\. | [^\]\\] )* \] | \\[pP]\{ [^}]* \} | \\[^bB1-9kcux]
          | [^\\^$.|?*+()\[\]{}] | \. )
        (?P<count> [*+?] | \{ (?P<first>\d+) (?P<comma>,)? (?P<last>\d*) \} )? \??""",
    re.VERBOSE | re.DOTALL,
)
_COUNTS: dict[str | None, tuple[int, int | None]] = {
    None: (1, 1),
    "*": (0, None),
    "+": (1, None),
    "?": (0, 1),
}


class _Piece(NamedTuple):
    """A part of a pattern: some of an alphabet, between two numbers of them; None is no limit."""

    alphabet: Any
    least: int
    most: int | None


_ANYTHING = _Piece(_CHARACTERS, 0, None)


def texts(schema: Mapping[str, Any]) -> Strategy:
    """The strategy for the strings that fit a pattern and lengths, as a schema has them.

    Raises InvalidArgumentError: a pattern that Hypothesis cannot read.
    """
    keywords = ("pattern", "minLength", "maxLength")
    fits = Fits({"type": "string"} | {name: schema[name] for name in keywords if name in schema})
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    text: Strategy
    if "pattern" in schema:
        pieces = _pieces(schema["pattern"])
        if pieces is not None:
            text = _joined(pieces, least, most)
        else:
            matching = st.from_regex(_compiled(schema["pattern"]), alphabet=_CHARACTERS)
            text = drawn_until(fits, matching)
    else:
        text = _joined([_ANYTHING], least, most)
    common = list(filter(fits, COMMON_TEXTS))
    return st.sampled_from(common) | text if common else text


def _pieces(pattern: str) -> list[_Piece] | None:
    """The parts of a pattern; None if it has groups, a choice, or an anchor inside."""
    at, end = int(pattern.startswith("^")), len(pattern)
    has_end = pattern.endswith("$") and not pattern.endswith("\\$")
    end -= has_end
    pieces = [] if at else [_ANYTHING]
    while at < end:
        found = _PIECE.match(pattern, at, end)
        if found is None:
            return None
        at = found.end()
        if found["first"] is None:
            first, last = _COUNTS[found["count"]]
        else:
            first = int(found["first"])
            last = int(found["last"]) if found["last"] else None if found["comma"] else first
        pieces.append(_Piece(_alphabet(found["atom"]), first, last))
    return pieces if has_end else [*pieces, _ANYTHING]


@functools.lru_cache(maxsize=256)
def _alphabet(atom: str) -> str:
    """The characters of a class, as the library reads it."""
    fits = Fits({"type": "string", "pattern": f"^{atom}$"})
    return "".join(filter(fits, _KNOWN_CHARACTERS))


def _joined(pieces: list[_Piece], least: int, most: int | None) -> Strategy:
    """The strategy for texts with a part for each piece, and with a number of characters."""
    if most is None:
        most = max(least, sum(piece.least for piece in pieces)) + _MORE
    # Nothing can be more than the whole, or be of no characters.
    bounds = [
        (
            piece.least,
            0 if piece.alphabet == "" else most if piece.most is None else min(piece.most, most),
        )
        for piece in pieces
    ]
    firsts, lasts = (sum(bound[end] for bound in bounds) for end in (0, 1))
    if any(first > last for first, last in bounds) or firsts > most or lasts < least:
        return st.nothing()

    @st.composite
    def draw_text(draw: Callable[[Strategy], Any]) -> str:
        text, first_rest, last_rest = "", firsts, lasts
        for piece, (first, last) in zip(pieces, bounds):
            first_rest, last_rest = first_rest - first, last_rest - last
            low = max(first, least - len(text) - last_rest)
            high = min(last, most - len(text) - first_rest)
            if high > 0:
                text += draw(st.text(piece.alphabet, min_size=low, max_size=high))
        return text

    return draw_text()


def _compiled(pattern: str) -> re.Pattern[str]:
    r"""A pattern of ECMAScript, whose classes are those of ASCII, and whose $ is \Z."""
    text = re.sub(
        r"\\.|\[(?:\\.|[^\]\\])*\]|\$",
        lambda found: r"\Z" if found[0] == "$" else found[0],
        pattern,
        flags=re.DOTALL,
    )
    try:
        return re.compile(text, re.ASCII)
    except re.error as error:
        raise InvalidArgumentError(
            f"Hypothesis cannot make texts for the pattern {quoted(pattern)}: {error}; give the "
            "machine a strategy for the payload: payloads = {type: strategy}"
        ) from None
