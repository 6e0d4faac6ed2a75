/// A value would exceed a limit.
public struct ValueLimitError: Error, Hashable {
  /// The kind of a limit.
  public enum Kind: Hashable, Sendable {
    case depth
    case values
    case text
  }

  public let kind: Kind

  /// The limit, in levels, values or bytes.
  public let limit: Int

  public init(_ kind: Kind, limit: Int) {
    self.kind = kind
    self.limit = limit
  }
}

extension ValueLimitError: CustomStringConvertible {
  /// A message such as `the value would nest deeper than 2048 levels`.
  public var description: String {
    switch self.kind {
    case .depth: "the value would nest deeper than \(self.limit) levels"
    case .values: "the value would have more than \(counted(self.limit, "value"))"
    case .text: "the text of the value would have more than \(counted(self.limit, "byte"))"
    }
  }
}
