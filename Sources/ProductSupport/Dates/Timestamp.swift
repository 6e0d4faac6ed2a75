/// A point in time: the number of milliseconds since 1970-01-01T00:00:00Z, as POSIX counts them,
/// without leap seconds. In JSON and in print it is this number.
public struct Timestamp: Hashable, Sendable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }
}

extension Timestamp: Comparable {
  public static func < (left: Self, right: Self) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Timestamp: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.milliseconds)
  }
}

extension Timestamp: CustomStringConvertible {
  public var description: String {
    "\(self.milliseconds)"
  }
}
