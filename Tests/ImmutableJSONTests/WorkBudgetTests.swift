import ImmutableJSON
import Testing

/// Operations that exceed the budget or a limit fail.
@Suite struct WorkBudgetTests {
  /// A value that contains another 2^times times.
  private func doubled(_ value: Value, _ times: Int) -> Value {
    (0..<times).reduce(value) { value, _ in ["a": value, "b": value] }
  }

  private func nested(_ depth: Int) -> Value {
    (0..<depth).reduce(1) { value, _ in [value] }
  }

  /// Checks the error of a change.
  private func check(
    _ message: String, operation: Int? = nil, _ change: () throws -> Value,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: JSONPatchError.self, sourceLocation: location) { try change() }
    #expect(error?.code == .limit, sourceLocation: location)
    #expect(error?.operation == operation, sourceLocation: location)
    #expect(error?.message == message, sourceLocation: location)
  }

  @Test func diffs() throws {
    let (old, new) = (self.doubled(1, 40), self.doubled(2, 40))
    self.check("comparing takes more than 65536 units of work, which is its budget") {
      var budget = WorkBudget(1 << 16)
      return try old.diff(to: new, &budget)
    }
    self.check("comparing takes more than 5 units of work, which is its budget") {
      var budget = WorkBudget(5)
      return try Value.array([1, 2, 3, 4, 5]).diff(to: .array([1, 2, 3, 4, 6]), &budget)
    }
    // Five pairs to find that they differ, six to find where, one operation and its path.
    var budget = WorkBudget(5 + 6 + 16 + 1)
    _ = try Value.array([1, 2, 3, 4, 5]).diff(to: .array([1, 2, 3, 4, 6]), &budget)
    #expect(budget.remaining == 0)
  }

  @Test func aTooDeepPatchIsRejected() throws {
    let depth = ValueLimits.depth
    let old: Value = [:]
    #expect(try old.diff(to: ["a": self.nested(depth - 2)]) != [])
    self.check("the value would nest deeper than 2048 levels") {
      try old.diff(to: ["a": self.nested(depth - 1)])
    }
  }

  @Test func theDeepestScalarsAreCompared() throws {
    let depth = ValueLimits.depth
    let (old, new) = (self.nested(depth), (0..<depth).reduce(2 as Value) { value, _ in [value] })
    let patch = try old.diff(to: new)
    let path = String(repeating: "/0", count: depth)
    #expect(patch == [["op": "replace", "path": .string(path), "value": 2]])
    #expect(try old.applying(patch: patch) == new)
  }

  @Test func patches() throws {
    let value: Value = ["x": self.doubled(1, 26)]
    let test: Value = ["op": "test", "path": "/x", "value": self.doubled(2, 26)]
    self.check("operation 1: it takes more than 3 units of work, which is its budget", operation: 1)
    {
      var budget = WorkBudget(3)
      return try value.applying(patch: [["op": "remove", "path": "/x"], test], &budget)
    }
    self.check("operation 0: it takes more than 3 units of work, which is its budget", operation: 0)
    {
      var budget = WorkBudget(3)
      return try value.applying(patch: [test], &budget)
    }
    let copy: Value = ["op": "copy", "from": "", "path": "/-"]
    let start = Value.array([.string(String(repeating: "x", count: 64))])
    let patch = Value.array(JSONArray(repeatElement(copy, count: 40)))
    let error = #expect(throws: JSONPatchError.self) { try start.applying(patch: patch) }
    #expect(error?.code == .limit)
  }

  @Test(arguments: [
    (1, "more than 1 unit of work, which is its budget"),
    (2, "more than 2 units of work, which is its budget"),
    (nil, "more than 16777216 units of work, which is the work limit"),
  ])
  func theMessageNamesTheSourceOfTheBudget(_ limit: Int?, _ message: String) {
    let error = #expect(throws: WorkLimitError.self) {
      var budget = WorkBudget(limit)
      try budget.charge(.max)
    }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    (ValueLimitError(.values, limit: 1), "the value would have more than 1 value"),
    (ValueLimitError(.values, limit: 2), "the value would have more than 2 values"),
    (ValueLimitError(.text, limit: 1), "the text of the value would have more than 1 byte"),
    (ValueLimitError(.text, limit: 2), "the text of the value would have more than 2 bytes"),
  ])
  func oneIsSingular(_ error: ValueLimitError, _ message: String) {
    #expect(error.description == message)
  }

  @Test func mergePatches() throws {
    let value = self.doubled(1, 40)
    self.check("merging takes more than 65536 units of work, which is its budget") {
      var budget = WorkBudget(1 << 16)
      return try Value.null.merging(patch: value, &budget)
    }
    self.check("merging takes more than 2 units of work, which is its budget") {
      var budget = WorkBudget(2)
      return try Value.null.merging(patch: ["a": 1, "b": 2, "c": 3], &budget)
    }
    var big: Value = [0]
    for _ in 0..<28 {
      big = [big, big]
    }
    self.check("the value would have more than 1073741824 values") {
      try Value.object(["a": big]).merging(patch: ["b": big])
    }
    self.check("the value would nest deeper than 2048 levels") {
      var value: Value = 1
      for _ in 0...ValueLimits.depth {
        value = ["a": value]
      }
      return try Value.null.merging(patch: value)
    }
  }
}
