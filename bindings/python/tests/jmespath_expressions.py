"""Random JMESPath expressions, and documents in which they match something."""

import json

from hypothesis import strategies as st
from json_data import nested

# ---- Documents -----------------------------------------------------------------------------------

# Quarters add up exactly, in any order.
quarters = st.integers(-8, 8).map(lambda quarter: quarter / 4)
edges = st.sampled_from(
    [2**53 + 1, 2**53 - 1, 2**63 - 1, -(2**63), 2.0**53, -0.0, 1e16, 1e300, 5e-324, 2.0**63]
)
numbers = st.one_of(st.integers(-3, 5), st.integers(-3, 5), quarters, edges)

names = st.sampled_from(["a", "b", "c", "key", "é", "𐀀", "�", "x y", ""])
number_texts = st.sampled_from(
    ["12", "-0", "1e2", "0.5", " 1", "1_0", "01", "1.", "inf", "nan", "\u0661", "1e999", "9" * 30]
)
strings = st.one_of(
    st.sampled_from(["", "a", "ab", "aba", "b", "é", "𐀀", "�", "\n"]),
    number_texts,
    st.text(st.sampled_from("ab'\"`\\é𐀀"), max_size=4),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, strings)
values = nested(scalars, names, max_leaves=6, max_size=4)
records = st.fixed_dictionaries(
    {}, optional={"a": numbers, "b": strings, "c": values, "key": st.lists(numbers, max_size=3)}
)
documents = st.one_of(
    st.fixed_dictionaries(
        {
            "nums": st.lists(numbers, min_size=1, max_size=5),
            "strs": st.lists(strings, min_size=1, max_size=4),
            "list": st.lists(records | values, min_size=1, max_size=5),
            "recs": st.lists(st.fixed_dictionaries({"a": numbers, "b": strings}), min_size=1),
            "obj": st.dictionaries(names, values, max_size=4),
            "nest": st.lists(st.lists(values, max_size=3) | scalars, max_size=3),
        },
        optional={"a": numbers, "b": strings, "c": values, "é": records},
    ),
    values.filter(lambda value: value is not None),  # A reducer must not return None.
)

# A document in which most expressions match something, with equal numbers and equal sort keys.
FULL = {
    "nums": [1, 0, 1.0, 2, -1.5, 2],
    "strs": ["b", "a", "ab", "", "a"],
    "recs": [{"a": 2, "b": "b"}, {"a": 1, "b": "c"}, {"a": 1.0, "b": "a"}, {"a": -3, "b": "ab"}],
    "list": [{"a": 1, "c": {"a": [2]}}, None, {"b": "a", "key": [1, 2]}, 1, "a", [{"a": 0}]],
    "obj": {"b": {"c": [1, 0]}, "a": 1, "é": "a", "key": [], "c": None},
    "nest": [[1, [2]], [], 3, [None, {"a": 1}]],
    "a": 1,
    "b": "ab",
    "c": [1, "a"],
    "key": [1, 2],
}

# ---- Expressions ---------------------------------------------------------------------------------

LISTS = ["recs", "list", "nums", "strs", "nest"]
LEAVES = ["a", "b", "c", "key"]
NAMES = [*LISTS, "obj", *LEAVES]
OPERATORS = [" | ", " || ", " && ", " == ", " != ", " < ", " <= ", " > ", " >= "]

