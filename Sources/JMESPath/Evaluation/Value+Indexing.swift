import ImmutableJSON

extension Value {
  /// The element at an index, which counts from the end if negative; null if it does not exist.
  func element(at index: Int) -> Value {
    guard case .array(let elements) = self else { return .null }
    let index = index < 0 ? index + elements.count : index
    return elements.indices.contains(index) ? elements[index] : .null
  }

  /// The elements of a slice; null if this is not an array.
  func elements(in slice: Node.Slice, _ scope: Scope) throws(ExpressionError) -> Value {
    guard case .array(let elements) = self else { return .null }
    let indexes = slice.indexes(of: elements.count)
    try scope.charge(indexes.underestimatedCount)
    try scope.chargeCreating(elements: indexes.underestimatedCount)
    if slice.step == 1, let start = indexes.first(where: { _ in true }) {
      return try scope.array(elements.slice(start..<(start + indexes.underestimatedCount)))
    }
    return try scope.array(JSONArray(indexes.map { elements[$0] }))
  }
}

extension Node.Slice {
  /// The indexes of the slice in an array of `count` elements, as in Python.
  func indexes(of count: Int) -> StrideTo<Int> {
    let isForward = self.step > 0
    let low = isForward ? 0 : -1
    let high = isForward ? count : count - 1
    let start = self.start.map { Self.bound($0, count, low, high) } ?? (isForward ? low : high)
    let stop = self.stop.map { Self.bound($0, count, low, high) } ?? (isForward ? high : low)
    // A step beyond the array selects only the first element. Clamping it has the same effect and
    // avoids overflow.
    let step = min(max(self.step, -count - 1), count + 1)
    return stride(from: start, to: stop, by: step)
  }

  private static func bound(_ index: Int, _ count: Int, _ low: Int, _ high: Int) -> Int {
    index < 0 ? max(index + count, low) : min(index, high)
  }
}
