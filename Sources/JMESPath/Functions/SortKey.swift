import ImmutableJSON

/// A sort key: a number, or a string, which is ordered by code points.
enum SortKey {
  case number(Number)
  case string(String)

  init?(_ value: Value) {
    if let number = Number(value) {
      self = .number(number)
    } else if case .string(let string) = value {
      self = .string(string)
    } else {
      return nil
    }
  }

  var value: Value {
    switch self {
    case .number(let number): number.value
    case .string(let string): .string(string)
    }
  }

  /// Whether the key is before, after or equal to any other: not a number that is no number.
  var isOrdered: Bool {
    if case .number(.real(let real)) = self { real.isFinite } else { true }
  }

  func isSameKind(as other: SortKey) -> Bool {
    switch (self, other) {
    case (.number, .number), (.string, .string): true
    default: false
    }
  }

  static func < (left: SortKey, right: SortKey) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.string(let left), .string(let right)):
      left.hasBytesBefore(right)
    // Unreachable: the keys of a call have the same kind.
    default: false
    }
  }
}

extension [SortKey] {
  /// The indexes of the keys in stable sorted order. All keys must have the same kind.
  ///
  /// The sort moves only data without references: reference counting would dominate its cost.
  var order: [Int] {
    if case .string = self.first { self.orderOfStrings } else { self.orderOfNumbers }
  }

  private var orderOfNumbers: [Int] {
    var keyed: [(key: Number, index: Int)] = []
    keyed.reserveCapacity(self.count)
    for case .number(let number) in self {
      keyed.append((number, keyed.count))
    }
    keyed.sort { left, right in
      left.key < right.key || (left.index < right.index && left.key == right.key)
    }
    return keyed.map(\.index)
  }

  /// Most strings differ in their first bytes, which are compared without access to the strings.
  private var orderOfStrings: [Int] {
    var keys: [String] = []
    var keyed: [(prefix: UInt64, index: Int)] = []
    keys.reserveCapacity(self.count)
    keyed.reserveCapacity(self.count)
    for case .string(let string) in self {
      keyed.append((string.bytePrefix, keys.count))
      keys.append(string)
    }
    keyed.sort { left, right in
      guard left.prefix == right.prefix else { return left.prefix < right.prefix }
      let order = keys[left.index].compareBytes(with: keys[right.index])
      return order < 0 || (order == 0 && left.index < right.index)
    }
    return keyed.map(\.index)
  }
}