# Arguments of functions, by type.
ARGUMENTS = {
    "number": ["a", "nums[0]", "nums[-1]", "recs[0].a", "length(strs)", "sum(nums)", "`-1.5`"],
    "string": ["b", "strs[0]", "recs[0].b", "'ab'", "''", "to_string(obj)"],
    "numbers": ["nums", "recs[*].a", "nums[1:]", "sort(nums)", "nums[?@ > `0`]", "map(&a, recs)"],
    "strings": ["strs", "recs[*].b", "keys(obj)", "keys(@)", "map(&to_string(@), list)"],
    "array": ["list", "recs", "nest", "nums", "strs", "obj.*", "nest[]", "@.*", '`[1, "a"]`'],
    "object": ["obj", "@", "recs[0]", "list[0]", "{a: b, b: a}"],
    "key": ["&a", "&b", "&@", "&length(b)", "&key", "&abs(a)"],
    "any": ["@", "a", "obj.a", "nums", "`null`", "list[0]"],
}
FUNCTIONS = {
    "number": ["abs", "ceil", "floor"],
    "numbers": ["sum", "avg", "max", "min", "sort"],
    "strings": ["max", "min", "sort"],
    "array key": ["sort_by", "max_by", "min_by"],
    "array any": ["contains"],
    "string string": ["contains", "starts_with", "ends_with"],
    "string strings": ["join"],
    "object": ["keys", "values", "length"],
    "array": ["length", "reverse"],
    "string": ["length", "reverse", "to_number"],
    "key array": ["map"],
    "object object": ["merge"],
    "any": ["to_array", "to_string", "to_number", "type"],
    "any any": ["not_null"],
}

# Calls that succeed for most documents; with random arguments most would fail.
CALLS = [
    *["sort_by(recs, &a)", "sort_by(recs, &b)", "max_by(recs, &a)", "min_by(recs, &b)"],
    *["sort_by(strs, &length(@))", "max_by(nums, &abs(@))", "min_by(list[?b], &to_string(@))"],
    *["join(',', strs)", "join(b, recs[*].b)", "map(&a, list)", "map(&[a, b], recs)"],
    *["sum(nums)", "avg(nums)", "sum(recs[*].a)", "merge(obj, {a: b})", "merge(recs[0], obj)"],
    *["values(obj)", "keys(obj)", "reverse(strs)", "reverse(list)", "ends_with(b, 'b')"],
    *["starts_with(to_string(a), '-')", "contains(nums, a)", "contains(list, `null`)"],
    *["map(&to_number(@), strs)", "not_null(c, a)", "to_array(nest)", "to_string(list)"],
]
SIGNATURES = [(name, kinds.split()) for kinds, names in FUNCTIONS.items() for name in names]


