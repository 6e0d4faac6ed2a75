/// Compares elements that may be equal, until too many large ones were not.
///
/// Large elements that differ only near their ends, such as the rows of a grid, take long to
/// compare. So after a number of them, large elements count as different. What is counted is their
/// size, not what a comparison took, so that the result does not depend on what they share.
struct ElementEquality {
  /// The blocks of 64 values in the elements that were compared and differ; smaller elements have
  /// none.
  private var differing = 0

  /// The blocks after which large elements are not compared.
  private static var maxDiffering: Int { 1 << 12 }
}

extension ElementEquality {
  mutating func areEqual(
    _ left: Value, _ right: Value, _ comparison: inout ValueComparison, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> Bool {
    guard left.valueCount == right.valueCount else { return false }
    let blocks = left.valueCount / 64
    guard blocks == 0 || self.differing <= Self.maxDiffering else { return false }
    if try comparison.areEqual(left, right, &budget) { return true }
    self.differing += blocks
    return false
  }
}
