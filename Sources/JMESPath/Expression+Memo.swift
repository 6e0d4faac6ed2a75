import ImmutableJSON

extension Expression {
  /// Whether two values are the same wherever this expression reads, so that with equal arguments
  /// it makes the same of both. O(the length of ``paths``).
  ///
  /// `false` says nothing: arrays and objects are the same here if they are identical.
  public func readsSame(in old: Value, _ new: Value) -> Bool {
    self.paths.allSatisfy { $0.isSame(in: old, new) }
  }
}

extension Path {
  /// Whether both values lead to the same, by nulls at the same places: `a.[b]` is null only if `a`
  /// is.
  fileprivate func isSame(in old: Value, _ new: Value) -> Bool {
    var (old, new) = (old, new)
    for key in self.keys {
      if old.isIdentical(to: new) { return true }
      guard old.isNull == new.isNull else { return false }
      old = old[key] ?? .null
      new = new[key] ?? .null
    }
    return old.isIdentical(to: new)
  }
}

extension Value {
  fileprivate var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// Whether both are one and the same, or equal and neither array nor object.
  fileprivate func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)): left.isIdentical(to: right)
    case (.object(let left), .object(let right)): left.isIdentical(to: right)
    case (.array, _), (.object, _), (_, .array), (_, .object): false
    default: self == other
    }
  }
}
