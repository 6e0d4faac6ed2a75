"""The Python package jmespath, adapted where the library differs from it by design.

Each difference is one function, whose docstring gives the reason. Everything else must agree.
"""

import math
import re
import warnings
from fractions import Fraction

from jmespath import exceptions, functions, parser, visitor
from jmespath.functions import signature
from json_data import canonical, equal_json, ordered

OPERATORS_ON_NUMBERS = ("lt", "lte", "gt", "gte")


class PeerError(Exception):
    """A rejected expression; kind is the name of the error in the specification."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


def search(expression, document):
    """Evaluates an expression for a document. Raises PeerError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", PendingDeprecationWarning)
            tree = Parser()._do_parse(expression).parsed  # parse would cache it
        check(tree)
        return Interpreter().visit(tree, document)
    except exceptions.UnknownFunctionError:
        raise PeerError("unknown-function") from None
    except exceptions.ArityError:
        raise PeerError("invalid-arity") from None
    except exceptions.JMESPathTypeError:
        raise PeerError("invalid-type") from None
    except (exceptions.JMESPathError, PendingDeprecationWarning):
        # jmespath warns of a literal that is not JSON, such as `a`, and takes it for a string.
        raise PeerError("syntax") from None


class Parser(parser.Parser):
    def _token_nud_not(self, token):
        """The library reads "!a.b" as "!(a.b)", as the grammar of the specification allows;
        jmespath reads "(!a).b", which is null for any a."""
        operand = self._expression(self.BINDING_POWER["eq"])
        return {"type": "not_expression", "children": [operand]}

    def _token_led_lbracket(self, left):
        """A slice is a projection, also after an index; in jmespath "a[0][1:].b" is null."""
        if left["type"] == "index_expression":
            left = {"type": "pipe", "children": [left]}
        return super()._token_led_lbracket(left)

    def _token_led_lparen(self, left):
        """Commas separate arguments; jmespath also accepts "f(a b)" and "f(a,)"."""
        index = self._index
        call = super()._token_led_lparen(left)
        commas = self._commas(index)
        if commas != max(0, len(call["children"]) - 1):
            raise exceptions.ParseError(0, "", "", "arguments without commas")
        return call

    def _commas(self, index):
        """The number of commas in the parentheses that were opened before a token."""
        depth = commas = 0
        while depth >= 0:
            kind = self._tokens[index]["type"]
            depth += kind in ("lparen", "lbracket", "lbrace", "filter")
            depth -= kind in ("rparen", "rbracket", "rbrace")
            commas += kind == "comma" and depth == 0
            index += 1
        return commas


def check(node, parent=None):
    """The library rejects these during compilation, jmespath during evaluation or never: unknown
    functions, a wrong arity, an expression reference in place of a value, a step of 0. If there
    are several such errors, the first in the text counts."""
    kind, children = node["type"], node["children"]
    if kind == "slice" and children[2] == 0:
        raise PeerError("invalid-value")
    if kind == "expref" and parent != "function_expression":
        raise PeerError("syntax")
    is_call = kind == "function_expression"
    if is_call and node["value"] not in functions.Functions.FUNCTION_TABLE:
        raise PeerError("unknown-function")
    if kind == "filter_projection":
        children = [children[0], children[2], children[1]]
    for child in children:
        if isinstance(child, dict):
            check(child, kind)
    if is_call:
        check_arguments(children, functions.Functions.FUNCTION_TABLE[node["value"]]["signature"])


def check_arguments(arguments, takes):
    is_variadic = takes[-1].get("variadic")
    if len(arguments) < len(takes) or (len(arguments) > len(takes) and not is_variadic):
        raise PeerError("invalid-arity")
    for index, argument in enumerate(arguments):
        wanted = takes[min(index, len(takes) - 1)]["types"]
        if (argument["type"] == "expref") is not (wanted == ["expref"]):
            raise PeerError("invalid-type")


