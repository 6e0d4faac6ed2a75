import ImmutableJSON
import Threading

/// An effect of the program in flight: the program ends it with a result or with a reason.
///
/// It has no timeout unless a rule gave it one, because a timer or a dialog may last: it ends when
/// the program ends it, when it is cancelled, or when its store is closed.
public final class EffectTask: ProgramTask, @unchecked Sendable {
  typealias Outcome = Result<Value, ProgramTaskError>

  /// What follows an outcome. The program must not end the effect with an outcome that has a
  /// `refusal`.
  typealias Completion =
    @Sendable (Outcome) -> (complete: @Sendable () -> Void, refusal: (any Error)?)

  private struct State {
    /// `nil` after the end, and once the effect was cancelled.
    var completion: Completion?
    /// The function of the program that is called when the effect is cancelled.
    var cancellation: Callback<Void>?
    /// Whether the function that performs it was called.
    var hasBegun = false
    /// Called if the program ends the effect after it was cancelled; `nil` if it was not.
    var lateEnd: (@Sendable () -> Void)?
  }

  public let name: String
  public let arguments: Value
  private let state: Mutex<State>

  init(_ name: String, _ arguments: Value, completion: @escaping Completion) {
    self.name = name
    self.arguments = arguments
    self.state = Mutex(State(completion: completion))
    super.init()
  }

  package override class var ended: EngineError {
    EngineError(
      .closed, "the effect has ended: it was answered or cancelled, or its store was closed")
  }

  @discardableResult
  override func end(_ error: ProgramTaskError) -> Bool {
    let (cancellation, wasCancelled) = self.state.withLock {
      ($0.cancellation.take(), $0.lateEnd != nil)
    }
    let hasEnded =
      wasCancelled
      ? self.finish() : (try? self.end(.failure(error), evenIfRefused: true)) != nil
    if hasEnded, wasCancelled || error == .closed { cancellation?.call(()) }
    return hasEnded
  }
}

extension EffectTask {
  /// Ends the effect with its result.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended or was cancelled; `limit` if the
  ///   result is too large for an action. The effect then stays in flight.
  public func resolve(_ result: Value = .null) throws(EngineError) {
    try self.end(.success(result))
  }

  /// Ends the effect with its result, encoded as JSON.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended or was cancelled; `limit` if the
  ///   result is too large.
  public func resolve(encoding result: some Encodable) throws(EngineError) {
    try self.resolve(EngineError.catching { try Value(encoding: result) })
  }

  /// Ends the effect without a result.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended or was cancelled; `limit` if the
  ///   reason is too large for an action. The effect then stays in flight.
  public func reject(_ reason: String) throws(EngineError) {
    try self.end(.failure(.rejected(reason)))
  }

  /// - Throws: ``EngineError``: `closed` if the effect has ended; the refusal of the outcome.
  private func end(_ outcome: Outcome, evenIfRefused: Bool = false) throws(EngineError) {
    guard let end = self.state.withLock({ $0.completion })?(outcome) else {
      self.endLate()
      throw Self.ended
    }
    if let refusal = end.refusal, !evenIfRefused { throw EngineError(refusal) }
    // Released without the locks.
    var state: State?
    defer { withExtendedLifetime(state) {} }
    self.update {
      state = self.state.withLock { $0.completion == nil ? nil : exchange(&$0, with: State()) }
      return state != nil
    } then: {
      if state != nil { end.complete() }
    }
    guard state == nil else { return }
    self.endLate()
    throw Self.ended
  }
}

// MARK: Cancelling

extension EffectTask {
  /// Whether it was cancelled: its outcome is no longer wanted.
  public var isCancelled: Bool {
    self.state.withLock { $0.lateEnd != nil }
  }

  /// Sets the function that is called when the effect is cancelled, in place of another one;
  /// immediately if it has been. The function is also called when the store is closed.
  ///
  /// A cancelled effect with such a function has ended. Without one, it waits until the program
  /// ends it, which has no consequences.
  ///
  /// - Parameters:
  ///   - release: Called once, when the function will not be called again. Not called if this
  ///     throws.
  ///   - function: Called once, on a thread of the engine, or on the one that closes the store.
  /// - Throws: ``EngineError``: `closed` if the effect has ended.
  public func onCancel(
    release: @escaping @Sendable () -> Void = {}, _ function: @escaping @Sendable () -> Void
  ) throws(EngineError) {
    guard !self.hasEnded else { throw Self.ended }
    let (cancellation, isCancelled) = try self.state.withLock { state throws(EngineError) in
      guard state.completion != nil || state.lateEnd != nil else { throw Self.ended }
      let cancellation = Callback<Void>({ function() }, release: release)
      guard state.lateEnd == nil else { return (cancellation as Callback?, true) }
      return (exchange(&state.cancellation, with: cancellation), false)
    }
    if isCancelled {
      cancellation?.call(())
      self.finish()
    }
    cancellation?.cancel()
  }

  /// Cancels the effect: its outcome is dropped.
  ///
  /// - Parameters:
  ///   - queue: Calls the function of the program.
  ///   - pending: Keeps the effect until the program ends it, if it has no such function.
  ///   - lateEnd: Called when the program ends it.
  func cancel(
    on queue: EffectQueue, _ pending: PendingTasks, lateEnd: @escaping @Sendable () -> Void
  ) {
    // Released without the lock.
    var completion: Completion?
    defer { withExtendedLifetime(completion) {} }
    let (hasBegun, hasFunction) = self.state.withLock { state in
      completion = state.completion.take()
      if completion != nil { state.lateEnd = lateEnd }
      return (state.hasBegun, state.cancellation != nil)
    }
    guard completion != nil else { return }
    guard hasBegun else { return _ = self.finish() }
    guard pending.add(self), hasFunction else { return }
    queue.append(isCounted: false) {
      self.state.withLock { $0.cancellation.take() }?.call(())
      self.finish()
    }
  }

  /// Marks that the function that performs it is called now.
  ///
  /// - Returns: `false` if it must not be called.
  func begin() -> Bool {
    self.state.withLock { state in
      state.hasBegun = state.completion != nil
      return state.hasBegun
    }
  }

  /// Ends a cancelled effect.
  ///
  /// - Returns: `false` if it had ended.
  @discardableResult
  private func finish() -> Bool {
    self.update {
      true
    } then: {
    }
  }

  private func endLate() {
    guard let lateEnd = self.state.withLock({ $0.lateEnd }), self.finish() else { return }
    lateEnd()
  }
}
