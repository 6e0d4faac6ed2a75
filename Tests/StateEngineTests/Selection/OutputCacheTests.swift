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
  ///
  /// - Parameters:
  ///   - bind: Called when the selector is bound.
  ///   - snapshot: Called when the state is read.
  @discardableResult
  private func read(
    _ expression: String, _ x: Value?, in state: Value, version: Int = 0, writing: Bool = true,
    bind: () -> Void = {}, snapshot: () -> Void = {}
  ) throws -> CachedOutput {
    let arguments = Value.object(x.map { JSONObject([("x", $0)]) } ?? [:])
    return try Array(expression.utf8).withUnsafeBytes { text in
      try withUnsafePointer(to: arguments) { pointer in
        let call = SelectCall(text, isExpression: true, .init(pointer), isWriting: writing)
        let found: OutputCache.Found
        switch self.outputs.find(call, version: version, generation: 0) {
        case .output(let output)?: return output
        case .found(let known)?: found = known
        case .copy?, nil:
          bind()
          let selector = try BoundSelector(
            StoreExpression(Expression(expression), PartialResultTable()), arguments,
            WorkBudget(ValueLimits.work))
          found = self.outputs.find(selector, version: version, generation: 0)
        }
        return try self.outputs.output(of: call, found, version: version) {
          snapshot()
          return ValueSnapshot(state: state, history: nil)
        }
      }
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
    func read(_ x: Int64) throws -> CachedOutput {
      try self.read("[a, $x]", .string(String(x + 1000)), in: ["a": "b"])
    }
    let first = try read(0)
    let one = self.outputs.size.bytes
    for x in 1..<Int64(256) { _ = try read(x) }
    #expect(self.outputs.size == (256, 256 * one))
    // One more evicts an eighth: those that were not used for the longest time.
    #expect(try read(0) === first)
    _ = try read(256)
    #expect(self.outputs.size == (224, 224 * one))
    for (x, evaluations) in [(0, 257), (256, 257), (34, 257), (33, 258)] {
      _ = try read(Int64(x))
      #expect(self.outputs.counts.evaluations == evaluations)
    }
  }

  @Test func aRecordedCallIsNotBoundAgain() throws {
    var binds = 0
    for version in 0..<5 {
      for (expression, output) in [("a.b", Value.integer(Int64(version))), ("length(a)", 1)] {
        for _ in 0..<2 {
          let state: Value = ["a": ["b": .integer(Int64(version))]]
          let read = try self.read(expression, nil, in: state, version: version) { binds += 1 }
          #expect(read.value == output)
        }
      }
    }
    #expect(binds == 2)
    #expect(self.outputs.counts == (selects: 20, evaluations: 10))
    for version in 0..<5 {
      try self.read("[a, $x]", 1, in: ["a": .integer(Int64(version / 2))], version: version) {
        binds += 1
      }
    }
    #expect(binds == 3)
  }

  /// Another thread may select for a newer state before the output is kept.
  @Test func anOutputOfAnOlderStateIsNotKeptBesideNewerOnes() throws {
    for hasGroup in [false, true] {
      let states: [Value] = [["a": .bool(hasGroup)], ["a": "new"]]
      if hasGroup { try self.read("[a, $x]", 0, in: states[0]) }
      let old = try self.read(
        "[a, $x]", 1, in: states[0],
        snapshot: {
          #expect((try? self.read("[a, $x]", 0, in: states[1], version: 1))?.value == ["new", 0])
        })
      #expect(old.value == [.bool(hasGroup), 1])
      for x in [1, 0] as [Value] {
        #expect(try self.read("[a, $x]", x, in: states[1], version: 1).value == ["new", x])
      }
    }
  }

  @Test func selectorsThatFailAreRemoved() throws {
    let states: [Value] = [["a": 1], ["a": "text"]]
    for x in 0..<Int64(300) {
      try self.read("[abs(a), `\(x)`]", nil, in: states[0])
    }
    #expect(self.outputs.size.count == 234)
    for x in 0..<Int64(300) {
      #expect(throws: EngineError.self) {
        try self.read("[abs(a), `\(x)`]", nil, in: states[1], version: 1)
      }
    }
    #expect(self.outputs.size.count == 0)
  }

  /// They are looked for when the states that were evaluated may take 64 MiB, at 1 MiB or more for
  /// each, or four times as much as the last one.
  @Test(arguments: [(0, 64), (20, 7)])
  func invalidOutputsOfOldStatesAreRemoved(megabytes: Int, versions: Int) throws {
    let same = self.text(megabytes << 10)
    func read(_ expression: String, _ version: Int) throws {
      let state: Value = ["a": .integer(Int64(version)), "b": 0, "c": same]
      try self.read(expression, nil, in: state, version: version)
    }
    try read("a", 0)
    try read("b", 0)
    for version in 1..<versions {
      try read("[a]", version)
      #expect(self.outputs.size.count == 3)
    }
    try read("[a]", versions)
    #expect(self.outputs.size.count == 2)
    let evaluations = self.outputs.counts.evaluations
    try read("b", versions)
    #expect(self.outputs.counts.evaluations == evaluations)
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
    for (writing, counts) in [(false, [1, 2, 3]), (true, [3, 3, 2])] {
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
