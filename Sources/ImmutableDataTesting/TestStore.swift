import ImmutableData
import ImmutableJSON
import StateEngine
import Testing

/// A store whose time and effects a test controls, and of which the test says all that happens.
///
/// ```swift
/// let store = try TestStore(
///   AnyStore(state: ["version": 1], options: ["clock": "stepped"]) { state, action in
///     guard action["type"] == "saved", let version = action["payload"] else { return state }
///     return ["version": version]
///   }, effects: ["save"])
/// try store.store.setRule { action, _, _ in
///   action["type"] == "closed" ? [RequestedEffect("save", success: "saved")] : []
/// }
/// try store.send(["type": "closed"])
/// try store.request("save").resolve(2)
/// try store.receive("saved", changes: ["/version": 2])
/// try store.finish()
/// ```
///
/// What is not as expected is recorded as an issue of the test, which continues. Time stands still
/// until ``advance(milliseconds:)``. A test store is for one thread.
public final class TestStore {
  /// The store itself.
  public let store: AnyStore

  private let commits: ActionStream
  private let captured = CapturedEffects()

  /// - Parameters:
  ///   - store: A store with the option `"clock": "stepped"`. Its handler of failed effects is
  ///     replaced by one that records an issue.
  ///   - effects: The names of the effects that the test ends, see
  ///     ``request(_:_:sourceLocation:)``; `nil` for those that the domain of the store lists.
  /// - Throws: `EngineError`: `invalidArgument` if the store has another clock, or if its domain
  ///   has no such effect; `closed`.
  public init(_ store: AnyStore, effects: [String]? = nil) throws {
    self.store = store
    try store.requireStepped()
    var options = StreamOptions()
    (options.capacity, options.overflow) = (4_096, .dropOldest)
    self.commits = try store.makeStream(options)
    for name in try effects ?? store.listedEffects() {
      try store.setEffect(name) { [captured] in captured.add($0) }
    }
    try store.setEffectErrorHandler { Issue.record("an effect failed: \($0.message)") }
    try store.advance(milliseconds: 0)
  }

  /// Dispatches an action, begins the effects that follow now, and checks what has changed.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - changes: The values that are in the state afterwards, by JSON Pointer; or a JSON Patch, as
  ///     an array. Nothing else may change.
  ///   - sourceLocation: Where the test calls this.
  /// - Throws: `EngineError`, as `AnyStore.dispatch` does.
  public func send(
    _ action: Value, changes: Value = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try self.send(action, sourceLocation) { try $0.applying(changes: changes) }
  }

  /// Dispatches an action, and checks what has changed, with the state as a type:
  /// `send(action) { (state: inout LightDomain.State) in state.isOn = true }`.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - sourceLocation: Where the test calls this.
  ///   - change: Changes the state before the action to the expected one.
  public func send<State: Codable>(
    _ action: Value, sourceLocation: SourceLocation = #_sourceLocation,
    change: (inout State) throws -> Void
  ) throws {
    try self.send(action, sourceLocation) { try $0.applying(change) }
  }

  /// Lets the outcome in that has waited longest, and checks its action and what it has changed.
  ///
  /// - Parameters:
  ///   - type: The type of the action that the outcome becomes.
  ///   - payload: Its payload; `nil` for any.
  ///   - changes: As for ``send(_:changes:sourceLocation:)``.
  ///   - sourceLocation: Where the test calls this.
  public func receive(
    _ type: String, payload: Value? = nil, changes: Value = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try self.receive(type, payload, sourceLocation) { try $0.applying(changes: changes) }
  }

  /// Lets the outcome in that has waited longest, and checks its action and what it has changed.
  ///
  /// - Parameters:
  ///   - type: The type of the action that the outcome becomes.
  ///   - payload: Its payload; `nil` for any.
  ///   - sourceLocation: Where the test calls this.
  ///   - change: Changes the state before the outcome to the expected one.
  public func receive<State: Codable>(
    _ type: String, payload: Value? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    change: (inout State) throws -> Void
  ) throws {
    try self.receive(type, payload, sourceLocation) { try $0.applying(change) }
  }

