import ImmutableJSON
import JMESPath
import Testing

/// The messages of errors, and the positions of their carets.
@Suite struct ErrorTests {
  @Test(arguments: [
    ("", 0, "expected an expression, found the end"),
    ("a.b.", 4, "expected a name, \"*\", \"[\" or \"{\" after the dot, found the end"),
    ("a ]", 2, "expected an operator or the end, found \"]\""),
    ("a[b]", 2, "expected a number, \":\" or \"*\", found \"b\""),
    ("[a, ]", 4, "expected an expression, found \"]\""),
    ("[a b]", 3, "expected \",\" or \"]\", found \"b\""),
    ("{a b}", 3, "expected \":\", found \"b\""),
    ("{1: b}", 1, "expected a name, found \"1\""),
    ("(a", 2, "expected \")\", found the end"),
    ("[1 2]", 3, "expected \":\" or \"]\", found \"2\""),
    ("[1:2:3:4]", 6, "expected \"]\", found \":\""),
    ("a == 'b", 5, "the string that begins here has no closing '"),
    ("a == `1", 5, "the literal that begins here has no closing `"),
    ("a.\"b", 2, "the name that begins here has no closing \""),
    ("a.$", 2, "\"$\" must be followed by the name of a variable"),
    ("a # b", 2, "unexpected character \"#\"; a name that contains it must be in double quotes"),
    ("é", 0, "unexpected character \"é\"; a name that contains it must be in double quotes"),
    ("a.\u{0}", 2, "unexpected character U+0; a name that contains it must be in double quotes"),
    ("\"abs\"(a)", 0, "the name of a function must not be quoted"),
    ("[&a]", 1, "an expression such as &name is only allowed as an argument of a function"),
    ("let $x in a", 7, "expected \"=\", found \"in\""),
    ("let $x = a", 10, "expected \",\" or \"in\", found the end"),
    ("let $x = a, y = b in c", 12, "expected a $variable, found \"y\""),
    ("a.let $x = b in c", 2, "a let is not allowed after a dot; use a pipe"),
  ])
  func syntax(_ text: String, _ position: Int, _ message: String) {
    checkError(text, .syntax, position, message)
  }

  /// The syntax of other languages, which people may try in JMESPath.
  @Test(arguments: [
    ("todos[?id > 1]", 12, "a number must be a literal in backticks: `1`"),
    ("todos[?id == 1.5]", 13, "a number must be a literal in backticks: `1.5`"),
    ("todos[?id == -20]", 13, "a number must be a literal in backticks: `-20`"),
    ("get(@, 1.)", 7, "a number must be a literal in backticks: `1`"),
    ("todos[?done = `true`]", 12, "\"=\" is not an operator; did you mean \"==\"?"),
    ("a = b", 2, "\"=\" is not an operator; did you mean \"==\"?"),
    ("length(a = b)", 9, "\"=\" is not an operator; did you mean \"==\"?"),
    ("{a = b}", 3, "expected \":\", found \"=\""),
    ("my-key", 0, "a name that contains \"-\" must be in double quotes: \"my-key\""),
    ("a.my-long-key.b", 2, "a name that contains \"-\" must be in double quotes: \"my-long-key\""),
    ("a[?my-1 == b]", 3, "a name that contains \"-\" must be in double quotes: \"my-1\""),
    ("a--b", 0, "a name that contains \"-\" must be in double quotes: \"a--b\""),
    ("n + n", 2, "unexpected character \"+\"; JMESPath has no arithmetic"),
    ("n / n", 2, "unexpected character \"/\"; JMESPath has no arithmetic"),
    ("n % n", 2, "unexpected character \"%\"; JMESPath has no arithmetic"),
    (
      "n - n", 2, "\"-\" must be followed by the digits of a number; JMESPath has no arithmetic"
    ),
    (
      "n -1", 2,
      "expected an operator or the end, found \"-1\"; JMESPath has no arithmetic"
    ),
    ("n * n", 2, "expected an operator or the end, found \"*\"; JMESPath has no arithmetic"),
    ("a and b", 2, "expected an operator or the end, found \"and\"; write \"&&\""),
    ("[?a or b]", 4, "expected \"]\", found \"or\"; write \"||\""),
    (
      "not done", 4,
      "expected an operator or the end, found \"done\"; write \"!\" instead of \"not\""
    ),
    ("a.knot done", 7, "expected an operator or the end, found \"done\""),
    ("a === b", 4, "expected an expression, found \"=\"; write \"==\" or \"!=\""),
    ("a !== b", 4, "expected an expression, found \"=\"; write \"==\" or \"!=\""),
    ("{*}", 1, "expected a name, found \"*\""),
    ("{-1: b}", 1, "expected a name, found \"-1\""),
    ("a | = b", 4, "expected an expression, found \"=\""),
    (
      "items.0", 6,
      "an index must be in brackets, without a dot: [0], or | [0] for one of all results of a "
        + "projection"
    ),
    (
      "items[].[-1]", 9,
      "an index must be in brackets, without a dot: [-1], or | [-1] for one of all results of a "
        + "projection"
    ),
    ("items.[1.5]", 7, "a number must be a literal in backticks: `1.5`"),
    (
      "$.items", 0,
      "\"$\" must be followed by the name of a variable; "
        + "the root is @: write items instead of $.items"
    ),
    ("a | $my-key", 4, "the name of a variable cannot contain \"-\": $my-key"),
  ])
  func mistakes(_ text: String, _ position: Int, _ message: String) {
    checkError(text, .syntax, position, message)
  }

