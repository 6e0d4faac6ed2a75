/// What the stores of a domain do besides reducing: read a database, ask a server.
///
/// A store has one of its own. After each action it says which effect the action calls for; effects
/// run one after the other, on a thread of the engine, and dispatch what came of them.
public protocol Effects<State, Action>: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable

  /// The effect that an action calls for, by what the action did. Quick, and pure: it is asked while
  /// the dispatch waits.
  func effect(
    of action: Action, from oldState: State, to newState: State
  ) -> Effect<State, Action>?

  /// Called once, when the store is there, before any action.
  func begin(in context: EffectContext<State, Action>)

  /// Called once, when the store is closed. An effect may still be running.
  func end()
}

extension Effects {
  public func begin(in context: EffectContext<State, Action>) {}

  public func end() {}
}

/// A unit of work with side effects. What it throws is counted, and goes nowhere else: what a user
/// is to know of it is dispatched.
public typealias Effect<State: Sendable, Action: Sendable> =
  @Sendable (EffectContext<State, Action>) throws -> Void

/// What an effect has of its store.
public struct EffectContext<State: Sendable, Action: Sendable>: Sendable {
  let queue: EffectQueue
  /// For what is done beside the effects.
  let timers: EffectQueue
  let select: @Sendable () throws(EngineError) -> State
  let send: @Sendable (Action) throws -> Void
  let note: @Sendable (any Error) -> Void

  /// The current state.
  ///
  /// - Throws: ``EngineError``: `closed`.
  public var state: State {
    get throws(EngineError) { try self.select() }
  }

  /// Dispatches an action.
  ///
  /// - Throws: What the reducer throws; ``EngineError``: `closed`.
  public func dispatch(_ action: Action) throws {
    try self.send(action)
  }

  /// Has an effect run when those before it are done, and not before some time has passed.
  ///
  /// One that waits for its time does not count as in flight (``AnyStore/settle(milliseconds:)``).
  public func perform(
    after milliseconds: Int32 = 0, _ effect: @escaping Effect<State, Action>
  ) {
    self.queue.append(after: milliseconds) { self.run(effect) }
  }

  /// Runs `work` beside the effects, when what was scheduled before it is done and some time has
  /// passed.
  ///
  /// It waits for no effect and no effect waits for it: for what has to be noticed while an effect waits
  /// for a server. It returns at once. ``AnyStore/settle(milliseconds:)`` does not wait for it, and the
  /// statistics do not count it.
  public func schedule(
    after milliseconds: Int32 = 0, _ work: @escaping Effect<State, Action>
  ) {
    self.timers.append(after: milliseconds) { self.run(work) }
  }

  private func run(_ effect: Effect<State, Action>) {
    do {
      try effect(self)
    } catch {
      self.note(error)
    }
  }
}
