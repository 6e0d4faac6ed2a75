import ImmutableJSON
import Testing

@testable import JMESPath

/// Texts that would use up the stack or the memory.
@Suite struct LimitTests {
  private func isLimited(_ text: String, on value: Value = .null) -> Bool {
    let result = Result { () throws(JMESPathError) in try Expression(text).evaluate(value) }
    guard case .failure(let error) = result else { return false }
    return error.code == .limit
  }

  @Test(arguments: [
    ("(", "a", ")"), ("[", "a", "]"), ("!", "a", ""), ("a[?", "a", "]"), ("{a:", "a", "}"),
    ("not_null(", "a", ")"), ("map(&", "@", ", @)"), ("let $x = a in ", "$x", ""),
    ("let $x = ", "a", " in $x"), ("a || (", "b", ")"), ("a.[", "b", "]"), ("*.", "a", ""),
    ("", "a", "[*].b"), ("", "a", " == b"), ("", "a", "[?b]"),
    ("", "a", " | [@]"), ("", "`[1]`", " | to_array(@)"), ("", "a", ".{b: @}"),
  ])
  func depth(_ before: String, _ inner: String, _ after: String) {
    func nested(_ count: Int) -> String {
      String(repeating: before, count: count) + inner + String(repeating: after, count: count)
    }
    #expect(!self.isLimited(nested(200)))
    #expect(self.isLimited(nested(501)))
    #expect(self.isLimited(nested(100_000)))
  }

  @Test func message() {
    let text = String(repeating: "(", count: 600)
    checkError(text, .limit, 500, "the expression nests deeper than 500")
  }

  /// What follows one another may be as long as it likes.
  @Test(arguments: [".a", " | a", "[0]", "[]", " || a", " && a", ".*", ", a", ".a[0]"])
  func length(_ part: String) throws {
    let isList = part == ", a"
    let text = "a" + String(repeating: part, count: part == ".*" ? 200 : 100_000)
    let expression = try Expression(isList ? "[\(text)]" : text)
    #expect(throws: Never.self) { try expression.evaluate(["a": 1]) }
  }

  @Test func deepBindings() throws {
    // Each $x nests one deeper than that before.
    let text = String(repeating: "let $x = [$x] in ", count: 200) + "$x"
    let arguments = JSONObject([("x", 1)])
    let value = try Expression(text).evaluate([], arguments: arguments)
    #expect(
      value.json == String(repeating: "[", count: 200) + "1" + String(repeating: "]", count: 200))
    let steps = Array(repeating: "[@]", count: 400).joined(separator: " | ")
    #expect(self.isLimited("let $x = \(steps) in let $y = ($x | \(steps)) in $y"))
  }

  @Test(arguments: [
    // Doubled forty times.
    String(repeating: "[@, @][] | ", count: 40) + "@",
    String(repeating: "[@, @] | ", count: 40) + "to_string(@)",
    String(repeating: "join('', [@, @]) | ", count: 40) + "@",
    "let $x = \(String(repeating: "[@, @] | ", count: 40)) @,"
      + " $y = \(String(repeating: "[@, @] | ", count: 40)) @ in $x == $y",
  ])
  func size(_ text: String) throws {
    let error = #expect(throws: JMESPathError.self) {
      try Expression(text).evaluate("text", JSONObject(), elements: 10_000)
    }
    #expect(error?.code == .limit)
    #expect(error?.message == "the evaluation makes or compares more than 10000 elements")
  }

  @Test func pairs() throws {
    let numbers = Value.array(JSONArray((0..<100).map { .integer($0) }))
    let expression = try Expression("let $all = @ in [*].[$all[*].[@]]")
    #expect(throws: JMESPathError.self) {
      try expression.evaluate(numbers, JSONObject(), elements: 20_200)
    }
    // The binding, 100 outside, a list for each, and in it 100 lists of one element.
    #expect(throws: Never.self) {
      try expression.evaluate(numbers, JSONObject(), elements: 20_201)
    }
  }
}
