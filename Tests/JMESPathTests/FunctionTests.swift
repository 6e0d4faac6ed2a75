import ImmutableJSON
import JMESPath
import Testing

/// Functions and operators beyond the conformance suite.
@Suite struct FunctionTests {
  private static let given = #"""
    {"a": {"b": 1, "c": [3, 1, 2]}, "list": [{"k": 2, "v": "x"}, {"k": 1, "v": "y"}, {"k": 2.0}],
     "mixed": [null, [1, [2]], [], 3]}
    """#

  @Test(arguments: [
    // Sorting is stable, and the first of equal elements wins.
    ("sort_by(list, &k)[*].v", #"["y","x"]"#),
    ("sort_by(list, &k)[-1]", #"{"k":2.0}"#),
    ("max_by(list, &k).v", #""x""#),
    ("min_by(list[?k > `1`], &k).v", #""x""#),
    ("max_by(`[]`, &k)", "null"),
    ("sort_by(list, &abs(k))[0].v", #""y""#),
    ("map(&v, list)", #"["x","y",null]"#),
    ("merge(a, {b: `2`}, {d: `3`})", #"{"b":2,"c":[3,1,2],"d":3}"#),
    ("values(a)", "[1,[3,1,2]]"),
    ("reverse(a.c)", "[2,1,3]"),
    ("to_array(a.c)", "[3,1,2]"),
    ("to_array(a.b)", "[1]"),
    ("to_string(a)", #""{\"b\":1,\"c\":[3,1,2]}""#),
    ("to_string('x')", #""x""#),
    ("not_null(x, a.b)", "1"),
    ("get(a, 'b')", "1"),
    ("get(a, list[0].v)", "null"),
    ("get(@, 'a').c[0]", "3"),
    ("a.get(@, 'c')", "[3,1,2]"),
    ("get(a.c, `-1`)", "2"),
    ("get(a.c, `3`)", "null"),
    ("get(a.c, `-9223372036854775808`)", "null"),
    ("get(a.c, '0')", "null"),
    ("get(a, `0`)", "null"),
    ("get(x, 'b')", "null"),
    ("list[*].get(@, 'k')", "[2,1,2.0]"),
    ("contains('abc', `1`)", "false"),
    // A flatten drops nulls, as every projection does.
    ("mixed[]", "[1,[2],3]"),
    ("mixed[][]", "[1,2,3]"),
    ("a.c[]", "[3,1,2]"),
    ("mixed[*]", "[[1,[2]],[],3]"),
    ("a.*", "[1,[3,1,2]]"),
    ("list[*]", #"[{"k":2,"v":"x"},{"k":1,"v":"y"},{"k":2.0}]"#),
    ("list[?k == `2`].v", #"["x"]"#),
    ("list[?v].v | [0]", #""x""#),
    ("(list[*].v)[0]", #""x""#),
    ("a[*]", "null"),
    ("list.*", "null"),
    ("a[?b]", "null"),
    ("x.[a]", "null"),
    ("x.{a: b}", "null"),
    ("a.{b: b, c: `0`, b: `2`}", #"{"b":2,"c":0}"#),
    // `!` binds tighter than the infix operators.
    ("!a.x", "true"),
    ("!a.x == a.b", "false"),
    ("!!a.b && `1`", "1"),
    ("!list[*].x", "true"),
    // `|` has the lowest precedence, then `||`, `&&`, and comparisons.
    ("a.x || a.b && a.c[0]", "3"),
    ("a.b == `1` || a.x", "true"),
    ("a.x || a.c | [0]", "3"),
    ("a.b == `1` == `true`", "true"),
  ])
  func results(_ text: String, _ expected: String) {
    check(text, expected, given: Self.given)
  }
}
