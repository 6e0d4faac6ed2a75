@_spi(_Unicode) import Swift

extension [Unicode.Scalar] {
  /// Appends the canonical decomposition (NFD) of a character, apart from the order of its marks
  /// and of those before it.
  ///
  /// Each character is decomposed on its own, because `_nfd` needs quadratic time for the marks of
  /// one character: 22 s for 100,000.
  mutating func appendDecomposition(of scalar: Unicode.Scalar) {
    // All characters before this one are their own decompositions.
    if scalar.value < 0xC0 {
      self.append(scalar)
    } else {
      self.append(contentsOf: String(scalar)._nfd)
    }
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
