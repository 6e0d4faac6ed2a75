/// A value would be beyond one of the limits of values.
public struct ValueLimitError: Error, Hashable {
  /// Which limit it is.
  public enum Kind: Hashable, Sendable {
    case depth
    case values
    case text
  }

  public let kind: Kind

  /// The limit: levels, values or bytes.
  public let limit: Int

  public init(_ kind: Kind, limit: Int) {
    self.kind = kind
    self.limit = limit
  }
}

extension ValueLimitError: CustomStringConvertible {
  /// What is wrong, such as `the value would nest deeper than 2048 levels`.
  public var description: String {
    switch self.kind {
    case .depth: "the value would nest deeper than \(self.limit) levels"
    case .values: "the value would have more than \(counted(self.limit, "value"))"
    case .text: "the text of the value would have more than \(counted(self.limit, "byte"))"
    }
  }
}
