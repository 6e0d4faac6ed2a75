import ImmutableJSON

/// A total order of elements, to sort all of them and to find the position of one.
@usableFromInline package struct ElementOrder<Element: Sendable>: Sendable {
  @usableFromInline let sort: @Sendable ([Element]) -> [Element]

  /// Whether the first element comes before the second.
  @usableFromInline let precedes: @Sendable (Element, Element) -> Bool

  @usableFromInline init(
    sort: @escaping @Sendable ([Element]) -> [Element],
    precedes: @escaping @Sendable (Element, Element) -> Bool
  ) {
    self.sort = sort
    self.precedes = precedes
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
      })
  }
}

extension String {
  @usableFromInline func hasBytes(before other: String) -> Bool {
    self.compareBytes(with: other) < 0
  }
}
