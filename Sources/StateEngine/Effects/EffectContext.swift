import ImmutableJSON
import Threading

/// The access of an effect to its store.
public struct EffectContext<State: Sendable, Action: Sendable>: Sendable {
  let queue: EffectQueue
  /// Runs scheduled work, independently of the effects.
  let timers: EffectQueue
  let functions: EffectFunctions
  let pending: PendingTasks
  /// `nil` without an ``AnyStore``.
  var tracer: Tracer?
  let select: @Sendable () throws(EngineError) -> State
  let send: @Sendable (Action) throws -> Void
  let recordFailure: @Sendable (any Error) -> Void
  /// Whether the store exists.
  var hasStore: @Sendable () -> Bool = { true }
  /// Returns the type of the action that caused the effect; `nil` for an effect without an action.
  var cause: @Sendable () -> String? = { nil }

  /// The time of the store in milliseconds since 1970: that of the wall clock, or one that its
  /// program moves.
  public var time: Int64 {
    self.queue.clock.now
  }

  /// A time of the store in milliseconds that nobody sets back, for intervals.
  public var uptime: Int64 {
    Int64(self.queue.clock.uptime / 1_000_000)
  }

  /// The current state.
  ///
  /// - Throws: ``EngineError``: `closed` after the effects have ended.
  public var state: State {
    get throws(EngineError) { try self.select() }
  }

  /// Dispatches an action.
  ///
  /// - Throws: The error of the reducer; ``EngineError``: `closed` after the effects have ended.
  public func dispatch(_ action: Action) throws {
    try self.send(action)
  }

  /// Runs an effect after those that are waiting now. With a delay, runs it once the delay has
  /// passed and no other effect is waiting.
  ///
  /// During the delay the effect does not count as in flight (``AnyStore/settle(milliseconds:)``).
  public func perform(
    after milliseconds: Int32 = 0, _ effect: @escaping Effect<State, Action>
  ) {
    self.queue.append(after: milliseconds) { self.runTraced(effect) }
  }

  /// Runs `work` independently of the effects: after the scheduled work that is waiting now or,
  /// with a delay, once the delay has passed and no other work is waiting.
  ///
  /// Effects and scheduled work do not wait for each other, so `work` can run while an effect waits
  /// for a server. It must return quickly. ``AnyStore/settle(milliseconds:)`` does not wait for it,
  /// and the statistics count it only if it fails.
  public func schedule(
    after milliseconds: Int32 = 0, _ work: @escaping Effect<State, Action>
  ) {
    self.timers.append(after: milliseconds) { self.runTraced(work) }
  }

  private func runTraced(_ effect: Effect<State, Action>) {
    guard let tracer, tracer.shows(.effects) else { return self.run(effect) }
    tracer.performing(after: self.cause()) { self.run(effect) }
  }

  /// Drops the effect if the store was released.
  func run(_ effect: Effect<State, Action>) {
    guard self.hasStore() else { return }
    do {
      try effect(self)
    } catch {
      // After the effects have ended, a dispatch that they still try is no failure.
      guard !self.queue.isClosed else { return }
      let located = error as? EffectError
      self.recordFailure(located ?? EffectError(source: .action(self.cause()), underlying: error))
    }
  }

  /// The context of the effect of an action, and of the effects that it performs in turn.
  ///
  /// - Parameter type: Returns the type of the action.
  func caused(by type: @escaping @Sendable () -> String?) -> Self {
    var context = self
    context.cause = type
    return context
  }
}

extension EffectContext {
  /// Asks the program for an effect, and runs `completion` as an effect when it has ended.
  ///
  /// The program's function is called after the effects that are waiting now. Nothing waits for the
  /// end of the effect except ``AnyStore/settle(milliseconds:)``. If the store is closed first,
  /// `completion` is dropped.
  ///
  /// - Throws: The error of encoding the arguments; ``EngineError``: `invalidArgument` if the
  ///   domain does not list the effect in its ``Domain/programEffects``.
  public func perform<Arguments, Output>(
    _ effect: ProgramEffect<Arguments, Output>, _ arguments: Arguments,
    then completion:
      @escaping @Sendable (EffectContext, Result<Output, ProgramTaskError>) throws ->
      Void
  ) throws {
    guard self.functions.isListed(effect.name) else {
      throw EngineError(
        .invalidArgument,
        "programEffects of the domain does not list the effect \(quoted(effect.name)); add its "
          + "description")
    }
    self.perform(effect.name, try Value(encoding: arguments)) { outcome in
      { context in try completion(context, outcome.decoded(from: effect.name)) }
    }
  }

  /// Asks the program for an effect by name.
  ///
  /// - Parameter completion: Returns the effect that follows an outcome. Throws if the program must
  ///   not end its effect with this outcome; that effect then stays in flight.
  func perform(
    _ name: String, _ arguments: Value,
    then completion: @escaping @Sendable (EffectTask.Outcome) throws -> Effect<State, Action>
  ) {
    let ended = self.traceBegin(name, arguments)
    self.queue.expect()
    let task = EffectTask(name, arguments) { outcome in
      let effect = Result { try completion(outcome) }
      return (
        {
          ended?(outcome)
          self.complete(name, with: effect)
        }, self.refusal(of: effect)
      )
    }
    guard self.pending.add(task) else { return }
    self.queue.append { [functions] in functions.start(task) }
  }

  /// Writes to the trace that an effect of the program begins.
  ///
  /// - Returns: A function for its end.
  func traceBegin(
    _ name: String, _ arguments: Value
  ) -> (@Sendable (EffectTask.Outcome) -> Void)? {
    guard let tracer, tracer.shows(.effects) else { return nil }
    return tracer.beginning(name, arguments)
  }

  /// Why the program must not end its effect with an outcome, which `effect` follows.
  func refusal(of effect: Result<Effect<State, Action>, any Error>) -> (any Error)? {
    if case .failure(let error) = effect { return error }
    // On the calling thread, its dispatch would fail.
    return CallScope.current.isRestricted && !self.queue.hasThread ? noThread : nil
  }

  /// Lets `effect` follow the end of an effect of the program, which the queue expects.
  func complete(_ name: String, with effect: Result<Effect<State, Action>, any Error>) {
    self.queue.appendOutcome { self.runCompletion(name, effect) }
  }

  func runCompletion(_ name: String, _ effect: Result<Effect<State, Action>, any Error>) {
    self.run { context in
      do {
        try effect.get()(context)
      } catch {
        throw EffectError(source: .completion(of: name), underlying: error)
      }
    }
  }
}

extension Result<Value, ProgramTaskError> {
  fileprivate func decoded<Output: Decodable>(
    from name: String
  ) -> Result<Output, ProgramTaskError> {
    self.flatMap { value in
      do {
        return .success(try value.decode())
      } catch {
        return .failure(.invalidResult(name: name, reason: reason(error, in: "result")))
      }
    }
  }
}

private let noThread = EngineError(
  .limit,
  "the process cannot start a thread for the outcome of the effect; end the effect outside of "
    + "reducers, rules, comparisons and filters")
