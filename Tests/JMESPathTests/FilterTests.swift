import ImmutableJSON
import TestSupport
import Testing

@testable import JMESPath

/// Filters test many elements at once, if the condition allows it. The result, and its cost, are
/// those of one element after the other.
@Suite struct FilterTests {
  private static let arguments = JSONObject([("x", 1), ("y", "a"), ("k", "long text of a string")])

  /// Records with the same keys, and some other values.
  private func document(_ generator: inout Generator) throws -> Value {
    let count = generator.choose([0, 1, 15, 16, 17, 40], else: 16)
    let elements = (0..<count).map { _ in
      if generator.isLucky(1, of: 10) { return generator.value().json }
      let members = ["a", "b", "c"].map { "\"\($0)\":\(self.member(&generator))" }
      return "{\(members.joined(separator: ","))}"
    }
    return try Value(json: "[\(elements.joined(separator: ","))]")
  }

  private func member(_ generator: inout Generator) -> String {
    generator.choose(
      [
        "0", "1", "2", "-1", "1.0", "0.5", "300", "9007199254740993", "9007199254740992.0", "null",
        "true", "\"a\"", "\"long text of a string\"", "\"long text of a stream\"", "[]", "[1]",
        "{\"a\":1}",
      ], else: "1")
  }

  private func operand(_ generator: inout Generator) -> String {
    generator.choose(
      [
        "@", "a", "b", "c", "a.a", "b.a.c", "$x", "$y", "$k", "`0.5`", "`[1]`", "`null`", "`1.0`",
        "'a'",
      ], else: "a")
  }

  private func condition(_ generator: inout Generator, depth: Int = 0) -> String {
    let inner = depth + 1
    switch Int.random(in: 0..<(depth > 2 ? 4 : 8), using: &generator.random) {
    case 0, 1, 2:
      let comparison = generator.choose(["==", "!=", "<", "<=", ">", ">="], else: "==")
      return "\(self.operand(&generator)) \(comparison) \(self.operand(&generator))"
    case 3: return self.operand(&generator)
    case 4: return "!(\(self.condition(&generator, depth: inner)))"
    case 5:
      return
        "(\(self.condition(&generator, depth: inner)) || "
        + "\(self.condition(&generator, depth: inner)))"
    default:
      return
        "(\(self.condition(&generator, depth: inner)) && "
        + "\(self.condition(&generator, depth: inner)))"
    }
  }

  /// The result, or the message of an error other than for an exceeded budget, and the minimum
  /// budget to get it.
  private func outcome(_ text: String, _ value: Value) throws -> (result: String, units: Int) {
    let expression = try Expression(text)
    let run = { (budget: Int) throws(JMESPathError) in
      try expression.evaluate(value, arguments: Self.arguments, budget: WorkBudget(budget))
    }
    var (fails, succeeds) = (0, 1 << 24)
    let result = Result { () throws(JMESPathError) in try run(succeeds) }.description
    while succeeds - fails > 1 {
      let budget = (fails + succeeds) / 2
      if Result(catching: { () throws(JMESPathError) in try run(budget) }).description == result {
        succeeds = budget
      } else {
        fails = budget
      }
    }
    return (result, succeeds)
  }

  /// Each operator, between integers and between reals, in a filter and alone.
  @Test(arguments: [
    ("==", "[2]", "[2.0]", "false"), ("!=", "[1,3]", "[0.5,2.5]", "true"),
    ("<", "[1]", "[0.5]", "true"), ("<=", "[1,2]", "[0.5,2.0]", "true"),
    (">", "[3]", "[2.5]", "false"), (">=", "[2,3]", "[2.0,2.5]", "false"),
  ])
  func comparisons(_ operation: String, _ integers: String, _ reals: String, _ alone: String) {
    check("[?@ \(operation) `2`]", integers, given: "[1,2,3]")
    check("[?@ \(operation) `2.0`]", reals, given: "[0.5,2.0,2.5]")
    check("`1` \(operation) `2`", alone)
    check("`1.5` \(operation) `2.5`", alone)
  }

  /// `not_null()` with one argument costs one unit for each element, and makes a filter test one
  /// element after the other.
  @Test(arguments: seeds(3))
  func manyElementsAtOnce(_ seed: Int) throws {
    var generator = Generator(seed: seed)
    var matches = 0
    for _ in 0..<20 {
      let value = try self.document(&generator)
      let condition = self.condition(&generator)
      let each = generator.choose(
        ["", "", ".a", ".a.a", ".{x: b}", ".[a, c]", ".abs(b)"], else: "")
      guard case .array(let elements) = value else { continue }
      for prefix in ["", "[*] | ", "[] | "] {
        let batch = try self.outcome("\(prefix)[?\(condition)]\(each)", value)
        let single = try self.outcome("\(prefix)[?not_null(\(condition))]\(each)", value)
        #expect(batch.result == single.result, "\(prefix)[?\(condition)]\(each) on \(value)")
        guard !batch.result.hasPrefix("error"), prefix.isEmpty else { continue }
        #expect(
          batch.units == single.units - elements.count, "[?\(condition)]\(each) on \(value)")
        matches += batch.result == "[]" ? 0 : 1
      }
    }
    #expect(matches > 2)
  }

  /// The evaluation of an element can fail before the budget is exceeded by others, and after.
  @Test func theFirstErrorIsReported() throws {
    let records = Array(repeating: ["a": 1] as Value, count: 8)
    let expression = try Expression("[?!b].abs(a)")
    // 28 for the filter and its elements, then 1 for each condition and 1 for each call.
    for (values, units) in [([[:]] + records, 30), (records + [[:]], 46)] as [([Value], Int)] {
      for (budget, code) in [(units - 1, .limit), (units, .invalidType)]
        as [(Int, JMESPathError.Code)]
      {
        let error = #expect(throws: JMESPathError.self) {
          try expression.evaluate(.array(JSONArray(values)), budget: WorkBudget(budget))
        }
        #expect(error?.code == code, "\(budget)")
      }
    }
  }

  /// Computed elements are temporary: their keys can reuse the address of the previous ones.
  @Test func computedElements() throws {
    let value = try Value(json: "[\((0..<100).map(String.init).joined(separator: ","))]")
    let expression = try Expression("[*].{b: @, a: `0`} | [?b >= `98`].[{c: b, a: a} | c, a]")
    #expect(try expression.evaluate(value) == [[98, 0], [99, 0]])
    let nested = try Expression("[?{x: @}.x == `1` || {a: `5`, x: @}.x == `2`]")
    #expect(try nested.evaluate(value) == [1, 2])
  }

  /// Nested projections take as little of the stack as other nodes.
  @Test func nesting() throws {
    let value = try Value(
      json: String(repeating: "[", count: 60) + String(repeating: "]", count: 60))
    let expression = try Expression(
      String(repeating: "[?@ == @ || !@][?", count: 50) + "@" + String(repeating: "]", count: 50))
    #expect(throws: Never.self) { try expression.evaluate(value) }
  }
}

extension Result<Value, JMESPathError> {
  fileprivate var description: String {
    switch self {
    case .success(let value): value.json
    case .failure(let error): "error \(error.code): \(error.message)"
    }
  }
}