class ExpressionBuilder:
    """Builds an expression from drawn numbers; smaller numbers give simpler expressions."""

    def __init__(self, draw):
        self.draw = draw

    def below(self, count):
        return self.draw(st.integers(0, count - 1))

    def pick(self, choices):
        return self.draw(st.sampled_from(choices))

    def several(self, make, depth, least=1, most=3):
        return ", ".join(make(depth) for _ in range(self.draw(st.integers(least, most))))

    def expression(self, depth=3):
        is_likely = self.below(3) < 2
        text = self.likely(depth) if is_likely else self.primary(depth)
        for _ in range(self.pick([0, 0, 0, 0, 1, 2] if is_likely else [0, 0, 1, 2, 3])):
            text += self.suffix(depth)
        if depth > 0 and self.below(4) == 3:
            text += self.pick(OPERATORS) + self.expression(depth - 1)
        return text

    def likely(self, depth):
        """An expression that matches something in most documents."""
        choice = self.below(10)
        if choice < 1:
            return self.pick(["obj", "obj.*", "obj.a", "obj.b.c", "*", "@", "*.a", "*[]"])
        if choice < 4:
            return self.pick(CALLS)
        if choice < 5:
            return self.comparison()
        text = self.pick(LISTS)
        if choice > 8:
            condition = self.comparison() if depth == 0 or self.below(2) else self.expression(0)
            text += f"[?{condition}]"
        elif choice > 7:
            text += self.slice()
        else:
            text += self.pick(["[*]", "[]", "[0]", "[-1]"])
        return text + (f".{self.pick(LEAVES)}" if self.below(2) else "")

    def comparison(self):
        operands = ["a", "@", "b", "nums[0]", "`0`", "`1`", "`0.5`", "length(@)", "'a'", "key[0]"]
        return self.pick(operands) + self.pick(OPERATORS[3:]) + self.pick(operands)

    def primary(self, depth):
        choice = self.below(20 if depth > 0 else 12)
        if choice < 6:
            return self.member()
        if choice < 8:
            return self.pick(["@", "*", "[*]", "[]"])
        if choice < 9:
            return self.index()
        if choice < 10:
            return self.slice()
        if choice < 12:
            return self.literal()
        if choice < 13:
            return f"[?{self.expression(depth - 1)}]"
        if choice < 14:
            return f"({self.expression(depth - 1)})"
        if choice < 15:
            return f"!{self.expression(depth - 1)}"
        if choice < 17:
            return self.group(depth - 1)
        return self.call(depth - 1)

    def suffix(self, depth):
        choice = self.below(14 if depth > 0 else 9)
        if choice < 4:
            return "." + self.member()
        if choice < 7:
            return self.pick([".*", "[*]", "[]"])
        if choice < 8:
            return self.index()
        if choice < 9:
            return self.slice()
        if choice < 11:
            return f"[?{self.expression(depth - 1)}]"
        if choice < 13:
            return "." + self.group(depth - 1)
        return "." + self.call(depth - 1)

    def member(self):
        if self.below(8) < 7:
            return self.pick(NAMES)
        return json.dumps(self.draw(names), ensure_ascii=self.draw(st.booleans()))

    def index(self):
        return f"[{self.draw(st.integers(-4, 4))}]"

    def slice(self):
        bounds = [self.pick(["", "1", "0", "-1", "2", "-2", "-4", "9"]) for _ in range(2)]
        if self.below(2):
            bounds.append(self.pick(["", "1", "-1", "2", "-2", "9", "-9"] * 3 + ["0"]))
        return f"[{':'.join(bounds)}]"

    def literal(self):
        if self.below(3) < 2:
            text = json.dumps(self.draw(values), ensure_ascii=self.draw(st.booleans()))
            return "`" + text.replace("`", "\\`") + "`"
        text = self.draw(strings)
        # A backslash before the closing quote would escape it.
        return "'" + text.rstrip("\\").replace("\\'", "'").replace("'", "\\'") + "'"

    def group(self, depth):
        if self.draw(st.booleans()):
            return f"[{self.several(self.expression, depth)}]"
        return "{" + self.several(self.pair, depth) + "}"

    def pair(self, depth):
        return f"{self.member()}: {self.expression(depth)}"

    def call(self, depth):
        if self.below(20) == 19:  # Wrong arguments, and unknown names.
            name = self.pick(["abs", "merge", "not_null", "sort_by", "map", "nothing"])
            return f"{name}({self.several(self.loose, depth, least=0)})"
        name, kinds = self.pick(SIGNATURES)
        return f"{name}({', '.join(self.argument(kind, depth) for kind in kinds)})"

    def argument(self, kind, depth):
        choice = self.below(8)
        if choice < 5:
            return self.pick(ARGUMENTS[kind])
        if choice < 7:
            return ("&" if kind == "key" else "") + self.expression(depth)
        return self.pick(ARGUMENTS[self.pick(sorted(ARGUMENTS))])

    def loose(self, depth):
        return self.pick(["", "&"]) + self.expression(depth)


@st.composite
def expressions(draw):
    return ExpressionBuilder(draw).expression()


# Most of these are not valid expressions.
TOKENS = [
    *["a", "b", ".", "*", "[", "]", "[]", "[?", "[*]", "{", "}", "(", ")", ",", ":", "|", "||"],
    *["&", "&&", "@", "!", "!=", "==", "<", "<=", "1", "-1", "0", "-", " ", "'a'", "`1`", '"a"'],
    *["abs(", "sort_by(", "&a", "{a:", "[0]", "=", "é", "#", "'", "`", '"'],
]
token_sequences = st.lists(st.sampled_from(TOKENS), min_size=1, max_size=8).map("".join)
