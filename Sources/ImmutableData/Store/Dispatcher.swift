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
