"""Random expressions, compared with the Python package jmespath."""

import json
import re
import warnings

import jmespath
import jmespath_peer
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jmespath_expressions import FULL, documents, expressions, token_sequences
from jmespath_peer import PeerError
from json_data import canonical

import immutabledata as imd

# The beginnings of the library's messages, and the names of the errors in the specification.
KINDS = [
    ("there is no function", "unknown-function"),
    (r"\w+\(\) takes (at least )?\d+ argument", "invalid-arity"),
    (r"argument \d+ of \w+\(\) must", "invalid-type"),
    ("the step of a slice cannot be 0", "invalid-value"),
    ("expected |an expression such as &name|the (name|literal) is not JSON", "syntax"),
    (
        r"unexpected character|the \w+ that begins here|the name of a (function|variable)"
        r"|\"[-$]\" must|\"=\" is not|a (number must|name that contains|let is not)",
        "syntax",
    ),
]
ERRORS = {name for _, name in KINDS}


def kind(error):
    return next((name for words, name in KINDS if re.match(words, str(error))), str(error))


def ours(store, expression):
    try:
        return store.query_json(expression)
    except imd.InvalidSelectorError as error:
        return kind(error)


def theirs(document, expression):
    try:
        return canonical(jmespath_peer.search(expression, document))
    except PeerError as error:
        return error.kind


def outcomes(expression, document):
    """The results of both for a document."""
    with imd.Store(lambda state, _: state, state=document) as store:
        return ours(store, expression), theirs(document, expression)


# Differences by design, see jmespath_peer.py: the result of the library, and that of jmespath.
DIFFERENCES = [
    ("!a.b", {"a": {"b": 1}}, "false", "null"),
    ("a[0][1:].b", {"a": [[{"b": 1}, {"b": 2}]]}, "[2]", "null"),
    ("abs(a b)", {"a": 1}, "syntax", "ArityError"),
    ("sum(`[1]`,)", {}, "syntax", "1"),
    ("`a`", {}, "syntax", '"a"'),
    ("[&type(@)]", {}, "syntax", '["<expression>"]'),
    ("type(&type(@))", {}, "invalid-type", "null"),
    ("`[]`[*].nothing(@)", {}, "unknown-function", "[]"),
    ("`null` && abs(@, @)", {}, "invalid-arity", "null"),
    ("a && [0:1:0]", {}, "invalid-value", "null"),
    ("`[1]` == `[true]`", {}, "false", "true"),
    ("'a' < 'b'", {}, "null", "true"),
    ("'a' < `1`", {}, "null", "TypeError"),
    ("*", {"b": 1, "a": 2}, "[2,1]", "[1,2]"),
    ("keys(@)", {"b": 1, "a": 2}, '["a","b"]', '["b","a"]'),
    ("values(@)", {"b": 1, "a": 2}, "[2,1]", "[1,2]"),
    ("abs(@)", -(2**63), "9.223372036854776e+18", "9223372036854775808"),
    ("ceil(@)", 2.0**63, "9.223372036854776e+18", "9223372036854775808"),
    ("floor(@)", 2.0**63, "9.223372036854776e+18", "9223372036854775808"),
    ("contains(@, `1`)", [True], "false", "true"),
    ("contains('1', `1`)", {}, "false", "TypeError"),
    ("to_number(@)", "1_0", "null", "10"),
    ("to_number(@)", "1e999", "null", "Infinity"),
    ("to_string(@)", ["é"], '"[\\"é\\"]"', '"[\\"\\\\u00e9\\"]"'),
    ("sum(@)", [0.5, 2**53, 1, 1], "9.007199254740994e+15", "9007199254740992.0"),
    ("avg(@)", [0.5, 2**53, 1, 1], "2251799813685248.5", "2251799813685248.0"),
    ("merge(`{}`, `[]`)", {}, "invalid-type", "{}"),
    ("merge(`{}`, `null`)", {}, "invalid-type", "TypeError"),
    ("max_by(@, &@)", [1, "a"], "invalid-type", "TypeError"),
    ("min_by(@, &@)", [1, "a"], "invalid-type", "TypeError"),
]


def by_itself(expression, document):
    """The result of unmodified jmespath."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PendingDeprecationWarning)
            found = jmespath.search(expression, document)
    except (ValueError, TypeError) as error:
        return type(error).__name__
    return json.dumps(
        found, separators=(",", ":"), ensure_ascii=False, default=lambda _: "<expression>"
    )


@pytest.mark.parametrize(("expression", "document", "mine", "peers"), DIFFERENCES, ids=str)
def test_a_known_difference(expression, document, mine, peers):
    assert outcomes(expression, document) == (mine, mine)
    assert by_itself(expression, document) == peers


# Several expressions for each document: the language is larger than any document.
@settings(max_examples=2 * settings().max_examples)
@given(st.lists(expressions(), min_size=5, max_size=5), documents, documents)
@example(["ceil(sum(nums))"], {"nums": [-1, -(2**63)]}, {})
def test_random_expressions(expressions, document, other):
    stores = {}  # A state keeps its kind.
    for state in (document, FULL, other):
        if type(state) not in stores:
            stores[type(state)] = imd.Store(lambda _, action: action["payload"], state=None)
        store = stores[type(state)]
        store.dispatch("set", payload=state)
        for expression in expressions:
            assert ours(store, expression) == theirs(state, expression), expression
    for store in stores.values():
        store.close()


@given(token_sequences)
def test_random_tokens(tokens):
    """With several errors, the library reports the first; jmespath prefers syntax errors."""
    mine, peers = outcomes(tokens, {"a": [{"a": 1, "b": 2}], "b": {"a": [3]}})
    assert mine == peers or (mine in ERRORS and peers == "syntax")
