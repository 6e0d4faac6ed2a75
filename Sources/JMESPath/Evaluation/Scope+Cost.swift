import ImmutableJSON

// The cost of an evaluation. A unit corresponds to at most about 60 ns and 12 bytes of memory:
//
//   - each node evaluated: 1, charged by the parent for all of its children together;
//   - each element or member visited: 1, charged for the whole array or object in advance;
//   - each text compared or searched: 1, and 1 more for every 16 bytes;
//   - values created: more, because they take memory; see below.
extension Scope {
  /// The number of bytes of new text for one unit.
  private static var newBytesPerUnit: Int { 8 }

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

  /// The cost of comparing two texts of the same length. For short texts it is part of the cost of
  /// the node.
  static func units(comparing bytes: Int) -> Int {
    bytes > 15 ? bytes / 16 + 1 : 0
  }

  /// Whether two texts have the same bytes. Charges only if their lengths are equal.
  func areEqual(_ left: String, _ right: String) throws(ExpressionError) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    try self.charge(Self.units(comparing: left.utf8.count))
    return left.hasSameBytes(as: right)
  }

  /// Charges for new text. Throws if it exceeds the value limit.
  func chargeCreating(bytes: Int) throws(ExpressionError) {
    guard bytes <= ValueLimits.text else { throw .textTooLong }
    try self.charge(bytes / Self.newBytesPerUnit + 1)
  }

  /// Charges for writing a result, if writing it costs more than the remaining budget. Charges only
  /// the excess over the cost of writing the inputs.
  ///
  /// The caller writes the result without a budget. Most results are parts of the inputs, but a
  /// result that contains a part many times is small only until it is written.
  func chargeWriting(
    of result: Value, madeFrom value: Value, _ arguments: JSONObject
  ) throws(ExpressionError) {
    let units = result.writingUnits
    guard units > self.remaining else { return }
    // Each term is at most Int.max / 6 + 2^32, so this cannot overflow.
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
  /// The maximum cost of writing: one unit for each value and for every 6 bytes of text. Text costs
  /// more than its creation alone, because two copies exist while it is returned.
  fileprivate var writingUnits: Int {
    self.textSizeBound / 6 + self.valueCount
  }
}
