import ImmutableJSON

/// One key of a sort: what the elements are compared by, and in which order.
///
/// Numbers compare by value, with −0.0 equal to 0.0. Text compares by its UTF-8 bytes, which orders
/// it by code points and is the same in every locale. A number that is not a number (NaN) comes
/// after all others, going forward.
package struct SortKey<Element>: Sendable {
  /// Numbers with the order of the keys. For text, equal numbers need a comparison of the text.
  let prefix: @Sendable (Element) -> UInt64

  /// The text to compare, if the key is text.
  let text: (@Sendable (Element) -> String)?

  let order: SortOrder
}

extension SortKey {
  package static func integer(
    _ key: @escaping @Sendable (Element) -> Int64, _ order: SortOrder = .forward
  ) -> Self {
    Self(prefix: { UInt64(bitPattern: key($0)) ^ signBit }, text: nil, order: order)
  }

  package static func double(
    _ key: @escaping @Sendable (Element) -> Double, _ order: SortOrder = .forward
  ) -> Self {
    Self(prefix: { key($0).orderedBits }, text: nil, order: order)
  }

  package static func text(
    _ key: @escaping @Sendable (Element) -> String, _ order: SortOrder = .forward
  ) -> Self {
    Self(prefix: { key($0).bytePrefix }, text: key, order: order)
  }
}

extension SortKey {
  /// Whether the first of two elements with equal prefixes comes first by this key; `nil` if the
  /// keys are equal.
  func ordersEqualPrefixes(_ left: Element, _ right: Element) -> Bool? {
    guard let text = self.text else { return nil }
    let (left, right) = (text(left).utf8, text(right).utf8)
    if left.lexicographicallyPrecedes(right) { return self.order == .forward }
    if right.lexicographicallyPrecedes(left) { return self.order == .reverse }
    return nil
  }
}

extension Double {
  /// A number that has the order of this one among others. The bits of positive doubles have their
  /// order, those of negative doubles the reverse.
  fileprivate var orderedBits: UInt64 {
    if self.isNaN { return .max }
    let bits = (self == 0 ? 0 : self).bitPattern
    return bits & signBit == 0 ? bits | signBit : ~bits
  }
}

private let signBit: UInt64 = 1 << 63
