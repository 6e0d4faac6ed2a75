import ImmutableJSON

/// One key of a sort, which reads an element by its index.
@usableFromInline struct SortColumn {
  /// Numbers that sort like the keys.
  let prefix: (Int) -> UInt64

  /// The text to compare, if the key is text.
  let text: ((Int) -> String)?

  private let order: SortOrder

  @usableFromInline init(
    prefix: @escaping (Int) -> UInt64, text: ((Int) -> String)?, order: SortOrder
  ) {
    self.prefix = order == .forward ? prefix : { ~prefix($0) }
    self.text = text
    self.order = order
  }

  init(text: @escaping (Int) -> String, order: SortOrder) {
    self.init(prefix: { text($0).sortPrefix }, text: text, order: order)
  }
}

extension SortColumn {
  /// This column with the texts of all elements read once.
  @usableFromInline func cached(for count: Int) -> Self {
    guard let text = self.text else { return self }
    let texts = (0..<count).map(text)
    return Self(text: { texts[$0] }, order: self.order)
  }

  /// A part of a key that is compared as a number.
  enum Part {
    /// ``prefix``
    case prefix
    /// The eight bytes of a text from an offset on, padded with zeros.
    case bytes(Int)
    /// The length of a text. Distinguishes texts that differ only by zeros at their ends.
    case length
  }

  /// The part to compare if a part is equal; `nil` after the last one.
  ///
  /// - Parameter longest: The length of the longest of the texts whose bytes were compared.
  func part(after part: Part, longest: Int) -> Part? {
    guard self.text != nil else { return nil }
    return switch part {
    case .prefix: .bytes(8)
    case .bytes(let offset): longest > offset + 8 ? .bytes(offset + 8) : .length
    case .length: nil
    }
  }

  /// A number of a key in the order of this column.
  func directed(_ number: UInt64) -> UInt64 {
    self.order == .forward ? number : ~number
  }

  /// Whether the first of two elements with equal prefixes comes first by this key; `nil` if the
  /// keys are equal.
  func ordersEqualPrefixes(_ left: Int, _ right: Int) -> Bool? {
    guard let text = self.text else { return nil }
    let comparison = text(left).compareBytes(with: text(right))
    return comparison == 0 ? nil : (comparison < 0) == (self.order == .forward)
  }
}
