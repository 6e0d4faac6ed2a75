/// An asynchronous sequence of actions that holds a bounded number of unread ones.
///
/// Made by ``Store/makeStream(capacity:overflow:)``. It is for one reader. It ends when its store
/// is released or its reader's task is cancelled; unread actions are delivered before the end.
public struct BoundedStream<State, Action>: AsyncSequence, Sendable
where State: Sendable, Action: Sendable {
  public typealias Element = (oldState: State, action: Action)
  public typealias Failure = StreamOverflow

  let reader: StreamReader<State, Action>

  /// The number of actions dropped so far, with ``OverflowPolicy/dropOldest``.
  public var dropped: Int {
    self.reader.dropped
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: self.reader)
  }

  public struct Iterator: AsyncIteratorProtocol {
    /// `nil` after the end.
    var reader: StreamReader<State, Action>?

    public mutating func next() async throws(StreamOverflow) -> Element? {
      try await self.next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StreamOverflow) -> Element? {
      guard let reader else { return nil }
      switch await reader.next(isolation: actor) {
      case .element(let commit):
        // A typed stream carries no jumps.
        return commit.action.map { (commit.oldState, $0) }
      case .overflowed(let capacity):
        self.reader = nil
        throw StreamOverflow(capacity: capacity)
      case .ended, .timedOut:
        self.reader = nil
        return nil
      }
    }
  }
}

/// What happens to an action when a stream is full.
public enum OverflowPolicy: String, Hashable, Sendable, CaseIterable {
  /// The dispatch waits, before its reducer runs, until the stream has space. A batch waits only
  /// before its first action, and a dispatch inside a callback does not wait: both may exceed the
  /// capacity.
  ///
  /// The reader must not dispatch to the store whose stream it reads: if the stream is full, the
  /// reader would wait for itself. Do not dispatch in a task either: waiting dispatches can occupy
  /// all threads of Swift concurrency, so that the reader never runs.
  case block

  /// The oldest unread action is dropped and counted.
  case dropOldest

  /// The stream ends: its reader gets the unread actions, then the error ``StreamOverflow``.
  case fail
}
