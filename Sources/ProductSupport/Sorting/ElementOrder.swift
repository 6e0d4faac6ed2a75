/// An order of elements, to sort all of them and to find the position of one.
@usableFromInline package struct ElementOrder<Element: Sendable>: Sendable {
  @usableFromInline let sort: @Sendable ([Element]) -> [Element]

  /// Whether the first element comes before the second.
  @usableFromInline let precedes: @Sendable (Element, Element) -> Bool

  /// Whether ``precedes`` is a total order of all elements for which this is true.
  @usableFromInline let isTotal: @Sendable (Element) -> Bool

  @usableFromInline init(
    sort: @escaping @Sendable ([Element]) -> [Element],
    precedes: @escaping @Sendable (Element, Element) -> Bool,
    isTotal: @escaping @Sendable (Element) -> Bool
  ) {
    self.sort = sort
    self.precedes = precedes
    self.isTotal = isTotal
  }
}

extension ElementOrder where Element: Identifiable, Element.ID == String {
  /// The order of `sorted(by:)` with these keys.
  @inlinable package static func keys(_ keys: [SortKey<Element>]) -> Self {
    Self(
      sort: { $0.sorted(by: keys) },
      precedes: { left, right in
        for key in keys {
          if let isInOrder = key.orders(left, right) { return isInOrder }
        }
        return left.id.hasBytes(before: right.id)
      },
      isTotal: { _ in true })
  }

  /// The order of `sorted(by:_:)` with this key.
  @inlinable package static func string(
    _ key: @escaping @Sendable (Element) -> String, _ order: SortOrder
  ) -> Self {
    Self(
      sort: { $0.sorted(by: key, order) },
      precedes: { left, right in
        let (first, second) = (key(left), key(right))
        if first < second { return order == .forward }
        if second < first { return order == .reverse }
        return left.id.hasBytes(before: right.id)
      },
      isTotal: { key($0).isOrderedByBytes })
  }
}

extension String {
  @usableFromInline func hasBytes(before other: String) -> Bool {
    self.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Whether the string consists of characters that are known to be in normal form in every
  /// combination. Swift's `<` compares such strings by their bytes; for others, it is not always
  /// transitive.
  @usableFromInline var isOrderedByBytes: Bool {
    self.utf8.allSatisfy { $0 < 0xCC }
      || self.unicodeScalars.allSatisfy { scalar in
        switch scalar.value {
        case ..<0x300,  // Latin
          0x400...0x482, 0x48A...0x52F,  // Cyrillic
          0x2010...0x2027,  // punctuation
          0x3041...0x3096, 0x30A1...0x30FA, 0x30FC,  // Hiragana and Katakana
          0x4E00...0x9FFF,  // Chinese characters
          0xAC00...0xD7A3:  // Hangul syllables
          true
        default: false
        }
      }
  }
}
