import Threading

/// A stream that a thread reads, with a bounded number of elements waiting.
///
/// It ends with its store, or when it is closed.
public final class StreamReader<Element>: Sendable where Element: Sendable {
  private let buffer: StreamBuffer<Element>
  private let onClose: @Sendable () -> Void

  init(_ buffer: StreamBuffer<Element>, onClose: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.onClose = onClose
  }

  deinit {
    self.close()
  }
}

/// What became of the wish to read an element.
public enum StreamReading<Element> {
  case element(Element)

  /// None came in time.
  case timedOut

  /// The stream ended, and what it held was read.
  case ended

  /// The same, because its reader fell more than `capacity` elements behind.
  case overflowed(capacity: Int)
}

extension StreamReading: Sendable where Element: Sendable {}

extension StreamReader {
  /// Reads the oldest element; waits for one, but not inside a callback.
  ///
  /// - Parameter milliseconds: How long it waits at most; `nil` for as long as it takes.
  public func next(milliseconds: Int32? = nil) -> StreamReading<Element> {
    self.buffer.next(until: milliseconds.map { Deadline(milliseconds: $0) })
  }

  /// How many elements were dropped so far, under ``OverflowPolicy/dropOldest``.
  public var dropped: Int {
    self.buffer.dropped
  }

  /// A file descriptor that is readable while ``next(milliseconds:)`` would not wait, for `poll(2)`.
  /// It is closed with this reader. `nil` if the system has none left.
  public var descriptor: Int32? {
    self.buffer.descriptor
  }

  /// Ends the stream at once. Who waits in ``next(milliseconds:)``, or for room, goes on.
  public func close() {
    self.onClose()
    self.buffer.close()
  }
}
