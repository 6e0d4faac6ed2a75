/// The result of a read from a stream.
public enum StreamResult<Element> {
  case element(Element)

  /// No element arrived in time.
  case timedOut

  /// The stream ended and has no unread elements.
  case ended

  /// The same, because its reader fell more than `capacity` elements behind.
  case overflowed(capacity: Int)
}

extension StreamResult: Sendable where Element: Sendable {}
