/// Writes to an `AsyncStream`, and ends the stream when it overflows.
final class AsyncStreamWriter<Element>: StreamWriter where Element: Sendable {
  private let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
  }

  var isBlocking: Bool {
    false
  }

  func waitForSpace() {}

  func write(_ element: Element) -> Bool {
    if case .dropped = self.continuation.yield(element) {
      self.continuation.finish()
    }
    return false
  }

  func flush() {}

  func finish() {
    self.continuation.finish()
  }
}
