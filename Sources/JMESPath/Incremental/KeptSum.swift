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
  ) throws(ExpressionError) -> Value {
    guard let changes = self.mirror.changes(to: values) else {
      results.countRebuild()
      (self.mirror, self.sum) = (TreeMirror(), ExactSum())
      return try self.update(to: values, arguments, results)
    }
    try arguments.charge(values.underestimatedCount)
    for change in changes {
      try results.forEach(in: change.removed) { (_, element) throws(ExpressionError) in
        switch element {
        case .integer(let integer): self.sum.subtract(integer)
        case .real(let real): self.sum.subtract(real)
        default: throw .notKept
        }
        return true
      }
      try results.forEach(in: change.added) { (_, element) throws(ExpressionError) in
        switch element {
        case .integer(let integer): self.sum.add(integer)
        case .real(let real) where real.isFinite: self.sum.add(real)
        default: throw .notKept
        }
        return true
      }
    }
    self.mirror.finish()
    return arguments.call.function == .sum
      ? try arguments.value(of: self.sum)
      : try arguments.average(of: self.sum, values.underestimatedCount)
  }
}
