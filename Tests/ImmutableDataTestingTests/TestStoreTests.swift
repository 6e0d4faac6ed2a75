import CounterData
import ImmutableDataTesting
import ImmutableJSON
import StateEngine
import Testing
import Threading

/// What a test store accepts, and what it records as an issue.
@Suite struct TestStoreTests {
  /// A note that is saved half a second after the last change.
  private func makeStore() throws -> TestStore {
    let store = try AnyStore(
      state: ["text": "", "saved": false, "failed": false], options: ["clock": "stepped"]
    ) { state, action in
      switch action["type"] {
      case "typed":
        try state.applying(patch: [set("/text", action["payload"]), set("/saved", false)])
      case "saved": try state.applying(patch: [set("/saved", true)])
      case "failed": try state.applying(patch: [set("/failed", true)])
      default: state
      }
    }
    let testStore = try TestStore(store, effects: ["save"])
    try store.setRule { action, _, state in
      guard action["type"] == "typed" else { return [] }
      return [
        RequestedEffect(
          "save", state["text"] ?? "", success: "saved", failure: "failed",
          schedule: EffectSchedule(key: "save", delay: 500))
      ]
    }
    return testStore
  }

  /// The texts of the issues that a body records.
  private func issues(_ body: (TestStore) throws -> Void) throws -> [String] {
    let issues = Recorded()
    try withKnownIssue(isIntermittent: true) {
      let store = try self.makeStore()
      defer { store.store.close() }
      try body(store)
    } matching: { issue in
      issues.add(issue.comments.map(\.rawValue).joined(separator: " "))
      return true
    }
    return issues.texts
  }

  @Test func whatHappensIsSaid() throws {
    let store = try self.makeStore()
    try store.send(["type": "typed", "payload": "a"], changes: ["/text": "a"])
    try store.advance(milliseconds: 499)
    try store.send(
      ["type": "typed", "payload": "ab"],
      changes: [["op": "replace", "path": "/text", "value": "ab"]])
    try store.advance(milliseconds: 500)
    try store.request("save", "ab").resolve()
    try store.receive("saved", payload: .null, changes: ["/saved": true])
    try store.send(["type": "typed", "payload": ""], changes: ["/text": "", "/saved": false])
    try store.advance(milliseconds: 500)
    try store.request("save").reject("disk full")
    try store.receive("failed", payload: ["reason": "disk full"], changes: ["/failed": true])
    try store.finish()
  }

  @Test func statesOfADomainAreTyped() throws {
    let store = try TestStore(AnyStore(CounterDomain.self, options: ["clock": "stepped"]))
    try store.send(["type": "didTapIncrementButton"]) { (state: inout CounterState) in
      state = CounterState(1)
    }
    try store.finish()
  }

  @Test func differencesAreNamed() throws {
    let texts = try self.issues { store in
      try store.send(["type": "typed", "payload": "a"], changes: ["/saved": true])
    }
    #expect(
      texts == [
        """
        the state is not as expected:
        "/saved": expected true, found false
        "/text": expected "", found "a"
        """
      ])
  }

  @Test func anEffectIsNotInFlightBeforeItsTime() throws {
    let texts = try self.issues { store in
      try store.send(["type": "typed", "payload": "a"], changes: ["/text": "a"])
      try store.advance(milliseconds: 499)
      _ = try store.request("save")
    }
    #expect(texts == ["no such effect; none is in flight"])
  }

  @Test func anOutcomeIsOfTheExpectedType() throws {
    let texts = try self.issues { store in
      try store.send(["type": "typed", "payload": "a"], changes: ["/text": "a"])
      try store.receive("saved")
      try store.advance(milliseconds: 500)
      try store.receive("saved")
      try store.request("save").reject("disk full")
      try store.receive("saved", changes: ["/failed": true])
    }
    #expect(
      texts == [
        #"no outcome waits, and "saved" was expected; none is in flight"#,
        #"no outcome waits, and "saved" was expected; in flight: "save" with "a""#,
        #"received {"payload":{"reason":"disk full"},"type":"failed"}, and "saved" was expected"#,
      ])
  }

  @Test func nothingMayBeLeftOver() throws {
    let texts = try self.issues { store in
      try store.send(["type": "typed", "payload": "a"], changes: ["/text": "a"])
      try store.finish()
    }
    #expect(
      texts == ["left over at the end of the test:\neffects that wait for their time or turn: 1"])

    let other = try self.issues { store in
      try store.send(["type": "typed", "payload": "a"], changes: ["/text": "a"])
      try store.advance(milliseconds: 500)
      try store.finish()
    }
    #expect(
      other == ["left over at the end of the test:\nthe effect \"save\" with \"a\" was not ended"])

    let last = try self.issues { store in
      try store.send(["type": "typed", "payload": "a"], changes: ["/text": "a"])
      try store.advance(milliseconds: 500)
      try store.request("save").resolve(1)
      try store.finish()
    }
    #expect(
      last == [
        """
        left over at the end of the test:
        the outcome {"payload":1,"type":"saved"} was not received
        """
      ])
  }

  @Test func aStoreWhoseOutcomesDoNotWaitIsRefused() throws {
    let store = try AnyStore(CounterDomain.self, options: ["clock": "manual"])
    #expect(throws: EngineError.self) { try TestStore(store) }
  }
}

private func set(_ pointer: Value, _ value: Value?) -> Value {
  ["op": "add", "path": pointer, "value": value ?? .null]
}

private final class Recorded: Sendable {
  private let state = Mutex<[String]>([])

  func add(_ text: String) {
    self.state.withLock { $0.append(text) }
  }

  var texts: [String] {
    self.state.withLock { $0 }
  }
}
