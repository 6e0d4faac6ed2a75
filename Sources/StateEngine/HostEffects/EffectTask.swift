import ImmutableJSON
import Threading

/// An effect of the program in flight: the program ends it with a result or with a reason.
///
/// It ends once. Whichever end comes first wins; later calls by the program throw
/// ``EngineError/Code/closed``. It has no timeout, because a timer or a dialog may last: it ends
/// when the program ends it, or when its store is closed.
public final class EffectTask: Sendable {
  typealias Outcome = Result<Value, HostEffectError>

  private struct State {
    var hasEnded = false
    var completion: (@Sendable (Outcome) -> Void)?
    var endHandlers: [@Sendable () -> Void] = []
  }

  public let name: String
  public let arguments: Value

  /// Throws if the program must not end the effect with this outcome.
  private let check: @Sendable (Outcome) throws -> Void
  private let state: Mutex<State>

  init(
    _ name: String, _ arguments: Value, check: @escaping @Sendable (Outcome) throws -> Void,
    completion: @escaping @Sendable (Outcome) -> Void
  ) {
    self.name = name
    self.arguments = arguments
    self.check = check
    self.state = Mutex(State(completion: completion))
  }
}

// MARK: The program's side

extension EffectTask {
  /// Ends the effect with its result.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended; `limit` if the result is too
  ///   large for an action. The effect then stays in flight.
  public func resolve(_ result: Value = .null) throws(EngineError) {
    try self.endChecked(.success(result))
  }

  /// Ends the effect with its result, encoded as JSON.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended; `limit` if the result is too
  ///   large.
  public func resolve(encoding result: some Encodable) throws(EngineError) {
    try self.resolve(EngineError.catching { try Value(encoding: result) })
  }

  /// Ends the effect without a result.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended; `limit` if the reason is too
  ///   large for an action. The effect then stays in flight.
  public func reject(_ reason: String) throws(EngineError) {
    try self.endChecked(.failure(.rejected(reason)))
  }

  private func endChecked(_ outcome: Outcome) throws(EngineError) {
    guard !self.hasEnded else { throw Self.ended }
    try EngineError.catching { try self.check(outcome) }
    guard self.end(outcome) else { throw Self.ended }
  }

  package static var ended: EngineError {
    EngineError(.closed, "the effect has ended: it was answered, or its store was closed")
  }

  public var hasEnded: Bool {
    self.state.withLock { $0.hasEnded }
  }

  /// Calls `body` when the effect ends; immediately if it has ended.
  public func onEnd(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = self.state.withLock { state in
      if !state.hasEnded { state.endHandlers.append(body) }
      return state.hasEnded
    }
    if hasEnded { body() }
  }
}

// MARK: The engine's side

extension EffectTask {
  /// - Returns: Whether this call ended the effect.
  @discardableResult
  func end(_ outcome: Outcome) -> Bool {
    let (completion, endHandlers) = self.state.withLock { state in
      defer { (state.hasEnded, state.completion, state.endHandlers) = (true, nil, []) }
      return (state.completion, state.endHandlers)
    }
    guard let completion else { return false }
    endHandlers.forEach { $0() }
    completion(outcome)
    return true
  }
}
