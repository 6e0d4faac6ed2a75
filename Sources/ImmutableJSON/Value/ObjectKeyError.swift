/// A key contains U+0000, which C strings cannot represent.
public struct ObjectKeyError: Error, Hashable {
  /// Returns `nil` if the key is valid.
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
