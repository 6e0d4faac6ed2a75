/// The place of a value in a JSON document (RFC 6901).
public struct JSONPointer: Sendable {
  /// The keys and indexes on the way from the root, not escaped.
  public var tokens: [String]

  /// The place of the value that the tokens lead to; the root without any.
  public init(_ tokens: [String] = []) {
    self.tokens = tokens
  }

  /// The place of a member or element of the value at this place.
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
