import ImmutableJSON
import StateEngine
import Testing

@Suite struct ActionStreamTests {
  private let store: AnyStore

  init() throws {
    self.store = try makeMergeStore(["a": 0])
  }

  private func next(_ stream: ActionStream) throws -> String {
    switch try stream.next(milliseconds: 0) {
    case .element(let element):
      try "\(element.action) \(element.oldState) \(element.newState)"
    case .timedOut: "timed out"
    case .ended: "ended"
    case .overflowed(let capacity): "overflowed at \(capacity)"
    }
  }

  @Test func anElementHasTheActionAndTheStatesBeforeAndAfterIt() throws {
    let stream = try self.store.makeStream()
    try self.store.dispatch(["type": "x", "payload": ["a": 1], "meta": 7])
    #expect(
      try self.next(stream) == #"{"meta":7,"payload":{"a":1},"type":"x"} {"a":0} {"a":1}"#)
    #expect(try self.next(stream) == "timed out")
    self.store.close()
    #expect(try self.next(stream) == "ended")
  }

  @Test func anElementOfADomainStoreIsJSON() throws {
    let store = try AnyStore(NotesDomain.self)
    try store.dispatch(["type": "ui/editor/didSave", "payload": ["id": "n", "text": "x"]])
    let stream = try store.makeStream()
    try store.dispatch(["type": "clear", "meta": ["by": "me"]])
    let states = #"{"notes":{"n":"x"}} {"notes":{}}"#
    #expect(try self.next(stream) == #"{"meta":{"by":"me"},"type":"clear"} \#(states)"#)
  }

  @Test func typesAndCapacityAreOptions() throws {
    let options = try StreamOptions(["types": ["ui/*"], "capacity": 1, "overflow": "dropOldest"])
    let stream = try self.store.makeStream(options)
    for type in ["ui/a", "data/a", "ui/b"] {
      try self.store.dispatch(["type": .string(type)])
    }
    #expect(try stream.dropped == 1)
    #expect(try self.next(stream) == #"{"type":"ui/b"} {"a":0} {"a":0}"#)
    #expect(throws: EngineError.self) { try StreamOptions(["overflow": "wait"]) }
    #expect(throws: EngineError.self) { try StreamOptions(["capacity": 0]) }
  }

  /// A state is encoded once, as the state after a commit and before the next one.
  @Test func statesOfADomainAreThoseOfTheirCommits() throws {
    let store = try AnyStore(NotesDomain.self)
    let stream = try store.makeStream()
    for (id, text) in [("a", "x"), ("b", "y"), ("a", "z")] {
      try store.dispatch([
        "type": "ui/editor/didSave", "payload": ["id": .string(id), "text": .string(text)],
      ])
    }
    let expected: [Value] = [
      ["notes": [:]], ["notes": ["a": "x"]], ["notes": ["a": "x", "b": "y"]],
      ["notes": ["a": "z", "b": "y"]],
    ]
    for number in 0..<3 {
      guard case .element(let element) = try stream.next(milliseconds: 0) else {
        Issue.record("no element")
        return
      }
      // In any order, and again.
      #expect(try element.newState == expected[number + 1])
      #expect(try element.oldState == expected[number])
      #expect(try element.newState == expected[number + 1])
    }
  }
}
