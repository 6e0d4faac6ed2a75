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
