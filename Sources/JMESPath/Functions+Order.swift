import ImmutableJSON

// sort, min and max, by the elements themselves and by what an expression makes of them.
extension Arguments {
  func sort() throws(Fault) -> Value {
    try self.sorted(self.keyed(self.array(0)))
  }

  func sortBy() throws(Fault) -> Value {
    try self.sorted(self.keyed(self.array(0), by: 1))
  }

  func extreme(_ precedes: (SortKey, SortKey) -> Bool) throws(Fault) -> Value {
    Self.first(of: try self.keyed(self.array(0)), precedes)
  }

  func extremeBy(_ precedes: (SortKey, SortKey) -> Bool) throws(Fault) -> Value {
    Self.first(of: try self.keyed(self.array(0), by: 1), precedes)
  }

  private struct Keyed {
    let key: SortKey
    let index: Int
    let value: Value
  }

  private func keyed(_ elements: JSONArray) throws(Fault) -> [Keyed] {
    try self.keyed(elements) { (element) throws(Fault) in
      element
    } mismatch: { index, value in
      self.mismatch(0, element: index, "numbers or of strings", value)
    }
  }

  private func keyed(_ elements: JSONArray, by argument: Int) throws(Fault) -> [Keyed] {
    try self.keyed(elements) { (element) throws(Fault) in
      try self.apply(argument, to: element)
    } mismatch: { index, value in
      self.mismatch(argument, result: value, of: index, "only numbers or only strings")
    }
  }

  private func keyed(
    _ elements: JSONArray, key: (Value) throws(Fault) -> Value,
    mismatch: (Int, Value) -> Fault
  ) throws(Fault) -> [Keyed] {
    try self.scope.charge(elements.count)
    var result: [Keyed] = []
    result.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      let value = try key(element)
      guard let key = SortKey(value), result.first.map({ $0.key.isSameKind(as: key) }) != false
      else { throw mismatch(index, value) }
      result.append(Keyed(key: key, index: index, value: element))
    }
    return result
  }

  /// Sorts; equal elements stay in their order.
  private func sorted(_ elements: [Keyed]) throws(Fault) -> Value {
    let sorted = elements.sorted { left, right in
      left.key < right.key || (left.index < right.index && !(right.key < left.key))
    }
    return .array(JSONArray(sorted.map(\.value)))
  }

  /// The element that none precedes, the first of several; null if there are no elements.
  private static func first(
    of elements: [Keyed], _ precedes: (SortKey, SortKey) -> Bool
  ) -> Value {
    guard var first = elements.first else { return .null }
    for element in elements where precedes(element.key, first.key) {
      first = element
    }
    return first.value
  }
}
