import ImmutableJSON

/// A text to search for in other texts, ignoring case. It is prepared once.
///
/// The text is found where its characters occur one after the other and no mark follows that
/// belongs to the last one: `e` is not in `é`. White space counts. The empty text is in every text.
struct TextSearch: Sendable {
  /// Searches for the folded text in UTF-8.
  private let search: ByteSearch

  init(_ text: String) {
    self.search = ByteSearch(text.caseFolded.utf8)
  }
}

extension TextSearch {
  /// Whether the text occurs in another one. O(n) in the length of the other one: no text makes the
  /// search slow.
  func matches(_ text: String) -> Bool {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return self.matches(ascii: text) }
    let folded = text.caseFolded.utf8
    return folded.withUnsafeBufferPointer { bytes in
      self.search.end(in: bytes) { end in !bytes[end...].beginsWithMark } != nil
    }
  }

  /// Without marks, each character has one folded form.
  private func matches(ascii text: String) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.utf8.count) { folded in
      for (index, byte) in text.utf8.enumerated() {
        folded.initializeElement(at: index, to: 0x41...0x5A ~= byte ? byte | 0x20 : byte)
      }
      return self.search.end(in: UnsafeBufferPointer(folded)) != nil
    }
  }
}

extension [Unicode.Scalar] {
  fileprivate var utf8: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(self.count)
    for scalar in self {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return bytes
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Whether the first character of this UTF-8 is a mark that combines with the one before it.
  fileprivate var beginsWithMark: Bool {
    guard let first = self.first, first >= 0x80 else { return false }
    let scalar = String(decoding: self.prefix(4), as: UTF8.self).unicodeScalars.first
    return scalar.map { $0.combiningClass > 0 } ?? false
  }
}
