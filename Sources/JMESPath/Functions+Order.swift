import ImmutableJSON

// sort, min and max, by the elements themselves and by what an expression makes of them.
extension Arguments {
  func sort() throws(Fault) -> Value {
    try self.sorted(self.array(0), by: nil)
  }

  func sortBy() throws(Fault) -> Value {
    try self.sorted(self.array(0), by: 1)
  }

  /// The element that none precedes, the first of several; null if there are no elements.
  func extreme(_ precedes: (SortKey, SortKey) -> Bool) throws(Fault) -> Value {
    try self.first(of: self.array(0), by: nil, precedes)
  }

  func extremeBy(_ precedes: (SortKey, SortKey) -> Bool) throws(Fault) -> Value {
    try self.first(of: self.array(0), by: 1, precedes)
  }

  private struct Keyed {
    let key: SortKey
    let index: Int
    let value: Value
  }

  /// Sorts; equal elements stay in their order.
  private func sorted(_ elements: JSONArray, by argument: Int?) throws(Fault) -> Value {
    // A comparison of short keys is worth half a unit.
    let depth = elements.count.bitWidth - elements.count.leadingZeroBitCount
    try self.charge(elements.count * depth / 2)
    try self.chargeMaking(elements: elements.count)
    var keyed: [Keyed] = []
    keyed.reserveCapacity(elements.count)
    try self.forEachKey(of: elements, by: argument) { (key, index, value) throws(Fault) in
      keyed.append(Keyed(key: key, index: index, value: value))
    }
    guard !keyed.contains(where: { $0.key.isLong }) else {
      try self.sortLong(&keyed)
      return try self.array(JSONArray(keyed.lazy.map(\.value)))
    }
    let sorted = keyed.sorted { left, right in
      left.key < right.key || (left.index < right.index && !(right.key < left.key))
    }
    return try self.array(JSONArray(sorted.map(\.value)))
  }

  /// Sorts by long texts, which are charged for as they are compared.
  private func sortLong(_ keyed: inout [Keyed]) throws(Fault) {
    // Swift's sort cannot throw a fault. After one it ends soon, as nothing is compared any more.
    var fault: Fault?
    keyed.sort { left, right in
      guard fault == nil else { return false }
      do throws(Fault) {
        try self.chargeComparison(left.key, right.key)
      } catch {
        fault = error
        return false
      }
      return Self.precedes(left, right)
    }
    if let fault { throw fault }
  }

  private static func precedes(_ left: Keyed, _ right: Keyed) -> Bool {
    left.key < right.key || (left.index < right.index && !(right.key < left.key))
  }

  private func first(
    of elements: JSONArray, by argument: Int?, _ precedes: (SortKey, SortKey) -> Bool
  ) throws(Fault) -> Value {
    var first: (key: SortKey, value: Value)?
    try self.forEachKey(of: elements, by: argument) { (key, _, value) throws(Fault) in
      if let first {
        try self.chargeComparison(key, first.key)
        guard precedes(key, first.key) else { return }
      }
      first = (key, value)
    }
    return first?.value ?? .null
  }

  /// Charges for the text of long keys, all of which may have to be compared.
  private func chargeComparison(_ left: SortKey, _ right: SortKey) throws(Fault) {
    guard case (.string(let left), .string(let right)) = (left, right) else { return }
    let bytes = min(left.utf8.count, right.utf8.count)
    if bytes > 15 {
      try self.charge(bytes: bytes)
    }
  }

  /// Calls `body` with each element and what it is sorted by: what an argument makes of it, or
  /// itself.
  private func forEachKey(
    of elements: JSONArray, by argument: Int?,
    _ body: (SortKey, _ index: Int, Value) throws(Fault) -> Void
  ) throws(Fault) {
    try self.charge(2 * elements.count)
    var first: SortKey?
    var index = 0
    for element in elements {
      let value =
        try argument.map { argument throws(Fault) in
          try self.apply(argument, to: element)
        } ?? element
      guard let key = SortKey(value), first?.isSameKind(as: key) != false else {
        throw self.mismatch(value, at: index, by: argument)
      }
      first = first ?? key
      try body(key, index, element)
      index += 1
    }
  }

  private func mismatch(_ value: Value, at index: Int, by argument: Int?) -> Fault {
    guard let argument else {
      return self.mismatch(0, element: index, "numbers or of strings", value)
    }
    return self.mismatch(argument, result: value, of: index, "only numbers or only strings")
  }
}
