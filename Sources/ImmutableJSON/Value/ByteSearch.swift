/// Searches for a byte sequence with the Knuth–Morris–Pratt algorithm: O(n + m).
package struct ByteSearch: Sendable {
  package let wanted: [UInt8]

  /// For each prefix of `wanted`, the length of its longest proper prefix that is also its suffix.
  private let borders: [Int]

  package init(_ wanted: some Sequence<UInt8>) {
    let wanted = Array(wanted)
    var borders = wanted.isEmpty ? [] : [0]
    borders.reserveCapacity(wanted.count)
    var matched = 0
    for byte in wanted.dropFirst() {
      matched = Self.matched(byte, after: matched, wanted, borders)
      borders.append(matched)
    }
    self.wanted = wanted
    self.borders = borders
  }
}

extension ByteSearch {
  /// The end of the first occurrence in `bytes`; `nil` if not found.
  package func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !self.wanted.isEmpty else { return 0 }
    var matched = 0
    for (index, byte) in bytes.enumerated() {
      matched = Self.matched(byte, after: matched, self.wanted, self.borders)
      if matched == self.wanted.count { return index + 1 }
    }
    return nil
  }

  /// The number of wanted bytes matched after one more byte, if fewer than all were matched before.
  private static func matched(
    _ byte: UInt8, after matched: Int, _ wanted: [UInt8], _ borders: [Int]
  ) -> Int {
    var matched = matched
    while matched > 0, wanted[matched] != byte {
      matched = borders[matched - 1]
    }
    return wanted[matched] == byte ? matched + 1 : 0
  }
}
