import ImmutableJSON

/// The values of an operand, by slot.
struct OperandValues {
  let column: ValueColumn

  /// A mask for slots: 0 if the value is the same for all slots, which is then in slot 0.
  let mask: Int

  @inline(__always)
  subscript(slot: Int) -> BorrowedValue {
    self.column[slot & self.mask]
  }
}

extension Comparison {
  /// The slots for which the comparison holds; `nil` if this costs more than the budget, or if its
  /// cost cannot be known in advance.
  func slots(
    _ slots: SlotSet, where left: OperandValues, _ right: OperandValues, _ budget: Int,
    _ costs: inout ConditionCosts
  ) -> SlotSet? {
    switch self {
    case .equal:
      return Self.slots(slots, ofEqual: left, right, budget, &costs)
    case .notEqual:
      return Self.slots(slots, ofEqual: left, right, budget, &costs).map { slots.subtracting($0) }
    case .less: return Self.slots(slots, where: left, right, <, <)
    case .lessOrEqual: return Self.slots(slots, where: left, right, <=, <=)
    case .greater: return Self.slots(slots, where: left, right, >, >)
    case .greaterOrEqual: return Self.slots(slots, where: left, right, >=, >=)
    }
  }

  @inline(__always)
  private static func slots(
    _ slots: SlotSet, where left: OperandValues, _ right: OperandValues,
    _ integers: (Int64, Int64) -> Bool, _ numbers: (Number, Number) -> Bool
  ) -> SlotSet {
    slots.filter { slot in
      let (left, right) = (left[slot], right[slot])
      if case (.integer(let left), .integer(let right)) = (left, right) {
        return integers(left, right)
      }
      guard let left = Number(left), let right = Number(right) else { return false }
      return numbers(left, right)
    }
  }

  private static func slots(
    _ slots: SlotSet, ofEqual left: OperandValues, _ right: OperandValues, _ budget: Int,
    _ costs: inout ConditionCosts
  ) -> SlotSet? {
    var isKnown = true
    let equal = slots.filter { slot in
      let (left, right) = (left[slot], right[slot])
      if case (.integer(let left), .integer(let right)) = (left, right) { return left == right }
      guard isKnown,
        let isEqual = left.isEqual(to: right, SlotSet(slot: slot), budget, &costs)
      else {
        isKnown = false
        return false
      }
      return isEqual
    }
    return isKnown ? equal : nil
  }
}

extension BorrowedValue {
  var isTrue: Bool {
    switch self {
    case .null: false
    case .integer, .real: true
    case .other(let value): value.pointee.isTrue
    }
  }

  /// Whether two values are equal; `nil` if this costs more than the budget, or if its cost cannot
  /// be known in advance.
  fileprivate func isEqual(
    to other: BorrowedValue, _ slot: SlotSet, _ budget: Int, _ costs: inout ConditionCosts
  ) -> Bool? {
    switch (self, other) {
    case (.null, .null): return true
    case (.other(let left), .other(let right)):
      switch (left.pointee, right.pointee) {
      case (.bool(let left), .bool(let right)): return left == right
      case (.string(let left), .string(let right)):
        guard left.utf8.count == right.utf8.count else { return false }
        costs.add(Scope.units(comparing: left.utf8.count), for: slot)
        return costs.total <= budget ? left.hasSameBytes(as: right) : nil
      case (.array, .array), (.object, .object): return nil
      default: return false
      }
    default:
      guard let left = Number(self), let right = Number(other) else { return false }
      return left == right
    }
  }
}

extension Number {
  @inline(__always)
  fileprivate init?(_ value: BorrowedValue) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .null, .other: return nil
    }
  }
}
