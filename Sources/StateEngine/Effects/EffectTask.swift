import ImmutableJSON
import Threading

/// An effect of the program in flight: the program ends it with a result or with a reason.
///
/// It has no timeout, because a timer or a dialog may last: it ends when the program ends it, or
/// when its store is closed.
public final class EffectTask: ProgramTask, @unchecked Sendable {
  typealias Outcome = Result<Value, ProgramTaskError>

  /// What follows an outcome. The program must not end the effect with an outcome that has a
  /// `refusal`.
  typealias Completion =
    @Sendable (Outcome) -> (complete: @Sendable () -> Void, refusal: (any Error)?)

  public let name: String
  public let arguments: Value

  /// `nil` after the end.
  private let completion: Mutex<Completion?>

  init(_ name: String, _ arguments: Value, completion: @escaping Completion) {
    self.name = name
    self.arguments = arguments
    self.completion = Mutex(completion)
    super.init()
  }

  package override class var ended: EngineError {
    EngineError(.closed, "the effect has ended: it was answered, or its store was closed")
  }

  @discardableResult
  override func end(_ error: ProgramTaskError) -> Bool {
    (try? self.end(.failure(error), evenIfRefused: true)) != nil
  }
}

extension EffectTask {
  /// Ends the effect with its result.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended; `limit` if the result is too
  ///   large for an action. The effect then stays in flight.
  public func resolve(_ result: Value = .null) throws(EngineError) {
    try self.end(.success(result))
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
    try self.end(.failure(.rejected(reason)))
  }

  /// - Throws: ``EngineError``: `closed` if the effect has ended; the refusal of the outcome.
  private func end(_ outcome: Outcome, evenIfRefused: Bool = false) throws(EngineError) {
    guard let end = self.completion.withLock({ $0 })?(outcome) else { throw Self.ended }
    if let refusal = end.refusal, !evenIfRefused { throw EngineError(refusal) }
    var completion: Completion?
    // Released without the lock.
    defer { withExtendedLifetime(completion) {} }
    let isEnded = self.update {
      completion = self.completion.withLock { $0.take() }
      return true
    } then: {
      end.complete()
    }
    guard isEnded else { throw Self.ended }
  }
}
