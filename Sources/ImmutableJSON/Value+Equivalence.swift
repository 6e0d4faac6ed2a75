extension Value {
  /// Whether both are the same JSON, numbers being the same if they are numerically: 1 is 1.0, and
  /// 0.0 is -0.0, at any depth.
  ///
  /// `==` tells these apart. Parts that both share are not looked at. RFC 6902, section 4.6.
  public func isEquivalent(to other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      // Not by Double(integer), which rounds beyond 53 bits.
      Int64(exactly: real) == integer
    case (.real(let left), .real(let right)):
      left == right
    case (.array(let left), .array(let right)):
      left.isIdentical(to: right)
        || left.count == right.count && left.elementsEqual(right) { $0.isEquivalent(to: $1) }
    case (.object(let left), .object(let right)):
      left.isIdentical(to: right)
        || left.count == right.count
          && left.elementsEqual(right) {
            $0.key.utf8.elementsEqual($1.key.utf8) && $0.value.isEquivalent(to: $1.value)
          }
    default:
      self == other
    }
  }
}
