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
