import ImmutableJSON
import JMESPath
import Testing

/// Arguments, and the variables of `let`.
@Suite struct VariableTests {
  @Test func arguments() throws {
    let y = try Value(json: #"{"k": [1, 2, 3]}"#)
    let arguments = JSONObject([("x", 2), ("y", y), ("none", .null)])
    for (text, expected) in [
      ("$x", "2"),
      ("$y.k[1]", "2"),
      ("$y.k[?@ >= $x]", "[2,3]"),
      ("$none", "null"),
      ("list[?@ < $x]", "[1]"),
      ("[$x, $x]", "[2,2]"),
      ("{x: $x}", "{\"x\":2}"),
      ("$y.* | [0]", "[1,2,3]"),
      ("!$none", "true"),
      ("map(&[@, $x], list)", "[[1,2],[5,2]]"),
    ] {
      check(text, expected, given: #"{"list": [1, 5]}"#, arguments: arguments)
    }
  }

  @Test func undefined() {
    let message = "the variable $x is not defined; pass the argument \"x\" or bind it with let"
    for (text, position) in [
      ("$x", 0), ("a || $x", 5), ("[let $x = 'b' in $x, $x]", 21),
      ("let $x = $x in $x", 9), ("let $y = `1`, $x = $x in $x", 19),
      // Even where nothing needs it.
      ("`1` || $x", 7), ("`[]`[?@ == $x]", 11),
    ] {
      checkError(text, .undefinedVariable, position, message, given: "{}")
    }
    let error = #expect(throws: JMESPathError.self) {
      try Expression("`[]`[?@ == $x && $y]").requireVariables(in: ["y": 1])
    }
    #expect(error?.message == message)
    #expect(error?.position == 11)
    #expect(throws: Never.self) { try Expression("let $x = `1` in $x").requireVariables(in: [:]) }
  }

  @Test func bindings() {
    let given = #"{"a": "top", "b": [{"a": 1}, {"a": 2}], "let": {"in": 3}, "in": 4}"#
    for (text, expected) in [
      ("let $x = a in $x", #""top""#),
      ("let $x = a, $y = b[0].a in [$x, $y]", #"["top",1]"#),
      ("let $x = a in b[*].[a, $x]", #"[[1,"top"],[2,"top"]]"#),
      // Shadowing, and its end.
      (
        "let $x = a in b[*].[a, $x, let $x = 's' in $x, $x]",
        #"[[1,"top","s","top"],[2,"top","s","top"]]"#
      ),
      ("let $x = `1` in let $y = `2` in let $x = `3` in [$x, $y]", "[3,2]"),
      ("[let $x = `1` in $x, let $x = `2` in $x]", "[1,2]"),
      // Bindings of one let do not see each other, only those of outer lets.
      ("let $x = `1` in let $x = `2`, $y = $x in [$x, $y]", "[2,1]"),
      ("let $x = let $y = `1` in $y in $x", "1"),
      ("let $x = `1`, $x = `2` in $x", "2"),
      // The body of a let extends as far as possible, also over pipes.
      ("let $x = a in b | [0] | [$x, a]", #"["top",1]"#),
      ("(let $x = b in $x) | [0].a", "1"),
      ("b | let $x = [0] in $x.a", "1"),
      // A bound value is not a projection.
      ("let $x = b[*] in $x[0]", #"{"a":1}"#),
      ("b[?let $x = a in $x == `2`]", #"[{"a":2}]"#),
      ("sort_by(b, &let $x = a in abs($x))[0].a", "1"),
      // Outside of a binding, both keywords are names.
      ("let", #"{"in":3}"#), ("let.in", "3"), ("let | in", "3"), ("{let: in}", #"{"let":4}"#),
      ("let $x = in in $x", "4"), ("let $let = let in $let.in", "3"), ("let$x=a in$x", #""top""#),
    ] {
      check(text, expected, given: given)
    }
  }

  @Test func argumentsAreShadowed() {
    let arguments = JSONObject([("x", "argument")])
    check(
      "[$x, let $x = 'bound' in $x, $x]", #"["argument","bound","argument"]"#, given: "{}",
      arguments: arguments)
  }

  @Test(arguments: [
    ("a", []), ("$b.c[?$a > @]", ["a", "b"]), ("let $x = $y in [$x, $z, $y]", ["y", "z"]),
    ("[let $x = a in $x, $x]", ["x"]),
  ])
  func names(_ text: String, _ names: [String]) throws {
    #expect(try Expression(text).variables == names)
  }
}
