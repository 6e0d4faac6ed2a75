import ImmutableJSON

// sort, min and max, by the elements themselves or by an expression.
extension Arguments {
  func sort() throws(ExpressionError) -> Value {
    try self.sorted(self.array(0), by: nil)
  }

  func sortBy() throws(ExpressionError) -> Value {
    try self.sorted(self.array(0), by: 1)
  }

  /// The first element that no other precedes; null if there are no elements.
  func extreme(_ precedes: (SortKey, SortKey) -> Bool) throws(ExpressionError) -> Value {
    try self.first(of: self.array(0), by: nil, precedes)
  }

  func extremeBy(_ precedes: (SortKey, SortKey) -> Bool) throws(ExpressionError) -> Value {
    try self.first(of: self.array(0), by: 1, precedes)
  }

  /// Sorts stably.
  private func sorted(_ elements: JSONArray, by argument: Int?) throws(ExpressionError) -> Value {
    try self.charge(self.unitsOfSorting(elements.count, .number(.integer(0))))
    var values: [Value] = []
    var keys: [SortKey] = []
    values.reserveCapacity(elements.count)
    keys.reserveCapacity(elements.count)
    for element in elements {
      keys.append(try self.key(of: element, at: keys.count, by: argument, like: keys.first))
      values.append(element)
    }
    if let key = keys.first, case .string = key {
      try self.charge(
        self.unitsOfSorting(keys.count, key)
          - self.unitsOfSorting(keys.count, .number(.integer(0))))
    }
    return try self.array(JSONArray(keys.order.map { values[$0] }))
  }

  /// The units of sorting elements, without those of their keys.
  func unitsOfSorting(_ count: Int, _ key: SortKey) -> Int {
    // A comparison costs half a unit. Comparing strings accesses scattered memory.
    let depth = count.bitWidth - count.leadingZeroBitCount
    let units = 5 * count + count * depth / 2
    return if case .string = key { units + count * depth } else { units }
  }

  private func first(
    of elements: JSONArray, by argument: Int?, _ precedes: (SortKey, SortKey) -> Bool
  ) throws(ExpressionError) -> Value {
    try self.charge(2 * elements.count)
    var first: (key: SortKey, value: Value)?
    var index = 0
    for element in elements {
      let key = try self.key(of: element, at: index, by: argument, like: first?.key)
      if first.map({ precedes(key, $0.key) }) != false {
        first = (key, element)
      }
      index += 1
    }
    return first?.value ?? .null
  }

  /// The sort key of an element: the result of an expression argument, or the element itself.
  ///
  /// Charges for a long text only once, regardless of the number of comparisons: comparing 16 bytes
  /// takes a small fraction of a unit.
  private func key(
    of element: Value, at index: Int, by argument: Int?, like other: SortKey?
  ) throws(ExpressionError) -> SortKey {
    var value = element
    if let argument {
      value = try self.apply(argument, to: element)
    }
    guard let key = SortKey(value), other?.isSameKind(as: key) != false else {
      throw self.mismatch(value, at: index, by: argument)
    }
    try self.charge(for: key)
    return key
  }

  func charge(for key: SortKey) throws(ExpressionError) {
    if case .string(let text) = key, text.utf8.count > 15 {
      try self.charge(bytes: text.utf8.count)
    }
  }

  private func mismatch(_ value: Value, at index: Int, by argument: Int?) -> ExpressionError {
    guard let argument else {
      return self.mismatch(0, element: index, "numbers or of strings", value)
    }
    return self.mismatch(argument, result: value, of: index, "only numbers or only strings")
  }
}
