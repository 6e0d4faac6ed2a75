import ImmutableJSON
import Testing

@testable import JMESPath

/// Expressions that would exhaust the stack or the memory.
@Suite struct LimitTests {
  private func isLimited(_ text: String, on value: Value = .null) -> Bool {
    let result = Result { () throws(JMESPathError) in try Expression(text).evaluate(value) }
    guard case .failure(let error) = result else { return false }
    return error.code == .limit
  }

  private static func nested(
    _ count: Int, _ before: String, _ inner: String, _ after: String
  ) -> String {
    String(repeating: before, count: count) + inner + String(repeating: after, count: count)
  }

  @Test(arguments: [
    ("(", "a", ")"), ("[", "a", "]"), ("!", "a", ""), ("a[?", "a", "]"), ("{a:", "a", "}"),
    ("not_null(", "a", ")"), ("map(&", "@", ", @)"), ("let $x = a in ", "$x", ""),
    ("let $x = ", "a", " in $x"), ("a || (", "b", ")"), ("a.[", "b", "]"), ("*.", "a", ""),
    ("", "a", "[*].b"), ("", "a", " == b"), ("", "a", "[?b]"),
  ])
  func depth(_ before: String, _ inner: String, _ after: String) {
    #expect(!self.isLimited(Self.nested(54, before, inner, after)))
    #expect(self.isLimited(Self.nested(111, before, inner, after)))
    #expect(self.isLimited(Self.nested(100_000, before, inner, after)))
  }

  @Test func message() {
    let text = String(repeating: "(", count: 600)
    checkError(text, .limit, 110, "the expression nests deeper than 110 levels")
  }

  /// Chains and lists may have any length.
  @Test(arguments: [".a", " | a", "[0]", "[]", " || a", " && a", ", a", ".a[0]", ".to_array(@)"])
  func length(_ part: String) throws {
    let isList = part == ", a"
    let text = "a" + String(repeating: part, count: 100_000)
    let expression = try Expression(isList ? "[\(text)]" : text)
    #expect(throws: Never.self) { try expression.evaluate(["a": "1"]) }
  }

  /// A result may nest to the maximum depth of values, and no deeper.
  @Test(arguments: [
    (" | [@]", 2048), (" | to_array([@])", 2048), (".{b: @}", 2048), (" | map(&@, [@])", 2048),
  ])
  func resultDepth(_ part: String, _ depth: Int) {
    #expect(!self.isLimited(Self.nested(depth, "", "`1`", part)))
    #expect(self.isLimited(Self.nested(depth + 1, "", "`1`", part)))
  }

  @Test func resultDepthMessage() {
    checkError(
      Self.nested(2049, "", "`1`", " | [@]"), .limit, 0,
      "the value would nest deeper than 2048 levels; select less")
  }

  @Test func deepBindings() throws {
    // Each $x nests one level deeper than the previous one.
    let text = String(repeating: "let $x = [$x] in ", count: 90) + "$x"
    let arguments = JSONObject([("x", 1)])
    let value = try Expression(text).evaluate([], arguments: arguments)
    #expect(value.json == Self.nested(90, "[", "1", "]"))
  }

  @Test(arguments: [
    // Doubled 40 times.
    String(repeating: "[@, @][] | ", count: 40) + "@",
    String(repeating: "[@, @] | ", count: 26) + "to_string(@)",
    String(repeating: "join('', [@, @]) | ", count: 40) + "@",
  ])
  func size(_ text: String) throws {
    let error = #expect(throws: JMESPathError.self) {
      try Expression(text).evaluate("text", budget: WorkBudget(10_000))
    }
    #expect(error?.code == .limit)
    let message = "takes more than 10000 units of work, which is its budget; simplify"
    #expect(error?.message.contains(message) == true)
  }
}
