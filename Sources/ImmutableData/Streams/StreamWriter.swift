/// The writing end of a stream.
protocol StreamWriter<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// Whether a dispatch must wait until this stream's reader makes room.
  var isBlocking: Bool { get }

  /// Waits until the reader makes room, or the stream ends.
  func waitForRoom()

  /// Adds an element; may drop one or end the stream, as its ``OverflowPolicy`` says.
  ///
  /// - Returns: Whether the element exceeds the capacity, under ``OverflowPolicy/block``.
  func write(_ element: Element) -> Bool

  /// Ends the stream after its unread elements.
  func finish()
}

/// Writes to an `AsyncStream`, which ends when it overflows.
final class AsyncStreamWriter<Element>: StreamWriter where Element: Sendable {
  private let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
  }

  var isBlocking: Bool {
    false
  }

  func waitForRoom() {}

  func write(_ element: Element) -> Bool {
    if case .dropped = self.continuation.yield(element) {
      self.continuation.finish()
    }
    return false
  }

  func finish() {
    self.continuation.finish()
  }
}
