/// The state that a store shows and, while a change is in flight, the actions since it began.
///
/// ```
/// … │ began "dog" │ renamed │ began "cat" │ grew │ shown
///   ╰ the oldest in flight: earlier actions are dropped
/// ```
///
/// The outcome of a success is reduced on the shown state. The outcome of a failure is reduced on
/// the state without the action that began the change: later actions are reduced again, and those
/// that now fail are dropped. An outcome that the reducer rejects ends its change too
/// (``RejectionRecorder``). A timeline is a value: if the reducer throws, the store keeps the
/// previous one.
struct Timeline<State: Sendable, Action: Sendable>: Sendable {
  let shown: State

  /// `nil` while nothing is in flight.
  private let inFlight: Box<ActionLog<State, Action>>?

  init(_ state: State) {
    self.shown = state
    self.inFlight = nil
  }

  private init(_ state: State, _ log: ActionLog<State, Action>) {
    self.shown = state
    self.inFlight = log.isEmpty ? nil : Box(log)
  }
}

/// A log behind one reference, because timelines are copied often and rarely have a log.
private final class Box<Content: Sendable>: Sendable {
  let content: Content

  init(_ content: Content) {
    self.content = content
  }
}

extension Timeline {
  typealias Reducer = @Sendable (Timeline, Action) throws -> Timeline

  /// Returns a reducer without optimistic updates.
  static func reducer(
    _ reduce: @escaping @Sendable (State, Action) throws -> State
  ) -> Reducer {
    { timeline, action in Timeline(try reduce(timeline.shown, action)) }
  }

  /// Returns a reducer that shows changes while their effects are in flight.
  ///
  /// - Parameters:
  ///   - optimisticUpdate: Returns the meaning of an action for the changes in flight. Receives the
  ///     state before the action.
  ///   - rejection: Returns the object that records the error of an outcome that the reducer
  ///     rejects. Without one, the error is thrown, and the outcome changes nothing.
  ///   - reduce: Returns the next state.
  static func reducer(
    optimisticUpdate: @escaping @Sendable (Action, State) throws -> OptimisticUpdate?,
    rejection: @escaping @Sendable (Action) -> RejectionRecorder?,
    reduce: @escaping ActionLog<State, Action>.Reduce
  ) -> Reducer {
    { timeline, action in
      try timeline.next(
        action, optimisticUpdate(action, timeline.shown), rejection(action), reduce)
    }
  }

  private func next(
    _ action: Action, _ optimisticUpdate: OptimisticUpdate?, _ rejection: RejectionRecorder?,
    _ reduce: ActionLog<State, Action>.Reduce
  ) throws -> Timeline {
    var log = self.inFlight?.content ?? ActionLog()
    var state = self.shown
    var key: String?
    var ended: OptimisticUpdate?
    switch optimisticUpdate {
    case .begins(let begun): key = begun
    case .succeeds(let key): ended = log.confirm(key) ? optimisticUpdate : nil
    case .fails(let key):
      guard let rolledBack = try log.rollBack(key, reduce) else { break }
      (state, ended) = (rolledBack, optimisticUpdate)
    case nil: break
    }
    let next: State
    do {
      next = try reduce(state, action, optimisticUpdate.reducerKind)
    } catch {
      guard let rejection, let ended, !(error is ReducerInterruption) else { throw error }
      rejection.record(error, of: ended)
      return Timeline(state, log)
    }
    log.append(
      .init(state: state, action: action, reducerKind: optimisticUpdate.reducerKind, key: key))
    return Timeline(next, log)
  }
}
