import Threading

/// The reading end of a stream of a store's commits, for a thread.
///
/// The stream ends with its store, or when the reader is closed, or its last copy released.
public struct StreamReader<State, Action>: Sendable where State: Sendable, Action: Sendable {
  let stream: CommitStream

  package init(stream: CommitStream) {
    self.stream = stream
  }
}

extension StreamReader {
  /// Takes the oldest commit. Waits for one, but not inside a callback.
  ///
  /// - Parameter milliseconds: The longest time to wait; `nil` for no limit.
  public func next(milliseconds: Int32? = nil) -> StreamResult<Commit<State, Action>> {
    self.stream.next(until: milliseconds.map { Deadline(milliseconds: $0) }).map { $0.typed() }
  }

  /// Takes the oldest commit; suspends the calling task until there is one.
  ///
  /// Cancelling the task ends the stream after its unread commits.
  func next(isolation: isolated (any Actor)?) async -> StreamResult<Commit<State, Action>> {
    await self.stream.next(isolation: isolation).map { $0.typed() }
  }

  /// The number of commits dropped so far, with ``OverflowPolicy/dropOldest``.
  public var dropped: Int {
    self.stream.dropped
  }

  /// A file descriptor that is readable while ``next(milliseconds:)`` would not wait, for
  /// `poll(2)`. It stays open until this reader is released. `nil` if the process has none left.
  public var descriptor: Int32? {
    self.stream.descriptor
  }

  /// Ends the stream immediately and discards unread commits. Threads that wait in
  /// ``next(milliseconds:)``, or for space to write, continue.
  public func close() {
    self.stream.close()
  }
}

/// A ``StreamReader`` without the types of the store.
package final class CommitStream: Sendable {
  private let buffer: StreamBuffer
  private weak let commits: CommitSequence?

  init(_ buffer: StreamBuffer, of commits: CommitSequence) {
    self.buffer = buffer
    self.commits = commits
    commits.add(buffer)
  }

  deinit {
    self.close()
  }
}

extension CommitStream {
  package func next(until deadline: Deadline?) -> StreamResult<AnyCommit> {
    self.buffer.next(until: deadline)
  }

  func next(isolation: isolated (any Actor)?) async -> StreamResult<AnyCommit> {
    await withTaskCancellationHandler(
      operation: { await self.buffer.next(isolation: isolation) },
      onCancel: {
        self.commits?.remove(self.buffer)
        self.buffer.finish()
      }, isolation: isolation)
  }

  package var dropped: Int {
    self.buffer.dropped
  }

  package var descriptor: Int32? {
    self.buffer.descriptor
  }

  package func close() {
    self.commits?.remove(self.buffer)
    self.buffer.finish(discardingUnread: true)
  }
}

/// The result of a read from a stream.
public enum StreamResult<Element> {
  case element(Element)

  /// No element arrived in time.
  case timedOut

  /// The stream ended and has no unread elements.
  case ended

  /// The stream ended because its reader fell more than `capacity` elements behind. It has no
  /// unread elements.
  case overflowed(capacity: Int)
}

extension StreamResult {
  /// The same result with its element converted.
  package func map<Other>(
    _ convert: (Element) throws -> Other
  ) rethrows -> StreamResult<Other> {
    switch self {
    case .element(let element): .element(try convert(element))
    case .timedOut: .timedOut
    case .ended: .ended
    case .overflowed(let capacity): .overflowed(capacity: capacity)
    }
  }
}

extension StreamResult: Sendable where Element: Sendable {}
