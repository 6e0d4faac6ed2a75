import ImmutableJSON

/// The sum of the elements of a collection.
final class KeptSum: Kept {
  private var sum = ExactSum()

  override var bytes: Int {
    super.bytes + 600
  }
}

extension KeptSum {
  func update(
    to values: ValueSequence, _ arguments: Arguments, _ results: PartialResults
  ) throws(ExpressionError) -> Value? {
    guard let changes = self.mirror.changes(to: values) else { return nil }
    try arguments.charge(values.underestimatedCount)
    // The only reference to the digits.
    var sum = self.sum
    self.sum = ExactSum()
    for change in changes {
      try results.forEach(in: change.removed) { (run) throws(ExpressionError) in
        try run.forEach { (element) throws(ExpressionError) in
          switch element {
          case .integer(let integer): sum.subtract(integer)
          case .real(let real): sum.subtract(real)
          default: throw .notKept
          }
        }
        return []
      }
      try results.forEach(in: change.added) { (run) throws(ExpressionError) in
        try run.forEach { (element) throws(ExpressionError) in
          switch element {
          case .integer(let integer): sum.add(integer)
          case .real(let real) where real.isFinite: sum.add(real)
          default: throw .notKept
          }
        }
        return []
      }
    }
    self.mirror.finish()
    self.sum = sum
    return arguments.call.function == .sum
      ? try arguments.value(of: sum)
      : try arguments.average(of: sum, values.underestimatedCount)
  }
}
