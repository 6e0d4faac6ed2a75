extension Value {
  /// Whether arrays and objects nest more than `limit` deep in this one; a scalar nests 0 deep.
  ///
  /// Whatever puts one value into another asks this, and refuses what would nest deeper than
  /// ``maximumDepth``: without it a loop of `value = {"a": value}` makes a value that no one can
  /// write, compare or destroy without overflowing the stack, as all three recurse. The length of
  /// the pointer alone does not tell, since the element brings a depth of its own.
  ///
  /// O(1) for a scalar, otherwise O(n) in the elements of this value, not of what it is put into.
  func nests(deeperThan limit: Int) -> Bool {
    switch self {
    case .array(let array):
      limit <= 0 || array.contains { $0.nests(deeperThan: limit - 1) }
    case .object(let object):
      limit <= 0 || object.contains { $0.value.nests(deeperThan: limit - 1) }
    default:
      limit < 0
    }
  }
}
