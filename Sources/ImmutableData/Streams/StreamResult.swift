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

extension StreamResult: Sendable where Element: Sendable {}
