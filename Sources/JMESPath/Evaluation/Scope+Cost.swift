import ImmutableJSON

// The cost of an evaluation. A unit corresponds to at most about 60 ns and 12 bytes of memory:
//
//   - each node evaluated: 1, charged by the parent for all of its children together;
//   - each element or member visited: 1, charged for the whole array or object in advance;
//   - each text compared or searched: 1, and 1 more for every 16 bytes;
//   - values created: more, because they take memory; see below.
extension Scope {
  /// The number of bytes of text created for one unit.
  private static var bytesMade: Int { 8 }

  /// Charges for the elements of a new array.
  func chargeCreating(elements count: Int) throws(ExpressionError) {
    try self.charge(3 * count)
  }

  /// Charges for a new array or object and its elements.
  func chargeCreating(container count: Int) throws(ExpressionError) {
    try self.charge(4 + 5 * count)
  }

  /// Charges for text to compare or search.
  func charge(bytes: Int) throws(ExpressionError) {
    try self.charge(bytes / 16 + 1)
  }

  /// Whether two texts have the same bytes. Charges only if their lengths are equal.
  func areEqual(_ left: String, _ right: String) throws(ExpressionError) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    if left.utf8.count > 15 {
      try self.charge(bytes: left.utf8.count)
    }
    return left.hasSameBytes(as: right)
  }

  /// Charges for new text. Throws if it exceeds the value limit.
  func chargeCreating(bytes: Int) throws(ExpressionError) {
    guard bytes <= ValueLimits.text else { throw .textTooLong }
    try self.charge(bytes / Self.bytesMade + 1)
  }

  /// Throws if the text of a result exceeds both its inputs and the remaining budget.
  ///
  /// Most results are parts of the input. A result that contains a part many times is small until
  /// it is written, which the caller does without a budget.
  func checkText(
    of result: Value, madeFrom value: Value, _ arguments: JSONObject
  ) throws(ExpressionError) {
    let units = result.writingUnits
    guard units > self.left else { return }
    // The sum of two Int.max / 6 cannot overflow.
    try self.charge(
      max(0, units - value.writingUnits - Value.object(arguments).writingUnits))
  }

  /// Returns a new array, if it is within the limits of values.
  func array(_ elements: JSONArray) throws(ExpressionError) -> Value {
    try self.checked(.array(elements))
  }

  /// Returns a new object, if it is within the limits of values.
  func object(_ members: JSONObject) throws(ExpressionError) -> Value {
    try self.checked(.object(members))
  }

  private func checked(_ value: Value) throws(ExpressionError) -> Value {
    // Checking a value beyond this bound computes the exact size, which reads all text. The bound
    // counts at most 6 bytes for each byte of text.
    if value.textSizeBound > ValueLimits.text {
      try self.charge(value.textSizeBound / 96)
    }
    if let error = value.exceededLimit { throw ExpressionError(error) }
    return value
  }
}

extension ExpressionError {
  /// The error for a result beyond the limits of values.
  init(_ error: ValueLimitError) {
    self.init(.limit, "\(error); select less", at: 0)
  }

  static var textTooLong: ExpressionError {
    ExpressionError(ValueLimitError(.text, limit: ValueLimits.text))
  }
}

extension Value {
  /// The maximum cost of writing: one unit for each value and for every 6 bytes of text, of which two
  /// copies exist while it is passed on.
  fileprivate var writingUnits: Int {
    self.textSizeBound / 6 + self.valueCount
  }
}
