import ImmutableJSON
import StateEngine
import Testing

/// When the selectors of a domain are evaluated again.
@Suite struct DomainCacheTests {
  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(NotesDomain.self)
    try self.save("1", "a")
  }

  private func save(_ id: String, _ text: String) throws {
    try self.store.dispatch(
      ["type": "ui/editor/didSave", "payload": ["id": .string(id), "text": .string(text)]])
  }

  private func pick(_ color: Value) throws {
    try self.store.dispatch(["type": "ui/editor/didPick", "payload": ["color": color]])
  }

  private func note(_ id: String) throws -> Value {
    try self.store.select("selectNote", ["id": .string(id)])
  }

  private func check(
    selects: Value, evaluations: Value, at location: SourceLocation = #_sourceLocation
  ) throws {
    let statistics = try self.store.statistics()
    #expect(statistics["selects"] == selects, sourceLocation: location)
    #expect(statistics["evaluations"] == evaluations, sourceLocation: location)
  }

  @Test func anOutputIsCached() throws {
    let text = try self.store.select("selectNote", argumentsJSON: #"{"id":"1"}"#)
    #expect(text.description == #""a""#)
    #expect(try self.store.select("selectNote", argumentsJSON: #"{ "id": "1" }"#) === text)
    #expect(try self.note("1") == "a")
    try self.check(selects: 3, evaluations: 1)
  }

  /// Neither for selectors of a domain nor for expressions.
  @Test func aSelectThatFailsIsNotCounted() throws {
    try self.store.define("same", "$id")
    for selector in ["selectNote", "same", "none"] {
      for arguments: Value in [["none": 1], [:], 1] {
        #expect(throws: EngineError.self) { try self.store.select(selector, arguments) }
      }
    }
    #expect(throws: EngineError.self) { try self.store.query("abs('a')") }
    try self.check(selects: 0, evaluations: 0)
  }

  @Test func anOutputStaysCachedWhileItsReadSetIsUnchanged() throws {
    #expect(try self.note("1") == "a")
    for color: Value in ["red", "green", .null] {
      try self.pick(color)
      #expect(try self.note("1") == "a")
      #expect(try self.store.select("selectColor") == color)
    }
    try self.check(selects: 7, evaluations: 4)
    try self.save("1", "b")
    #expect(try self.note("1") == "b")
    #expect(try self.store.select("selectColor") == .null)
    try self.check(selects: 9, evaluations: 5)
  }

  /// The read set is compared, not the history.
  @Test func anOutputIsValidAgainWhenTheStateIsBack() throws {
    #expect(try self.note("1") == "a")
    try self.save("1", "b")
    try self.save("1", "a")
    #expect(try self.note("1") == "a")
    try self.check(selects: 2, evaluations: 1)
  }

  @Test func outputsAreCachedByArguments() throws {
    try self.save("2", "b")
    for _ in 0..<3 {
      #expect(try self.note("1") == "a")
      #expect(try self.note("2") == "b")
      #expect(try self.note("3") == .null)
    }
    try self.check(selects: 9, evaluations: 3)
    try self.save("3", "c")
    #expect(try self.note("3") == "c")
    #expect(try self.note("1") == "a")
    try self.check(selects: 11, evaluations: 5)
  }

  @Test func aSelectorWithoutReadsRunsAfterEachAction() throws {
    for color: Value in ["red", "red"] {
      try self.pick(color)
      for _ in 0..<3 {
        #expect(try self.store.select("selectNotes") == ["1": "a"])
      }
    }
    try self.check(selects: 6, evaluations: 2)
  }

  @Test func anErrorIsNotCached() throws {
    #expect(try self.note("1") == "a")
    for arguments: Value in [["id": 1], [:], .null, ["id": 1]] {
      #expect(throws: EngineError.self) { try self.store.select("selectNote", arguments) }
    }
    #expect(try self.note("1") == "a")
    try self.check(selects: 2, evaluations: 1)
  }

  @Test func expressionsAreCountedToo() throws {
    #expect(try self.note("1") == "a")
    #expect(try self.store.query(#"notes."1""#) == "a")
    #expect(try self.store.query(#"notes."1""#) == "a")
    try self.check(selects: 3, evaluations: 2)
  }
}

extension AnyStore {
  fileprivate func select(_ name: String, argumentsJSON text: String) throws -> Text {
    var text = text
    return try text.withUTF8 { try self.select(name, argumentsJSON: UnsafeRawBufferPointer($0)) }
  }
}
