import ImmutableJSON

/// How many of each donut were sold.
struct Sales: Hashable, Sendable {
  var counts: [Donut.ID: Int]

  /// The sum; the nearest integer if `Int` cannot represent it.
  var total: Int {
    Int(clamping: self.counts.values.reduce(Int128(0)) { $0 + Int128($1) })
  }
}

/// The dictionary that `Order.sales` is, for `print` of an order.
extension Sales: CustomStringConvertible {
  var description: String {
    self.counts.description
  }
}

/// An object with the ids as its keys.
extension Sales: Codable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.counts = [:]
    for (key, count) in try container.decode([String: Int].self).sorted(by: { $0.key < $1.key }) {
      guard let id = Donut.ID(key), "\(id)" == key else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription: "\(quoted(key)) is not the id of a donut; expected an integer")
      }
      self.counts[id] = count
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(
      [String: Int](uniqueKeysWithValues: self.counts.map { ("\($0.key)", $0.value) }))
  }
}
