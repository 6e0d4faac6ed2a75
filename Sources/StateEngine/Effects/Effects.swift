/// The side effects of a store, such as reading a database or calling a server.
///
/// Each store has its own instance, which returns the effect of each action. Effects run one after
/// the other on a thread of the engine, and dispatch their results.
public protocol Effects<State, Action>: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable

  /// Returns the effect of an action. Must return quickly and have no side effects, because the
  /// dispatch waits for it.
  func effect(
    of action: Action, from oldState: State, to newState: State
  ) -> Effect<State, Action>?

  /// Called once: before the first action of an ``AnyStore``, or when an ``EffectListener`` begins
  /// to listen. While a listener begins, effects of actions from other threads may already run.
  func begin(in context: EffectContext<State, Action>)

  /// Called once, when the ``AnyStore`` is closed or released, or when the ``EffectListener`` is
  /// cancelled or released or listens to another store. An effect may still be running.
  func end()

  /// Counters that ``AnyStore/statistics()`` adds to its own, by name. Called on any thread. By
  /// default, there are none.
  var statistics: [String: Int] { get }

  /// Copies the store's database to a new file. Called on any thread, also while an effect runs. By
  /// default, there is no database.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` without a database, or if there is a file
  ///   already.
  func backup(to path: String) throws(EngineError)
}

extension Effects {
  public func begin(in context: EffectContext<State, Action>) {}

  public func end() {}

  public var statistics: [String: Int] { [:] }

  public func backup(to path: String) throws(EngineError) {
    throw .noDatabase
  }
}

/// A unit of work with side effects. Errors that it throws are counted, and passed to
/// ``AnyStore/setEffectErrorHandler(release:_:)``. To report an error to the user, dispatch an
/// action.
public typealias Effect<State: Sendable, Action: Sendable> =
  @Sendable (EffectContext<State, Action>) throws -> Void
