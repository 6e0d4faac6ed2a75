/// The meaning of an action for optimistic updates: changes that are shown before their effects
/// have succeeded.
///
/// A key identifies a change, so that the outcome of its effect can end it. If several changes have
/// the same key, an outcome ends the oldest.
public enum OptimisticUpdate: Hashable, Sendable {
  /// The action begins a change; its effect is in flight from now on.
  case begins(String)

  /// The effect succeeded: the change stays.
  case succeeds(String)

  /// The effect failed: the change is rolled back. Later actions are reduced again without it;
  /// those that the reducer then rejects are dropped.
  case fails(String)
}

extension OptimisticUpdate {
  /// Which function of a domain reduces an action.
  package enum ReducerKind: Hashable, Sendable {
    case reduce, anticipate, confirm
  }

  fileprivate var reducerKind: ReducerKind {
    switch self {
    case .begins: .anticipate
    case .succeeds: .confirm
    case .fails: .reduce
    }
  }
}

/// An outcome that the reducer rejected. It ends its change all the same: the effect has happened,
/// and nothing else would end the change. So the end of the change is committed without the outcome,
/// and then the dispatch throws this.
package struct RejectedOutcome: Error {
  package let outcome: OptimisticUpdate

  /// The error that the reducer threw.
  package let underlying: any Error
}

/// A change that cannot be rolled back, because the reducer exceeds a limit when it reduces a later
/// action again. The change stays in flight.
package struct FailedRollBack: Error {
  package let key: String

  /// The error that the reducer threw.
  package let underlying: any Error
}

/// A reducer that shows changes while their effects are in flight.
///
/// The outcome of a success is reduced on the shown state. The outcome of a failure is reduced on
/// the state without the action that began the change: later actions are reduced again, and those
/// that now fail are dropped.
package struct OptimisticReducer<State: Sendable, Action: Sendable>: Sendable {
  /// The meaning of an action for the changes in flight. Receives the state before the action.
  let update: @Sendable (Action, State) throws -> OptimisticUpdate?

  let reduce: @Sendable (State, Action, OptimisticUpdate.ReducerKind) throws -> State

  package init(
    update: @escaping @Sendable (Action, State) throws -> OptimisticUpdate?,
    reduce: @escaping @Sendable (State, Action, OptimisticUpdate.ReducerKind) throws -> State
  ) {
    self.update = update
    self.reduce = reduce
  }
}

extension OptimisticReducer {
  /// - Parameter inFlight: The changes in flight, as returned by the last call.
  func reduce(
    _ state: State, _ inFlight: AnyObject?, _ action: Action
  ) throws -> (state: State, inFlight: AnyObject?, rejection: RejectedOutcome?) {
    var changes = (inFlight as? Box)?.content ?? InFlight()
    var state = state
    let update = try self.update(action, state)
    let kind = update?.reducerKind ?? .reduce
    var key: String?
    var ended: OptimisticUpdate?
    switch update {
    case .begins(let begun): key = begun
    case .succeeds(let key): ended = changes.confirm(key) ? update : nil
    case .fails(let key):
      do {
        guard let rolledBack = try changes.rollBack(key, self.reduce) else { break }
        (state, ended) = (rolledBack, update)
      } catch let interruption as ReducerInterruption where interruption.isLimit {
        throw FailedRollBack(key: key, underlying: interruption.underlying)
      }
    case nil: break
    }
    let next: State
    do {
      next = try self.reduce(state, action, kind)
    } catch {
      let isRejection = (error as? ReducerInterruption)?.isLimit ?? true
      guard let ended, isRejection else { throw error }
      return (state, Box(changes), RejectedOutcome(outcome: ended, underlying: error))
    }
    changes.append(.init(state: state, action: action, reducerKind: kind, key: key))
    return (next, Box(changes), nil)
  }

  /// The state without the changes in flight; `nil` if there are none.
  func confirmedState(_ inFlight: AnyObject?) throws -> State? {
    try (inFlight as? Box)?.content.confirmedState(self.reduce)
  }

  /// Changes in flight behind one reference; `nil` if there are none.
  private final class Box: Sendable {
    let content: InFlight<State, Action>

    init?(_ content: InFlight<State, Action>) {
      guard !content.isEmpty else { return nil }
      self.content = content
    }
  }
}
