/// A receiver of actions and thunks.
///
/// The requirements are isolated to the main actor, so that a type on the main actor, such as a
/// view model or a test double, can conform. ``Store`` implements them without isolation: its
/// functions may be called on any thread.
public protocol Dispatcher<State, Action>: Sendable {
  /// The state that actions change.
  associatedtype State: Sendable

  /// An event that may change the state: a button was tapped, a database answered.
  associatedtype Action: Sendable

  /// What a thunk dispatches to. Often, but not necessarily, `Self`.
  associatedtype Dispatcher: ImmutableData.Dispatcher<Self.State, Self.Action>

  /// What a thunk selects from. Often, but not necessarily, `Self`.
  associatedtype Selector: ImmutableData.Selector<Self.State>

  /// Passes an action to the reducer and commits the state that it returns.
  ///
  /// - Throws: The error that the reducer threw; the state then stays as it was.
  @MainActor func dispatch(action: Action) throws

  /// Runs a function that may dispatch, select and have side effects.
  @MainActor func dispatch(thunk: @Sendable (Self.Dispatcher, Self.Selector) throws -> Void)
    rethrows

  /// Runs an asynchronous function that may dispatch, select and have side effects.
  @MainActor func dispatch(
    thunk: @Sendable (Self.Dispatcher, Self.Selector) async throws -> Void
  ) async rethrows
}

/// A source of values that are computed from a state.
///
/// The requirement is isolated to the main actor, for the same reason as those of ``Dispatcher``.
public protocol Selector<State>: Sendable {
  /// The state that selectors read.
  associatedtype State: Sendable

  /// Applies `selector` to the current state.
  ///
  /// The selector reads a snapshot: it never waits for a reducer, and does not see actions that are
  /// dispatched while it runs.
  @MainActor func select<T>(_ selector: @Sendable (Self.State) -> T) -> T where T: Sendable
}

extension Selector {
  /// A snapshot of the current state.
  @MainActor public var state: Self.State {
    self.select { $0 }
  }
}

/// A source of streams of the actions that were dispatched to it.
///
/// A stream has the state before each action. The current state may already be a later one: read it
/// by ``Selector/select(_:)``. What calls ``Store/subscribe(beginning:_:)`` gets the state right
/// after each action.
public protocol Streamer<State, Action>: Sendable {
  /// The state that actions change.
  associatedtype State: Sendable

  /// An event that may have changed the state.
  associatedtype Action: Sendable

  /// A sequence of actions, each with the state before it.
  associatedtype Stream: AsyncSequence, Sendable
  where Self.Stream.Element == (oldState: Self.State, action: Self.Action)

  /// Makes a stream of the actions dispatched from now on, in dispatch order.
  @MainActor func makeStream() -> Self.Stream
}

/// A pure function from a state and an action to the next state.
///
/// If it throws, the action has no effect.
public typealias Reducer<State, Action> = @Sendable (State, Action) throws -> State
where State: Sendable, Action: Sendable

/// A reducer as a store calls it: it replaces the state, or leaves it and returns edits of it,
/// which the store makes in place if nobody else has the state.
package typealias EditingReducer<State, Action> =
  @Sendable (_ state: inout State, Action) throws -> AnyObject?
where State: Sendable, Action: Sendable
