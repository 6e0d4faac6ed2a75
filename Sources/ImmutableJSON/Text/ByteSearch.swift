/// Searches for a byte sequence with the Knuth–Morris–Pratt algorithm: O(n + m).
///
/// It also finds text in UTF-8, which is self-synchronizing: a match begins and ends at code points
/// if the pattern does.
package struct ByteSearch: Sendable {
  package let pattern: [UInt8]

  /// For each prefix of `pattern`, the length of its longest proper prefix that is also its suffix.
  private let borders: [Int]

  package init(_ pattern: some Sequence<UInt8>) {
    let pattern = Array(pattern)
    var borders = pattern.isEmpty ? [] : [0]
    borders.reserveCapacity(pattern.count)
    var matched = 0
    for byte in pattern.dropFirst() {
      matched = Self.matched(byte, after: matched, pattern, borders)
      borders.append(matched)
    }
    self.pattern = pattern
    self.borders = borders
  }
}

extension ByteSearch {
  /// The end of the first occurrence in `bytes`; `nil` if not found.
  package func end(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    self.end(in: bytes) { _ in true }
  }

  /// The end of the first accepted occurrence in `bytes`; `nil` if not found. Occurrences may
  /// overlap.
  ///
  /// - Parameter isAccepted: Whether to accept the occurrence that ends at an index. Not called for
  ///   an empty pattern.
  package func end(
    in bytes: UnsafeBufferPointer<UInt8>, where isAccepted: (_ end: Int) -> Bool
  ) -> Int? {
    guard let border = self.borders.last else { return 0 }
    var matched = 0
    for (index, byte) in bytes.enumerated() {
      matched = Self.matched(byte, after: matched, self.pattern, self.borders)
      if matched == self.pattern.count {
        if isAccepted(index + 1) { return index + 1 }
        matched = border
      }
    }
    return nil
  }

  /// Returns how many bytes of the pattern are matched after one more byte.
  ///
  /// - Parameter matched: The number before it, less than the length of the pattern.
  private static func matched(
    _ byte: UInt8, after matched: Int, _ pattern: [UInt8], _ borders: [Int]
  ) -> Int {
    var matched = matched
    while matched > 0, pattern[matched] != byte {
      matched = borders[matched - 1]
    }
    return pattern[matched] == byte ? matched + 1 : 0
  }
}
