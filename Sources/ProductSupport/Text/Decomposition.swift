extension [Unicode.Scalar] {
  /// Appends the canonical decomposition (NFD) of a character, apart from the order of its marks.
  mutating func appendDecomposition(of scalar: Unicode.Scalar) {
    // All characters before this one are their own decompositions.
    guard scalar.value >= 0xC0 else {
      self.append(scalar)
      return
    }
    if 0xAC00..<0xD7A4 ~= scalar.value {
      self.appendHangul(scalar.value - 0xAC00)
      return
    }
    // Each step splits the last character off. The table has at most three steps for a character.
    var (first, marks) = (scalar, [Unicode.Scalar]())
    while let (next, mark) = decomposition(of: first) {
      first = next
      if let mark { marks.append(mark) }
    }
    self.append(first)
    self.append(contentsOf: marks.reversed())
  }

  /// Appends the letters of a Hangul syllable: The Unicode Standard, section 3.12.
  ///
  /// - Parameter index: The index of the syllable among all, less than 11,172.
  private mutating func appendHangul(_ index: UInt32) {
    let letters = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
    self.append(contentsOf: letters.prefix(index % 28 == 0 ? 2 : 3).compactMap(Unicode.Scalar.init))
  }

  /// Puts the marks that follow a character in canonical order, so that the order in which they
  /// were typed does not matter. O(n log n).
  mutating func sortMarks() {
    var start = self.startIndex
    while start < self.endIndex {
      var end = start
      while end < self.endIndex, self[end].combiningClass > 0 { end += 1 }
      if end - start > 1 {
        // The order of marks of the same class has a meaning.
        let marks = self[start..<end].enumerated().sorted {
          ($0.element.combiningClass, $0.offset) < ($1.element.combiningClass, $1.offset)
        }
        self.replaceSubrange(start..<end, with: marks.map(\.element))
      }
      start = end + 1
    }
  }
}

extension Unicode.Scalar {
  /// A number greater than 0 for a mark that combines with the character before it.
  var combiningClass: UInt8 {
    self.value < 0x300 ? 0 : self.properties.canonicalCombiningClass.rawValue
  }
}

/// One step of the decomposition of a character, by binary search. `nil` if it has none.
private func decomposition(
  of scalar: Unicode.Scalar
) -> (first: Unicode.Scalar, second: Unicode.Scalar?)? {
  let code = UInt64(scalar.value)
  var (low, high) = (0, decompositionTable.count)
  while low < high {
    let middle = (low + high) / 2
    if decompositionTable[middle] >> 42 < code { low = middle + 1 } else { high = middle }
  }
  guard low < decompositionTable.count else { return nil }
  let entry = decompositionTable[low]
  let mask: UInt64 = 0x1F_FFFF
  guard entry >> 42 == code, let first = Unicode.Scalar(UInt32(entry >> 21 & mask)) else {
    return nil
  }
  return (first, entry & mask == 0 ? nil : Unicode.Scalar(UInt32(entry & mask)))
}
