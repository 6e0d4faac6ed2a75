/// One key of a sort, which reads an element by its index.
@usableFromInline struct SortColumn {
  /// Numbers that sort like the keys.
  var prefix: (Int) -> UInt64

  let text: ((Int) -> String)?

  let order: SortOrder

  @usableFromInline init(
    prefix: @escaping (Int) -> UInt64, text: ((Int) -> String)?, order: SortOrder
  ) {
    self.prefix = order == .forward ? prefix : { ~prefix($0) }
    self.text = text
    self.order = order
  }
}

extension SortColumn {
  /// Whether the first of two elements with equal prefixes comes first by this key; `nil` if the
  /// keys are equal.
  func ordersEqualPrefixes(_ left: Int, _ right: Int) -> Bool? {
    guard let text = self.text else { return nil }
    let (left, right) = (text(left).utf8, text(right).utf8)
    if left.lexicographicallyPrecedes(right) { return self.order == .forward }
    if right.lexicographicallyPrecedes(left) { return self.order == .reverse }
    return nil
  }

  /// This column with the prefixes of all elements computed once.
  func computed(for count: Int) -> Self {
    var column = self
    let prefixes = (0..<count).map(self.prefix)
    column.prefix = { prefixes[$0] }
    return column
  }
}
