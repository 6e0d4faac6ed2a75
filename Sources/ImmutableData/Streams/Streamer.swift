/// Something that tells of the actions that went through it.
public protocol Streamer<State, Action>: Sendable {
  /// What the actions change.
  associatedtype State: Sendable

  /// An event that may have changed the state.
  associatedtype Action: Sendable

  /// A sequence of actions, each with the state that it found.
  associatedtype Stream: AsyncSequence, Sendable
  where Self.Stream.Element == (oldState: Self.State, action: Self.Action)

  /// Begins a stream of the actions dispatched from now on, in dispatch order.
  func makeStream() -> Self.Stream
}
