extension String {
  /// Whether the bytes of another text stand in this one. O(n), by the algorithm of Knuth, Morris
  /// and Pratt.
  func contains(bytesOf other: String) -> Bool {
    var (text, wanted) = (self, other)
    return wanted.withUTF8 { wanted in
      guard !wanted.isEmpty else { return true }
      let borders = wanted.borders
      return text.withUTF8 { text in
        var matched = 0
        for byte in text {
          matched = wanted.matched(byte, after: matched, borders)
          if matched == wanted.count { return true }
        }
        return false
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Of each prefix, how long the longest is that it both begins and ends with.
  fileprivate var borders: [Int] {
    var borders = [0]
    borders.reserveCapacity(self.count)
    var matched = 0
    for byte in self.dropFirst() {
      matched = self.matched(byte, after: matched, borders)
      borders.append(matched)
    }
    return borders
  }

  /// How much of this is matched with one byte more, if less than all was before.
  fileprivate func matched(_ byte: UInt8, after matched: Int, _ borders: [Int]) -> Int {
    var matched = matched
    while matched > 0, self[matched] != byte {
      matched = borders[matched - 1]
    }
    return self[matched] == byte ? matched + 1 : 0
  }
}