  @Test func aHashKeyMustNotContainNUL() {
    checkError(
      #"{a: b, "c\u0000d": e}"#, .invalidValue, 7, "a key must not contain U+0000")
  }

  /// Lines and columns count code points, offsets bytes.
  @Test(arguments: [
    ("{\n  a: b,\n  c: d[?e = f]\n}", 3, 11, 20),
    ("'é' é", 1, 5, 5),
    ("'é\né' é", 2, 4, 8),
    ("a |\n", 2, 1, 4),
  ])
  func lines(_ text: String, _ line: Int, _ column: Int, _ offset: Int) {
    let error = #expect(throws: JMESPathError.self) { try Expression(text) }
    #expect([error?.line, error?.column, error?.offset] == [line, column, offset], "\(text)")
  }

  @Test(arguments: [
    ("a | lenght(b)", 4, "there is no function \"lenght\"; did you mean \"length\"?"),
    ("len(b)", 0, "there is no function \"len\"; did you mean \"length\"?"),
    ("sort-by(b, &c)", 0, "there is no function \"sort-by\"; did you mean \"sort_by\"?"),
    ("LENGTH(b)", 0, "there is no function \"LENGTH\"; did you mean \"length\"?"),
    ("frobnicate(b)", 0, "there is no function \"frobnicate\""),
  ])
  func unknownFunction(_ text: String, _ position: Int, _ message: String) {
    checkError(text, .unknownFunction, position, message)
  }

  @Test(arguments: [
    ("a.length()", 2, "length() takes 1 argument, got 0"),
    ("join(a)", 0, "join() takes 2 arguments, got 1"),
    ("not_null()", 0, "not_null() takes at least 1 argument, got 0"),
  ])
  func invalidArity(_ text: String, _ position: Int, _ message: String) {
    checkError(text, .invalidArity, position, message)
  }

  @Test(arguments: [
    ("get(@, b)", 7, "argument 2 of get() must be a string or an integer, got null"),
    ("get(@, `1.0`)", 7, "argument 2 of get() must be a string or an integer, got a number"),
    ("abs(a)", 4, "argument 1 of abs() must be a number, got a string"),
    (
      "join('-', [@, `1`])", 10,
      "argument 2 of join() must be an array of strings, got an object at index 0"
    ),
    (
      "sum(`[1, \"2\"]`)", 4,
      "argument 1 of sum() must be an array of numbers, got a string at index 1"
    ),
    (
      "sort(`[1, \"2\"]`)", 5,
      "argument 1 of sort() must be an array of numbers or of strings, got a string at index 1"
    ),
    (
      "sort_by([@], &b)", 13,
      "argument 2 of sort_by() must yield only numbers or only strings, got null at index 0"
    ),
    ("sort_by([@], b)", 13, "argument 2 of sort_by() must be an expression such as &name"),
    ("abs(&a)", 4, "argument 1 of abs() must be a value, got an expression"),
    (
      "length(`1`)", 7,
      "argument 1 of length() must be a string, an array or an object, got an integer"
    ),
    ("keys(a)", 5, "argument 1 of keys() must be an object, got a string"),
    (
      "contains(`1`, a)", 9, "argument 1 of contains() must be an array or a string, got an integer"
    ),
  ])
  func invalidType(_ text: String, _ position: Int, _ message: String) {
    checkError(text, .invalidType, position, message, given: #"{"a": "b"}"#)
  }

  @Test(arguments: [
    ("a[::0]", 4, "the step of a slice cannot be 0"),
    ("sum(`[1e308, 1e308]`)", 4, "the sum of argument 1 of sum() is not a finite number"),
  ])
  func invalidValue(_ text: String, _ position: Int, _ message: String) {
    checkError(text, .invalidValue, position, message)
  }

  @Test func literals() throws {
    let error = #expect(throws: JMESPathError.self) { try Expression("a == `b`") }
    #expect(error?.code == .syntax)
    #expect(error?.message.hasPrefix("the literal is not JSON: ") == true)
    #expect(error?.message.hasSuffix("; put strings in single quotes") == true)
    #expect(error?.position == 5)
  }

  @Test func excerpts() {
    let long = String(repeating: "x", count: 48)
    let spaces = String(repeating: " ", count: 48)
    let wide = String(repeating: "高", count: 24)
    for (text, excerpt) in [
      ("a.b | foo(c)", "  a.b | foo(c)\n        ^"),
      ("é", "  é\n  ^"),
      ("'é𝄞' | foo(c)", "  'é𝄞' | foo(c)\n         ^"),
      ("a |\n  foo(b)\n| c", "    foo(b)\n    ^"),
      ("a\t|\tfoo(b)", "  a | foo(b)\n      ^"),
      ("a[", "  a[\n    ^"),
      ("a\n|", "  |\n   ^"),
      ("\(long).foo(b)", "  …\(long.dropFirst()).foo(b)\n   \(spaces)^"),
      ("foo(\(long))", "  foo(\(long.dropFirst(4))…\n  ^"),
      ("'a\u{85}\u{200F}\u{2028}' | foo(c)", "  'a   ' | foo(c)\n           ^"),
      (
        "'\(wide)'.foo('\(wide)')",
        "  …\(wide.prefix(15))'.foo('\(wide.prefix(14))…\n  \(spaces.prefix(18))^"
      ),
    ] {
      let error = #expect(throws: JMESPathError.self) { try Expression(text) }
      #expect(error?.excerpt == excerpt)
      #expect(error?.description == error.map { "\($0.message)\n\(excerpt)" })
    }
  }
}