class Interpreter(visitor.TreeInterpreter):
    def __init__(self):
        super().__init__(visitor.Options(custom_functions=Functions()))

    def visit_comparator(self, node, value):
        """In Python, [1] equals [True]. Only numbers have an order, as in the specification;
        jmespath orders strings too, and fails on a string beside a number."""
        left, right = (self.visit(child, value) for child in node["children"])
        if node["value"] in OPERATORS_ON_NUMBERS:
            if not (is_number(left) and is_number(right)):
                return None
            return self.COMPARATOR_FUNC[node["value"]](left, right)
        return equal_json(left, right) is (node["value"] == "eq")

    def visit_value_projection(self, node, value):
        """In the library, members are in the order of their keys."""
        base, each = node["children"]
        members = self.visit(base, value)
        if isinstance(members, dict):
            members = ordered(members)
        return super().visit_value_projection(
            {"children": [{"type": "literal", "value": members, "children": []}, each]}, value
        )


class Functions(functions.Functions):
    def call_function(self, function_name, resolved_args):
        """Numbers beyond 64 bits are doubles."""
        result = super().call_function(function_name, resolved_args)
        if isinstance(result, int) and not -(2**63) <= result < 2**63:
            return float(result)
        return result

    @signature({"types": ["number"]})
    def _func_ceil(self, number):
        """A double beyond the range of 64-bit integers stays a double."""
        return super()._func_ceil(number) if -(2**63) <= number < 2**63 else number

    @signature({"types": ["number"]})
    def _func_floor(self, number):
        """As for ceil."""
        return super()._func_floor(number) if -(2**63) <= number < 2**63 else number

    @signature({"types": ["object"]})
    def _func_keys(self, members):
        """In ascending order."""
        return list(ordered(members))

    @signature({"types": ["object"]})
    def _func_values(self, members):
        """In the order of the keys."""
        return list(ordered(members).values())

    @signature({"types": ["array", "string"]}, {"types": []})
    def _func_contains(self, subject, wanted):
        """In Python, 1 is in [True], and a number in a string is a TypeError."""
        if isinstance(subject, str):
            return isinstance(wanted, str) and wanted in subject
        return any(equal_json(element, wanted) for element in subject)

    @signature({"types": []})
    def _func_to_number(self, value):
        """The specification accepts numbers of JSON; Python also accepts " 1", "1_0" and "nan"."""
        if isinstance(value, str):
            if not re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", value):
                return None
            if re.fullmatch("-?[0-9]+", value):
                return int(value)
            return float(value) if math.isfinite(float(value)) else None
        return value if is_number(value) else None

    @signature({"types": []})
    def _func_to_string(self, value):
        """The library writes canonical text: sorted keys, and only necessary escapes."""
        return value if isinstance(value, str) else canonical(value)

    @signature({"types": ["array-number"]})
    def _func_sum(self, numbers):
        """The library rounds the exact sum once."""
        exact = sum(map(Fraction, numbers))
        if not any(isinstance(number, float) for number in numbers):
            return int(exact)
        try:
            return float(exact)
        except OverflowError:
            return math.inf

    @signature({"types": ["array-number"]})
    def _func_avg(self, numbers):
        """Like Python, the library rounds the quotient of integers once."""
        return self._func_sum(numbers) / len(numbers) if numbers else None

    @signature({"types": ["object"], "variadic": True})
    def _func_merge(self, *objects):
        """jmespath checks the first argument only, and raises TypeError for the others."""
        if not all(isinstance(members, dict) for members in objects):
            raise PeerError("invalid-type")
        return super()._func_merge(*objects)

    @signature({"types": ["array"]}, {"types": ["expref"]})
    def _func_min_by(self, array, expression):
        """Keys are numbers or strings; Python raises TypeError for a mixture."""
        return self._by(super()._func_min_by, array, expression)

    @signature({"types": ["array"]}, {"types": ["expref"]})
    def _func_max_by(self, array, expression):
        """As for min_by."""
        return self._by(super()._func_max_by, array, expression)

    def _by(self, function, array, expression):
        try:
            return function(array, expression)
        except TypeError:
            raise PeerError("invalid-type") from None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)
