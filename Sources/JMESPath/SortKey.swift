import ImmutableJSON

/// What values are sorted by: numbers, or strings by their code points.
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

  /// Whether comparing it takes more than a look: a text beyond 15 bytes.
  var isLong: Bool {
    if case .string(let string) = self { string.utf8.count > 15 } else { false }
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
    // Never asked: the keys of a call are of one kind.
    default: false
    }
  }
}
