import ImmutableJSON

extension Value {
  /// The element at an index, from the end if negative; null if there is none.
  func element(at index: Int) -> Value {
    guard case .array(let elements) = self else { return .null }
    let index = index < 0 ? index + elements.count : index
    return elements.indices.contains(index) ? elements[index] : .null
  }

  /// The elements of a slice, null if this is no array.
  func elements(in slice: Node.Slice, _ scope: Scope) throws(Fault) -> Value {
    guard case .array(let elements) = self else { return .null }
    let indexes = slice.indexes(of: elements.count)
    try scope.charge(indexes.underestimatedCount)
    return .array(JSONArray(indexes.map { elements[$0] }))
  }

  /// The elements of the arrays in this array, and its other elements; null if it is no array.
  func flattened(_ scope: Scope) throws(Fault) -> Value {
    guard case .array(let elements) = self else { return .null }
    try scope.charge(elements.count)
    var result: [Value] = []
    result.reserveCapacity(elements.count)
    for element in elements {
      if case .array(let inner) = element {
        try scope.charge(inner.count)
        result.append(contentsOf: inner)
      } else {
        result.append(element)
      }
    }
    return .array(JSONArray(result))
  }

  /// What `each` makes of the elements, without the nulls; null if this is no array.
  func projectElements(_ each: Node, _ scope: Scope) throws(Fault) -> Value {
    guard case .array(let elements) = self else { return .null }
    try scope.charge(elements.count)
    var result: [Value] = []
    result.reserveCapacity(elements.count)
    for element in elements {
      let value = try each.evaluate(element, scope)
      if case .null = value { continue }
      result.append(value)
    }
    return .array(JSONArray(result))
  }

  /// What `each` makes of the members' values, without the nulls; null if this is no object.
  func projectValues(_ each: Node, _ scope: Scope) throws(Fault) -> Value {
    guard case .object(let members) = self else { return .null }
    try scope.charge(members.count)
    var result: [Value] = []
    result.reserveCapacity(members.count)
    for member in members {
      let value = try each.evaluate(member.value, scope)
      if case .null = value { continue }
      result.append(value)
    }
    return .array(JSONArray(result))
  }

  /// What `each` makes of the elements for which the condition is true, without the nulls; null if
  /// this is no array.
  func filter(_ condition: Node, _ each: Node, _ scope: Scope) throws(Fault) -> Value {
    guard case .array(let elements) = self else { return .null }
    try scope.charge(elements.count)
    var result: [Value] = []
    for element in elements where try condition.evaluate(element, scope).isTrue {
      let value = try each.evaluate(element, scope)
      if case .null = value { continue }
      result.append(value)
    }
    return .array(JSONArray(result))
  }
}

extension Node.Slice {
  /// The indexes of the elements, of an array with this many: as in Python.
  func indexes(of count: Int) -> StrideTo<Int> {
    let isForward = self.step > 0
    let low = isForward ? 0 : -1
    let high = isForward ? count : count - 1
    let start = self.start.map { Self.bound($0, count, low, high) } ?? (isForward ? low : high)
    let stop = self.stop.map { Self.bound($0, count, low, high) } ?? (isForward ? high : low)
    // A step beyond the array takes the first element only; a shorter one does the same, and adding
    // it cannot overflow.
    let step = min(max(self.step, -count - 1), count + 1)
    return stride(from: start, to: stop, by: step)
  }

  private static func bound(_ index: Int, _ count: Int, _ low: Int, _ high: Int) -> Int {
    index < 0 ? max(index + count, low) : min(index, high)
  }
}
