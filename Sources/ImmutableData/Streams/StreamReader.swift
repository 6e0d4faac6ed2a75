import Threading

/// The reading end of a stream with a bounded number of unread elements, for a thread.
///
/// The stream ends with its store, or when the reader is closed or released.
public final class StreamReader<Element>: Sendable where Element: Sendable {
  private let buffer: StreamBuffer<Element>
  private let unregister: @Sendable () -> Void

  init(_ buffer: StreamBuffer<Element>, unregister: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.unregister = unregister
  }

  deinit {
    self.close()
  }
}

extension StreamReader {
  /// Takes the oldest element. Waits for one, but not inside a callback.
  ///
  /// - Parameter milliseconds: The longest time to wait; `nil` for no limit.
  public func next(milliseconds: Int32? = nil) -> StreamResult<Element> {
    self.buffer.next(until: milliseconds.map { Deadline(milliseconds: $0) })
  }

  /// Takes the oldest element; suspends the calling task until there is one.
  ///
  /// Cancelling the task ends the stream after its unread elements.
  func next(isolation: isolated (any Actor)?) async -> StreamResult<Element> {
    await withTaskCancellationHandler(
      operation: { await self.buffer.next(isolation: isolation) },
      onCancel: {
        self.unregister()
        self.buffer.finish()
      }, isolation: isolation)
  }

  /// The number of elements dropped so far, with ``OverflowPolicy/dropOldest``.
  public var dropped: Int {
    self.buffer.dropped
  }

  /// A file descriptor that is readable while ``next(milliseconds:)`` would not wait, for
  /// `poll(2)`. It stays open until this reader is released. `nil` if the process has none left.
  public var descriptor: Int32? {
    self.buffer.descriptor
  }

  /// Ends the stream immediately and discards unread elements. Threads that wait in
  /// ``next(milliseconds:)``, or for space to write, continue.
  public func close() {
    self.unregister()
    self.buffer.close()
  }
}
