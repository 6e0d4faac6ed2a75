import ImmutableJSON
import JMESPath
import Testing

@testable import StateEngine

/// The bounds of the cache.
@Suite struct OutputCacheTests {
  private static let capacity = 64 << 10
  private let outputs = OutputCache(byteCapacity: Self.capacity)

  private func text(_ kilobytes: Int) -> Value {
    .string(String(repeating: "a", count: kilobytes << 10))
  }

  /// Selects the output of an expression with the argument `$x`.
  @discardableResult
  private func read(
    _ expression: String, _ x: Value?, in state: Value, version: Int = 0, writing: Bool = true
  ) throws -> CachedOutput {
    let arguments = x.map { JSONObject([("x", $0)]) } ?? [:]
    let selector = try BoundSelector(
      StoreExpression(Expression(expression), PartialResultTable()), .object(arguments),
      WorkBudget(ValueLimits.work))
    let call = SelectCall(
      UnsafeRawBufferPointer(start: nil, count: 0), isExpression: true, .none, isWriting: writing)
    return try self.outputs.output(of: selector, for: call, version: version, generation: 0) {
      ValueSnapshot(state: state, history: nil)
    }
  }

  @Test func aTextIsCountedOnceWhenItIsCreated() throws {
    #expect(self.outputs.size == (0, 0))
    try self.read("[@]", nil, in: "abc", writing: false)
    let value = self.outputs.size.bytes
    #expect(self.outputs.size.count == 1 && value > 0)
    for _ in 0..<2 {
      #expect(try self.read("[@]", nil, in: "abc").text.description == #"["abc"]"#)
      #expect(self.outputs.size == (1, value + 7))
    }
  }

  @Test func evictedOutputsAreNotCounted() throws {
    let states: [Value] = [["a": "b"], ["a": "c"]]
    func read(_ x: Value, version: Int) throws {
      try self.read("[a, $x]", x, in: states[version], version: version)
    }
    try read("0", version: 0)
    let one = self.outputs.size.bytes
    for x: Value in ["1", "2", "3"] { try read(x, version: 0) }
    #expect(self.outputs.size == (4, 4 * one))
    try read("0", version: 1)
    #expect(self.outputs.size == (1, one))
    // Nor are those beyond the bound.
    for x in 0..<Int64(OutputCache.Table.capacity) {
      try read(.string(String(x + 1000)), version: 1)
    }
    #expect(self.outputs.size.count == 1)
    try read("0", version: 0)
    #expect(self.outputs.size == (1, one))
  }

  @Test func textsAreBounded() throws {
    let state = self.text(2)
    let one = try self.read("[@, @, $x]", 0, in: state).text.count
    let largest = self.outputs.size.bytes
    #expect(one > 4 << 10 && largest > one)
    for x in 1..<Int64(112) {
      let output = try self.read("[@, @, $x]", .integer(x), in: state)
      #expect(self.outputs.size.bytes <= Self.capacity + largest + 100)
      // The latest is always cached.
      #expect(try self.read("[@, @, $x]", .integer(x), in: state) === output)
    }
    #expect(self.outputs.size.count > 1)
    #expect(self.outputs.counts.evaluations == 112)
  }

  /// The text of the next output copies what it shares with the previous one.
  @Test func textsOfManyStates() throws {
    var state = Value.array(JSONArray((0..<400).map { .string("an element \($0)") }))
    for version in 0..<100 {
      let output = try self.read("[?length(@) < `100`]", nil, in: state, version: version)
      let same = try self.read("@", nil, in: state, version: version)
      #expect(output.text.description == state.json && same.text.description == state.json)
      // The previous output may have no text.
      try self.read("@[1:]", nil, in: state, version: version, writing: version.isMultiple(of: 3))
      state = try state.setting(JSONPointer("/\(version * 7 % 400)"), .string("changed \(version)"))
    }
  }

  @Test func anOutputLargerThanTheBoundStaysCached() throws {
    let state = self.text(70)
    let large = try self.read("[@]", nil, in: state)
    #expect(large.text.count > Self.capacity)
    for x in 0..<Int64(20) {
      try self.read("[$x]", .integer(x), in: state)
      #expect(try self.read("[@]", nil, in: state) === large)
    }
    #expect(self.outputs.size.count == 21)
    // A second one evicts all others.
    let other = try self.read("[@, `1`]", nil, in: state)
    #expect(self.outputs.size.count == 1)
    #expect(try self.read("[@, `1`]", nil, in: state) === other)
    #expect(try self.read("[@]", nil, in: state) !== large)
  }

  @Test func aTextCreatedLaterEvictsOthers() throws {
    let state = self.text(20)
    for (writing, counts) in [(false, [1, 2, 3]), (true, [3, 3, 1])] {
      for (x, count) in counts.enumerated() {
        try self.read("[@, $x]", .integer(Int64(x)), in: state, writing: writing)
        #expect(self.outputs.size.count == count)
      }
    }
    #expect(self.outputs.counts.evaluations == 3)
  }

  /// As docs/selectors.md states.
  @Test func aValueHas24Bytes() {
    #expect(MemoryLayout<Value>.stride == 24)
  }

  @Test func valuesAndArgumentsAreCounted() throws {
    let numbers = Value.array(JSONArray((0..<100).map { .integer($0) }))
    for x in 0..<Int64(50) {
      try self.read("[*].[@, $x]", .integer(x), in: numbers, writing: false)
      let (count, bytes) = self.outputs.size
      #expect(bytes >= count * 300 * MemoryLayout<Value>.stride)
      #expect(bytes <= Self.capacity + bytes / count + 100)
    }
    for x in 0..<Int64(50) {
      let x = [self.text(4), .integer(x)] as Value
      try self.read("length($x)", x, in: numbers, writing: false)
      let (count, bytes) = self.outputs.size
      #expect(bytes >= count * 4 << 10 || count == 1)
      #expect(bytes <= Self.capacity + 20 << 10)
    }
  }

  @Test func theCacheOfAStoreIsBounded() throws {
    let store = try AnyStore(state: self.text(10 << 10)) { state, _ in state }
    for x in 0..<Int64(20) {
      _ = try store.query("[@, $x]", ["x": .integer(x)])
    }
    let size = store.outputs.size
    #expect(size.count > 1 && size.count < 20)
    #expect(size.bytes <= (64 + 11) << 20)
  }
}
