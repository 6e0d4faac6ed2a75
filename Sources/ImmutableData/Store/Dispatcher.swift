/// Something that actions and thunks are sent to.
public protocol Dispatcher<State, Action>: Sendable {
  /// What the actions change.
  associatedtype State: Sendable

  /// An event that may change the state: a button was tapped, a database answered.
  associatedtype Action: Sendable

  /// What a thunk dispatches to. Often, not necessarily, `Self`.
  associatedtype Dispatcher: ImmutableData.Dispatcher<Self.State, Self.Action>

  /// What a thunk selects from. Often, not necessarily, `Self`.
  associatedtype Selector: ImmutableData.Selector<Self.State>

  /// Sends an action through the reducer.
  ///
  /// - Throws: The very error that the reducer threw; the state is then as it was.
  func dispatch(action: Action) throws

  /// Runs a unit of work that may dispatch, select and have side effects.
  func dispatch(thunk: @Sendable (Self.Dispatcher, Self.Selector) throws -> Void) rethrows

  /// Runs an asynchronous unit of work that may dispatch, select and have side effects.
  func dispatch(
    thunk: @Sendable (Self.Dispatcher, Self.Selector) async throws -> Void
  ) async rethrows
}
