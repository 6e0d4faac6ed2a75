import Testing

@testable import ImmutableJSON

/// Parts that occur very often are not compared each time.
@Suite struct RepeatedPartsTests {
  /// A new value that contains another 2^times times.
  private func doubled(_ value: Value, _ times: Int, asObject: Bool = false) -> Value {
    (0..<times).reduce(value) { value, _ in
      asObject ? ["a": value, "b": value] : [value, value]
    }
  }

  /// The same with two values at each level, so that all combinations of equal parts are compared.
  private func crossed(_ value: Value, _ times: Int) -> Value {
    let pair = (0..<times).reduce((value, value)) { pair, _ in
      ([pair.0, pair.1, pair.1, pair.0], [pair.0, pair.1, pair.1, pair.0])
    }
    return [pair.0, pair.1]
  }

  /// Ten thousand references to one string of a megabyte.
  private func strings() -> Value {
    let string = Value.string(String(repeating: "x", count: 1 << 20))
    return .array(JSONArray(repeatElement(string, count: 10_000)))
  }

  /// Whether two values are equal, and their difference, within a small budget.
  private func compare(
    _ left: Value, _ right: Value, _ numbers: ValueComparison.Numbers = .exact
  ) throws -> (isEqual: Bool, patch: Value) {
    var budget = WorkBudget(1 << 14)
    var comparison = ValueComparison(numbers, memoThreshold: 1 << 10)
    let isEqual = try comparison.areEqual(left, right, &budget)
    var builder = PatchBuilder(budget, ValueComparison(numbers, memoThreshold: 1 << 10))
    try builder.compare(left, right)
    return (isEqual, .array(JSONArray(builder.operations)))
  }

  @Test func equalValuesAreEqual() throws {
    for make in [
      { self.doubled([1], 60) }, { self.doubled([1], 60, asObject: true) },
      { self.crossed([1], 60) },
    ] {
      let result = try self.compare(make(), make())
      #expect(result.isEqual)
      #expect(result.patch == [])
    }
  }

  @Test func longStringsAreComparedOnce() throws {
    var budget = WorkBudget(1 << 18)
    var comparison = ValueComparison(.exact, memoThreshold: 1 << 10)
    #expect(try comparison.areEqual(self.strings(), self.strings(), &budget))
  }

  @Test func equalityTerminates() {
    let isEqual = self.doubled([1], 60) == self.doubled([1], 60)
    #expect(isEqual)
  }

  @Test func aDifferenceAfterRepeatedPartsIsFound() throws {
    let (left, right) = (self.doubled([1], 60), self.doubled([1], 60))
    let result = try self.compare([left, 1], [right, 2])
    #expect(!result.isEqual)
    #expect(result.patch.json == #"[{"op":"replace","path":"/1","value":2}]"#)
  }

  @Test func onlyEquivalenceComparesNumbersNumerically() throws {
    let (left, right) = (self.doubled([1], 60), self.doubled([1.0], 60))
    #expect(try self.compare(left, right, .equivalent) == (true, []))
    var comparison = ValueComparison(.exact)
    var budget = WorkBudget(100)
    #expect(try !comparison.areEqual(left, right, &budget))
  }

  @Test func ordinaryValuesAreChargedForEachPair() throws {
    let (left, right): (Value, Value) = (["a": [1, [2]], "b": "x"], ["a": [1, [2]], "b": "x"])
    var budget = WorkBudget(100)
    #expect(try left.isEqual(to: right, &budget))
    #expect(budget.remaining == 94)
    let error = #expect(throws: WorkLimitError.self) {
      var budget = WorkBudget(5)
      _ = try left.isEqual(to: right, &budget)
    }
    #expect(error?.limit == 5)
    #expect(error?.isDefault == false)
  }

  @Test func theBytesOfStringsAreCharged() throws {
    let string = String(repeating: "x", count: 16_000)
    var budget = WorkBudget(10_000)
    #expect(try Value.string(string).isEqual(to: .string(string), &budget))
    let copy = Value.string(String(decoding: Array(string.utf8), as: UTF8.self))
    #expect(try Value.string(string).isEqual(to: copy, &budget))
    #expect(budget.remaining == 10_000 - 2 - 1_000)
  }

  @Test func hashingReadsOnlyTheBeginning() {
    let (left, right) = (self.doubled([1], 60), self.doubled([1], 60))
    #expect(left.hashValue == right.hashValue)
    #expect(left.hashValue != self.doubled([2], 60).hashValue)
    #expect(self.strings().hashValue == self.strings().hashValue)
  }

  @Test(arguments: [
    ("[]", "{}"), ("[1]", "[2]"), ("[1,2]", "[2,1]"), ("[[1],2]", "[[1,2]]"), ("1", "1.0"),
    (#"{"a":1}"#, #"{"b":1}"#), (#"["ab","c"]"#, #"["a","bc"]"#), (#""\u00e9""#, #""e\u0301""#),
    ("0", "null"),
  ])
  func differentValuesHaveDifferentHashes(_ left: String, _ right: String) throws {
    #expect(try Value(json: left).hashValue != Value(json: right).hashValue)
  }
}
