import ImmutableJSON
import JMESPath
import Testing

/// The paths at or under which an expression may read.
@Suite struct PathTests {
  @Test(arguments: [
    ("a", "a"), ("a.b.c", "a.b.c"), ("a.b | c", "a.b.c"), ("(a | b).c", "a.b.c"), ("@.a", "a"),
    ("records.k17.a", "records.k17.a"), ("orders.*.status", "orders"),
    ("records.*.a | [?@ > $limit]", "records"),
    ("@", "@"), ("keys(@)", "@"), ("*", "@"), ("[]", "@"), ("[0]", "@"), ("!@", "@"),
    ("a[0].b", "a"), ("a[1:2].b", "a"), ("a[].b", "a"), ("a[*].b.c", "a"), ("a.b[0]", "a.b"),
    ("[a, b.c]", "a b.c"), ("{x: a, y: b.c}", "a b.c"), ("a.[b, c]", "a.b a.c"),
    ("a.{x: b.c, y: b.d}", "a.b.c a.b.d"), ("{x: a.b}.x.c", "a.b"),
    ("foo[?bar == $x]", "foo"), ("foo.x[?bar == $x].y | [0]", "foo.x"),
    ("a || b.c", "a b.c"), ("a && b.c", "a b.c"), ("a == b.c", "a b.c"), ("!a.b", "a.b"),
    ("length(a.b)", "a.b"), ("sort_by(a.b, &c.d)", "a.b"), ("map(&[x, y], a)", "a"),
    ("not_null(a, b)", "a b"), ("get(a.b, 'c').d", "a.b.c.d"), ("get(a, b)", "a b"),
    ("get(a, $x).b", "a"), ("get(a, `1`)", "a"), ("a.get(@, 'b')", "a.b"), ("get($x, b)", "b"),
    ("get(get(a, 'b'), 'c')", "a.b.c"), ("a[*].get(@, 'b')", "a"), ("a.length(b)", "a.b"),
    ("a.length(@)", "a"),
    // A path, and others under it.
    ("[a, a.b, a.b.c]", "a"), ("[a.b.c, a.b]", "a.b"), ("[a.b, a.bc, ab]", "a.b a.bc ab"),
    ("[a, @]", "@"), ("[b, a]", "a b"),
    // No paths.
    ("`1`", ""), ("'x'.y", ""), ("$x.y", ""), ("length(`[1]`)", ""), ("`{}`.[a, b]", ""),
    // These only read whether a value is null.
    ("[`1`]", "@"), ("a.[`1`]", "a"), ("a.[`1`, b]", "a.b"),
    // Variables have the path of their binding; an unused one reads nothing.
    ("let $r = other in records[?id == $r.id]", "other.id records"),
    ("let $r = a.b in $r.c", "a.b.c"), ("let $r = a in b", "b"), ("let $r = a[0] in b", "a b"),
    ("let $r = @ in a.[b, $r.c]", "a.b c"), ("let $r = a in let $r = b in $r", "b"),
    ("a[*].[let $r = b in $r]", "a"), ("let $r = a, $s = b in [$r.x, $s.y]", "a.x b.y"),
    ("let $r = a in b[*].[c, $r.d]", "a.d b"), ("sort_by(a, &$x.b)", "a"),
    ("let $r = b in map(&[@, $r.c], a)", "a b.c"),
  ])
  func paths(_ text: String, _ expected: String) throws {
    let paths = try Expression(text).paths
    #expect(paths.map(\.description).joined(separator: " ") == expected)
  }

  /// Paths that depend on arguments.
  @Test(arguments: [
    ("get(a, $x).b", "a.k.b", true), ("get(a, $n)", "a", true), ("get(a, $y)", "a", true),
    ("[get(a, $x), a]", "a", false), ("a[?b == $x]", "a", false), ("a.b", "a.b", false),
    ("get(get(a, $x), $x).b", "a.k.k.b", true), ("get($y, $x)", "", false),
    ("let $r = get(a, $x) in [$r.b, $r.c]", "a.k.b a.k.c", true),
  ])
  func pathsByArguments(_ text: String, _ expected: String, _ varies: Bool) throws {
    let expression = try Expression(text)
    let paths = expression.paths(with: ["x": "k", "n": 1])
    #expect(paths.map(\.description).joined(separator: " ") == expected)
    #expect(expression.pathsDependOnArguments == varies)
  }

