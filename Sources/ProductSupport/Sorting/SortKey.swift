import ImmutableJSON

/// One key of a sort: what the elements are compared by, and in which order.
///
/// Numbers compare by value: −0.0 and 0.0 are equal, and NaN is greater than all others. Text
/// compares by its UTF-8 bytes, which is the order of code points, and the same in every locale.
@usableFromInline package struct SortKey<Element>: Sendable {
  /// Numbers that sort like the keys. For text, equal numbers need a comparison of the text.
  @usableFromInline let prefix: @Sendable (Element) -> UInt64

  /// The text to compare, if the key is text.
  @usableFromInline let text: (@Sendable (Element) -> String)?

  @usableFromInline let order: SortOrder

  @usableFromInline init(
    prefix: @escaping @Sendable (Element) -> UInt64,
    text: (@Sendable (Element) -> String)?, order: SortOrder
  ) {
    self.prefix = prefix
    self.text = text
    self.order = order
  }
}

// Inlinable, so that a key's closures are specialized for the type of the elements.
extension SortKey {
  @inlinable package static func integer(
    _ key: @escaping @Sendable (Element) -> Int64, _ order: SortOrder = .forward
  ) -> Self {
    Self(prefix: { key($0).sortPrefix }, text: nil, order: order)
  }

  @inlinable package static func double(
    _ key: @escaping @Sendable (Element) -> Double, _ order: SortOrder = .forward
  ) -> Self {
    Self(prefix: { key($0).sortPrefix }, text: nil, order: order)
  }

  @inlinable package static func text(
    _ key: @escaping @Sendable (Element) -> String, _ order: SortOrder = .forward
  ) -> Self {
    Self(prefix: { key($0).sortPrefix }, text: key, order: order)
  }

  /// Whether the first of two elements comes first by this key; `nil` if the keys are equal.
  @inlinable func orders(_ left: Element, _ right: Element) -> Bool? {
    let (prefix, other) = (self.prefix(left), self.prefix(right))
    if prefix != other { return (prefix < other) == (self.order == .forward) }
    guard let text else { return nil }
    let (first, second) = (text(left), text(right))
    let comparison = first.compareBytes(with: second)
    return comparison == 0 ? nil : (comparison < 0) == (self.order == .forward)
  }

  /// This key for the elements of an array, by their index.
  @inlinable func column(of elements: [Element]) -> SortColumn {
    SortColumn(
      prefix: { self.prefix(elements[$0]) },
      text: self.text.map { text in { text(elements[$0]) } }, order: self.order)
  }
}

private let signBit: UInt64 = 1 << 63

extension Int64 {
  @usableFromInline var sortPrefix: UInt64 {
    UInt64(bitPattern: self) ^ signBit
  }
}

extension Double {
  /// Positive doubles have the order of their bits, negative ones the reverse.
  @usableFromInline var sortPrefix: UInt64 {
    if self.isNaN { return .max }
    let bits = (self == 0 ? 0 : self).bitPattern
    return bits & signBit == 0 ? bits | signBit : ~bits
  }
}

extension String {
  @usableFromInline var sortPrefix: UInt64 {
    self.bytePrefix
  }
}
