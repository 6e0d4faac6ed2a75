/// A key has U+0000 in it, which no reader that knows keys as C strings takes.
public struct ObjectKeyError: Error, Hashable {
  /// `nil` for a key that an object may have.
  public init?(_ key: String) {
    guard key.utf8.contains(0) else { return nil }
  }

  init() {}
}

extension ObjectKeyError: CustomStringConvertible {
  public var description: String {
    "a key must not contain U+0000"
  }
}
