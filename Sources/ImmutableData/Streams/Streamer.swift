/// A source of streams of the actions that were dispatched to it.
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
