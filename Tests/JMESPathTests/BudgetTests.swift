import ImmutableJSON
import Testing

@testable import JMESPath

/// The cost of evaluations, in units of work.
@Suite struct BudgetTests {
  /// Checks the minimum budget with which an evaluation succeeds.
  private func check(
    _ text: String, _ units: Int, given: Value = .null,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expression = try Expression(text)
    func isEnough(_ budget: Int) -> Bool {
      do throws(JMESPathError) {
        _ = try expression.evaluate(given, budget: WorkBudget(budget))
        return true
      } catch {
        #expect(error.code == .limit, "\(text)", sourceLocation: sourceLocation)
        return false
      }
    }
    if !isEnough(units - 1), isEnough(units) { return }
    var (fails, succeeds) = (0, 1 << 24)
    while succeeds - fails > 1 {
      let budget = (fails + succeeds) / 2
      if isEnough(budget) { succeeds = budget } else { fails = budget }
    }
    #expect(succeeds == units, "\(text)", sourceLocation: sourceLocation)
  }

  private static let numbers = Value.array(JSONArray((0..<1000).map { .integer($0) }))
  private static let text = Value.string(String(repeating: "abcdefgh", count: 1000))

  /// Each node costs one unit.
  @Test(arguments: [
    ("@", 1), ("a", 1), ("a.b", 3), ("a.b.c.d", 5), ("!a", 2), ("a == b", 3),
    ("a && b && c", 4), ("a || b", 3), ("(a)", 1), ("a | b", 3), ("[0]", 1),
    ("let $x = a in $x", 3), ("let $x = a, $y = b in $x", 4), ("[1:2]", 3), ("not_null(a, b)", 3),
    ("abs(`1`)", 2), ("get(@, 'key')", 3),
  ])
  func parts(_ text: String, _ units: Int) throws {
    try self.check(text, units)
  }

  /// Each visited element costs, and more if it becomes an element of a new array.
  @Test(arguments: [
    ("sum(@)", 1002), ("avg(@)", 1002), ("max(@)", 2002), ("min(@)", 2002),
    ("contains(@, `-1`)", 1003), ("length(@)", 2), ("reverse(@)", 4002), ("map(&@, @)", 5003),
    ("sort(@)", 10_002), ("sort_by(@, &@)", 10_003), ("max_by(@, &@)", 2003),
    ("min_by(@, &@)", 2003), ("[*]", 5001), ("[]", 9003), ("[:]", 9003), ("[?@ > `-1`]", 8001),
    ("[?@ < `0`]", 5001), ("[0:10]", 93), ("[*].a", 2001), ("to_array([*])", 5002),
    ("@ == `[]`", 4), ("[*].[@] | length(@)", 15_004), ("[*].{a: @} | length(@)", 20_004),
    ("[@, @][] | length(@)", 16_024), ("map(&[@, @], @) | length(@)", 21_006),
    ("let $a = @ in length([*].[sum($a)])", 1_016_004), ("[[0], [1]]", 17), ("[::-1]", 9003),
  ])
  func elements(_ text: String, _ units: Int) throws {
    try self.check(text, units, given: Self.numbers)
  }

  private static let object = Value.object(
    JSONObject((0..<100).map { ("a key of sixteen\($0)", .integer($0)) }))

  /// Each visited member costs, and each long key that becomes a string.
  @Test(arguments: [
    ("*", 501), ("length(keys(@))", 703), ("values(@)", 402), ("merge(@, @)", 2539),
    ("length(@)", 2),
    ("merge(@)", 2), ("* | [?@ == `1`]", 1006),
  ])
  func members(_ text: String, _ units: Int) throws {
    try self.check(text, units, given: Self.object)
  }

  /// Each 16 bytes of compared text cost, and each 8 bytes of new text.
  @Test(arguments: [
    ("length(@)", 503), ("reverse(@)", 1003), ("starts_with(@, @)", 504), ("ends_with(@, @)", 504),
    ("ends_with(@, 'h')", 4), ("contains(@, 'i')", 505), ("contains(@, @)", 8504),
    ("to_string(@)", 2), ("to_number(@)", 503), ("@ == @", 504), ("@ == 'a'", 3),
    ("join('', [@, @]) | length(@)", 3027), ("join(@, ['a', 'b']) | length(@)", 1527),
    ("max([@, @]) | length(@)", 1528), ("sort([@, @]) | length(@)", 1039),
    ("get({a: `1`}, @)", 519),
  ])
  func text(_ text: String, _ units: Int) throws {
    try self.check(text, units, given: Self.text)
  }

  /// A long key costs once, regardless of the number of comparisons.
  @Test(arguments: [
    ("sort(@)", 1852), ("sort_by(@, &@)", 1853), ("max(@)", 502), ("min(@)", 502),
    ("max_by(@, &@)", 503), ("min_by(@, &@)", 503),
  ])
  func longKeys(_ text: String, _ units: Int) throws {
    let keys = (100..<200).map { Value.string("a long key of 32 bytes, with \($0)") }
    try self.check(text, units, given: .array(JSONArray(keys)))
  }

  /// Equal values are compared; identical ones are not.
  @Test(arguments: [("[0] == [1]", 1004), ("[0] == [0]", 4), ("contains(@, [0])", 6)])
  func equality(_ text: String, _ units: Int) throws {
    let list = { Value.array(JSONArray((0..<1000).map { .integer($0) })) }
    try self.check(text, units, given: [list(), list()])
  }

  /// A result of many small values has little text, but writing each value costs.
  @Test func writingManyValues() throws {
    let empty = Value.array(JSONArray(repeatElement([], count: 100)))
    let expression = try Expression("[@, @, @, @]")
    let error = #expect(throws: JMESPathError.self) {
      try expression.evaluate(empty, budget: WorkBudget(250))
    }
    #expect(error?.code == .limit)
    #expect(try expression.evaluate(empty, budget: WorkBudget(700)) != .null)
    #expect(try Expression("[@, @, @, @] | [0]").evaluate(empty, budget: WorkBudget(250)) == empty)
  }

  @Test func message() {
    let expression = "let $a = @ in\n length(map(&sum($a), $a))"
    let error = #expect(throws: JMESPathError.self) {
      try Expression(expression).evaluate(Self.numbers, budget: WorkBudget(100_000))
    }
    #expect(
      error?.message
        == "sum(): the evaluation takes more than 100000 units of work, which is its budget; "
        + "simplify the expression, or raise \"budget\"")
    #expect(error?.line == 2)
    #expect(error?.column == 14)
    let byDefault = #expect(throws: JMESPathError.self) {
      try Expression(String(repeating: "[@, @][] | ", count: 40) + "@").evaluate("text")
    }
    #expect(
      byDefault?.message
        == "the evaluation takes more than 16777216 units of work, which is the work limit; "
        + "simplify the expression, raise the limit, or set \"budget\"")
  }

  /// A result may be as large as the input. One that contains a part many times may not exceed the
  /// budget with its text.
  @Test func resultText() throws {
    let names = Value.array(JSONArray((0..<1000).map { .string("name number \($0)") }))
    try self.check("@", 1, given: names)
    let doubled = try Expression(String(repeating: "[@, @] | ", count: 10) + "@")
    let error = #expect(throws: JMESPathError.self) {
      try doubled.evaluate(names, budget: WorkBudget(10_000))
    }
    #expect(error?.code == .limit)
    #expect(throws: Never.self) {
      try Expression(doubled.text + " | length(@)").evaluate(names, budget: WorkBudget(10_000))
    }
  }
}
