import ImmutableJSON

/// The positions of names in a list of at most 64: a hash table with open addressing. The hash is
/// that of the first eight bytes, which are at hand as a number.
final class NameTable: Sendable {
  private let beginnings: [(prefix: UInt64, count: Int)]
  private let names: [ObjectKey]
  /// Positions, plus 1; 0 for a free slot.
  private let slots: [UInt8]

  static var limit: Int { 64 }

  /// - Returns: `nil` for too many names.
  init?(_ names: [ObjectKey]) {
    guard names.count <= Self.limit else { return nil }
    self.names = names
    self.beginnings = names.map { ($0.bytes.prefix, $0.bytes.bytes.count) }
    var slots = [UInt8](repeating: 0, count: 256)
    for (position, name) in self.beginnings.enumerated() {
      var slot = Self.slot(of: name.prefix)
      while slots[Int(slot)] > 0 { slot &+= 1 }
      slots[Int(slot)] = UInt8(position + 1)
    }
    self.slots = slots
  }

  /// The position of a name; `nil` for another one.
  func position(of name: KeyBytes) -> Int? {
    var slot = Self.slot(of: name.prefix)
    while true {
      let position = Int(self.slots[Int(slot)]) - 1
      guard position >= 0 else { return nil }
      let (prefix, count) = self.beginnings[position]
      if prefix == name.prefix, count == name.bytes.count,
        count <= 8 || self.names[position].bytes.bytes.hasSameBytes(as: name.bytes)
      {
        return position
      }
      slot &+= 1
    }
  }

  private static func slot(of prefix: UInt64) -> UInt8 {
    UInt8(truncatingIfNeeded: (prefix &* 0x9E37_79B9_7F4A_7C15) &>> 56)
  }
}