  /// The effect in flight that began first, of those with a name and arguments. The test ends it,
  /// with `resolve` or `reject`.
  ///
  /// - Parameters:
  ///   - name: The name of the effect.
  ///   - arguments: Its arguments; `nil` for any.
  ///   - sourceLocation: Where the test calls this.
  /// - Throws: An error if there is none, which is also recorded.
  public func request(
    _ name: String, _ arguments: Value? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> EffectTask {
    let effect = self.captured.inFlight.first {
      $0.name == name && (arguments ?? $0.arguments) == $0.arguments
    }
    return try #require(
      effect, "no such effect\(self.captured.list)", sourceLocation: sourceLocation)
  }

  /// Moves the clock, and begins the effects that are due.
  ///
  /// - Parameter milliseconds: How far; 0 does not move it.
  /// - Throws: `EngineError`: `invalidArgument` for a negative number; `closed`.
  public func advance(milliseconds: Int32 = 0) throws {
    try self.store.advance(milliseconds: milliseconds)
  }

  /// Checks that nothing is left over, and closes the store: no captured effect in flight, no
  /// effect that waits for its time or turn, and no outcome that was not received.
  ///
  /// - Parameter sourceLocation: Where the test calls this.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) throws {
    defer { self.store.close() }
    var left = self.captured.inFlight.map { "the effect \($0.title) was not ended" }
    if case .integer(let count)? = try self.store.statistics()["waitingEffects"], count > 0 {
      left.append("effects that wait for their time or turn: \(count)")
    }
    try self.readCommits()
    while let commit = try self.receiveAction() {
      left.append("the outcome \(try commit.action) was not received")
    }
    guard !left.isEmpty else { return }
    Issue.record(
      "left over at the end of the test:\n\(left.joined(separator: "\n"))",
      sourceLocation: sourceLocation)
  }
}

extension TestStore {
  private func send(
    _ action: Value, _ sourceLocation: SourceLocation, expected: (Value) throws -> Value
  ) throws {
    let before = try self.store.state()
    try self.store.dispatch(action)
    try self.store.advance(milliseconds: 0)
    try expected(before).expect(self.store.state(), sourceLocation)
  }

  private func receive(
    _ type: String, _ payload: Value?, _ sourceLocation: SourceLocation,
    expected: (Value) throws -> Value
  ) throws {
    try self.readCommits()
    guard let commit = try self.receiveAction() else {
      Issue.record(
        "no outcome waits, and \"\(type)\" was expected\(self.captured.list)",
        sourceLocation: sourceLocation)
      return
    }
    let action = try commit.action
    guard action["type"] == .string(type), (payload ?? action["payload"]) == action["payload"]
    else {
      let expected = payload.map { "\"\(type)\" with \($0)" } ?? "\"\(type)\""
      Issue.record(
        "received \(action), and \(expected) was expected", sourceLocation: sourceLocation)
      return
    }
    try expected(commit.oldState).expect(self.store.state(), sourceLocation)
  }

  /// Lets the next outcome in that becomes an action; `nil` if there is none.
  private func receiveAction() throws -> ActionStream.Element? {
    while try self.store.receive() > 0 {
      if let commit = try self.readCommits() { return commit }
    }
    return nil
  }

  /// The first commit since the last call.
  @discardableResult
  private func readCommits() throws -> ActionStream.Element? {
    var first: ActionStream.Element?
    while case .element(let commit) = try self.commits.next(milliseconds: 0) {
      first = first ?? commit
    }
    return first
  }
}

extension AnyStore {
  /// The names of the effects that a domain asks the program for.
  fileprivate func listedEffects() throws -> [String] {
    guard case .array(let effects)? = try self.description()["effects"] else { return [] }
    return effects.compactMap {
      guard case .string(let name)? = $0["name"] else { return nil }
      return name
    }
  }
}
