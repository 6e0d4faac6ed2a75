import ImmutableJSON

/// The keys from the root of a document to a value.
public struct Path: Sendable {
  public let keys: [String]

  public init(_ keys: [String]) {
    self.keys = keys
  }
}

// Keys are compared by their bytes: Swift's `String ==` treats U+00E9 and U+0065 U+0301 as equal.
extension Path: Hashable, Comparable {
  public static func == (left: Path, right: Path) -> Bool {
    left.keys.elementsEqual(right.keys) { $0.utf8.elementsEqual($1.utf8) }
  }

  public static func < (left: Path, right: Path) -> Bool {
    left.keys.lazy.map(StringKey.init).lexicographicallyPrecedes(
      right.keys.lazy.map(StringKey.init))
  }

  public func hash(into hasher: inout Hasher) {
    for key in self.keys {
      StringKey(key).hash(into: &hasher)
    }
  }
}

extension Path: CustomStringConvertible {
  /// The keys joined by dots; `@` for the root.
  public var description: String {
    self.keys.isEmpty ? "@" : self.keys.joined(separator: ".")
  }
}
