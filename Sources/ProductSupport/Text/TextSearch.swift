/// A text to search for in other texts, prepared once.
///
/// The text is found where its characters occur one after the other and no mark follows that
/// belongs to the last one: `e` is not in `é`, unless marks are ignored. White space counts. The
/// empty text is in every text.
package struct TextSearch: Sendable {
  private let needle: [Unicode.Scalar]

  /// The failure function: for each prefix of the needle, the length of its longest proper prefix
  /// that is also its suffix.
  private let fallback: [Int]

  private let folding: TextFolding

  package init(_ text: String, _ folding: TextFolding) {
    self.needle = folding.folded(text)
    self.folding = folding
    var fallback = [0, 0]
    var length = 0
    for scalar in self.needle.dropFirst() {
      length = Self.extend(length, by: scalar, self.needle, fallback)
      fallback.append(length)
    }
    self.fallback = fallback
  }
}

extension TextSearch {
  /// Whether the text occurs in another one. O(n) in the length of the other one.
  ///
  /// The algorithm of Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", SIAM Journal on
  /// Computing 6, 1977: no text makes it slow.
  package func matches(_ text: String) -> Bool {
    if self.needle.isEmpty { return true }
    var length = 0
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      // Without marks, each character has one folded form.
      for byte in text.utf8 {
        let scalar = Unicode.Scalar(0x41...0x5A ~= byte ? byte | 0x20 : byte)
        length = Self.extend(length, by: scalar, self.needle, self.fallback)
        if length == self.needle.count { return true }
      }
      return false
    }
    for scalar in self.folding.folded(text) {
      if length == self.needle.count, scalar.combiningClass == 0 { return true }
      length = Self.extend(length, by: scalar, self.needle, self.fallback)
    }
    return length == self.needle.count
  }

  /// The number of characters of the needle that match after one more character.
  private static func extend(
    _ length: Int, by scalar: Unicode.Scalar, _ needle: [Unicode.Scalar], _ fallback: [Int]
  ) -> Int {
    var length = length
    while length == needle.count || needle[length] != scalar {
      if length == 0 { return 0 }
      length = fallback[length]
    }
    return length + 1
  }
}
