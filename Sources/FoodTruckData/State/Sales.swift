import ImmutableJSON

/// How many of each donut were sold.
struct Sales: Hashable, Sendable {
  var counts: [Donut.ID: Int]

  /// The sum; the nearest integer if `Int` cannot represent it.
  var total: Int {
    Int(clamping: self.counts.values.reduce(Int128(0)) { $0 + Int128($1) })
  }
}

/// Prints as the dictionary that `Order.sales` returns.
extension Sales: CustomStringConvertible {
  var description: String {
    self.counts.description
  }
}

/// An object with the ids as its keys.
extension Sales: Codable {
  init(from decoder: any Decoder) throws {
    self.counts = [:]
    for (key, count) in try Self.members(decoder) {
      guard let id = Donut.ID(key), id.description == key else {
        let reason = "\(quoted(key)) is not the id of a donut; expected an integer"
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: reason))
      }
      self.counts[id] = count
    }
  }

  /// The counts in the order of their keys.
  private static func members(_ decoder: any Decoder) throws -> [(key: String, value: Int)] {
    if let members = try MemberDecoder(decoder) { return try members.decodeIntegers() }
    let counts = try decoder.singleValueContainer().decode([String: Int].self)
    return counts.sorted { $0.key < $1.key }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(
      [String: Int](uniqueKeysWithValues: self.counts.map { ("\($0.key)", $0.value) }))
  }
}
