/// A JSON Pointer: the location of a value in a JSON document (RFC 6901).
public struct JSONPointer: Sendable {
  /// The keys and indexes from the root, unescaped.
  public var tokens: [String]

  /// Creates a pointer from unescaped tokens. Without tokens it refers to the root.
  public init(_ tokens: [String] = []) {
    self.tokens = tokens
  }

  /// The pointer to a member or element of the value at this pointer.
  public func appending(_ token: String) -> JSONPointer {
    JSONPointer(self.tokens + [token])
  }
}

extension JSONPointer: CustomStringConvertible {
  /// `""` for the root, `/a~1b/0` for the first element of the member `a/b`.
  public var description: String {
    self.tokens.map { token in
      var escaped = "/"
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": escaped += "~0"
        case "/": escaped += "~1"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
      return escaped
    }.joined()
  }
}

/// A JSON Pointer is invalid, or does not resolve in a value.
public struct JSONPointerError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// The text is not a pointer, or the value cannot have anything at that location: a member of a
    /// scalar, or an array element whose token is not an index. Also the removal of the root, and a
    /// new key that contains U+0000.
    case invalid

    /// There is no member with that key, or no element with that index.
    case notFound

    /// The result would exceed ``ValueLimits``.
    case limit
  }

  public let code: Code

  /// A message such as `nothing at "/a/b": "/a" has no member "b"`.
  public let message: String
}

extension JSONPointerError: CustomStringConvertible {
  public var description: String {
    self.message
  }
}