  @Test func keysAreBytes() throws {
    let paths = try Expression("[\"\u{e9}\".a, \"e\u{301}\".b, \"a.b\"]").paths
    #expect(paths.map(\.keys) == [["a.b"], ["e\u{301}", "b"], ["\u{e9}", "a"]])
    #expect(Path(["\u{e9}"]) != Path(["e\u{301}"]))
    #expect(Set([Path(["\u{e9}"]), Path(["e\u{301}"]), Path(["\u{e9}"])]).count == 2)
    #expect(Path(["ab", "c"]) != Path(["a", "bc"]))
  }

  /// The length and number of paths are limited.
  @Test func limits() throws {
    let long = Array(repeating: "a", count: 1000)
    #expect(
      try Expression(long.joined(separator: ".")).paths == [Path(Array(long.prefix(128)))])
    let many = (0..<1024).map { "k\($0)" }.joined(separator: ", ")
    #expect(try Expression("[\(many)]").paths.count == 1024)
    #expect(try Expression("[\(many), more]").paths == [Path([])])
  }

  @Test(arguments: [
    ("a.b", #"{"a": {"b": 1}}"#, #"{"a": {"b": 1, "c": 2}, "d": 3}"#, true),
    ("a.b", #"{"a": {"b": 1}}"#, #"{"a": {"b": 2}}"#, false),
    ("a.b", #"{"a": {"b": 1}}"#, #"{"a": {"b": 1.0}}"#, false),
    ("a.b", #"{"a": 1}"#, #"{"a": "c"}"#, true),
    ("a", #"{"a": null}"#, "{}", true),
    ("@", "1", "1", true),
    ("`1`", "1", "2", true),
    // A multiselect of null is null, so null differs from an empty object.
    ("a.[b]", #"{"a": null}"#, #"{"a": {}}"#, false),
    ("[b]", "null", "{}", false),
  ])
  func readSetIsUnchanged(_ text: String, _ old: String, _ new: String, _ expected: Bool) throws {
    let (old, new) = (try Value(json: old), try Value(json: new))
    #expect(try Expression(text).readSet(of: old).isUnchanged(in: new) == expected)
  }

  @Test(arguments: [
    "a", "@", "a.b.c", "a | b", "get(a, $k)", "get(a.b, 'c').d", "a | get(@, $k)",
    "get(get(a, $k), $k)",
  ])
  func isPath(_ text: String) throws {
    let expression = try Expression(text)
    let arguments = JSONObject(expression.variables.map { ($0, "b") })
    #expect(expression.isPath(with: arguments, budget: WorkBudget()))
    // A budget that is large enough for a path is large enough for an evaluation.
    let value: Value = ["a": ["b": ["b": 1, "c": ["d": 2]]]]
    for units in 0..<200 {
      let budget = WorkBudget(units)
      guard expression.isPath(with: arguments, budget: budget) else { continue }
      _ = try expression.evaluate(value, arguments: arguments, budget: budget)
    }
  }

  @Test(
    arguments: [
      ("a[0]", [:]), ("a.*", [:]), ("[a]", [:]), ("{x: a}", [:]), ("!a", [:]), ("a || b", [:]),
      ("'a'", [:]), ("length(a)", [:]), ("get(a, b)", [:]), ("get(a, $k)", ["k": 1]),
      ("let $x = a in $x", [:]), (Array(repeating: "a", count: 129).joined(separator: "."), [:]),
    ] as [(String, JSONObject)])
  func isNotAPath(_ text: String, _ arguments: JSONObject) throws {
    #expect(try !Expression(text).isPath(with: arguments, budget: WorkBudget()))
  }
}
