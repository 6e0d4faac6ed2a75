/// The state that a store shows and, while a change is in flight, the actions since it began.
///
/// ```
/// … │ began "dog" │ renamed │ began "cat" │ grew │ shown
///   ╰ the oldest in flight: what came before it is forgotten
/// ```
///
/// An outcome that succeeds is reduced on the state that is shown. One that fails is reduced on the
/// state that there would be without the action that began: the later ones are reduced again, and
/// those that now fail are left out. An outcome that the reducer refuses ends its change as well
/// (``Refusal``). A timeline is a value: a reducer that throws leaves the one there was.
///
/// With nothing in flight it is its state and a `nil`.
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

/// A log in one word, as a timeline is copied much more often than it has one.
private final class Box<Content: Sendable>: Sendable {
  let content: Content

  init(_ content: Content) {
    self.content = content
  }
}

extension Timeline {
  typealias Reducer = @Sendable (Timeline, Action) throws -> Timeline

  /// A reducer for which nothing is ever in flight.
  static func reducer(
    _ reduce: @escaping @Sendable (State, Action) throws -> State
  ) -> Reducer {
    { timeline, action in Timeline(try reduce(timeline.shown, action)) }
  }

  /// A reducer that shows changes while their effects are in flight.
  ///
  /// - Parameters:
  ///   - optimism: What an action means for what is in flight, by the state that it finds.
  ///   - refusal: What takes the error of an outcome that the reducer refuses; without, such an
  ///     outcome changes nothing.
  ///   - reduce: The next state, by the way that an action is reduced.
  static func reducer(
    optimism: @escaping @Sendable (Action, State) throws -> Optimism?,
    refusal: @escaping @Sendable (Action) -> Refusal?,
    reduce: @escaping ActionLog<State, Action>.Reduce
  ) -> Reducer {
    { timeline, action in
      try timeline.next(action, optimism(action, timeline.shown), refusal(action), reduce)
    }
  }

  private func next(
    _ action: Action, _ optimism: Optimism?, _ refusal: Refusal?,
    _ reduce: ActionLog<State, Action>.Reduce
  ) throws -> Timeline {
    var log = self.inFlight?.content ?? ActionLog()
    var state = self.shown
    var key: String?
    var ended: Optimism?
    switch optimism {
    case .begins(let begun): key = begun
    case .succeeds(let key): ended = log.keep(key) ? optimism : nil
    case .fails(let key):
      guard let without = try log.takeOut(key, reduce) else { break }
      (state, ended) = (without, optimism)
    case nil: break
    }
    let next: State
    do {
      next = try reduce(state, action, optimism.step)
    } catch {
      guard let refusal, let ended, !(error is ReducerInterruption) else { throw error }
      refusal.record(error, of: ended)
      return Timeline(state, log)
    }
    log.append(.init(state: state, action: action, step: optimism.step, key: key))
    return Timeline(next, log)
  }
}
