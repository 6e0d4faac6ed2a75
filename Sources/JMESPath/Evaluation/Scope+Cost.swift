import ImmutableJSON

// What an evaluation is charged for. A unit is worth some 60 ns and 12 bytes of memory at most:
//
//   - each part of the expression that is evaluated: 1, charged by the part around it, for all of
//     its parts at once;
//   - each element or member that is visited: 1, for all of an array or object at once;
//   - each 16 bytes of text that are compared or searched: 1;
//   - what is made: below, more, since it takes memory.
extension Scope {
  /// How many bytes of text are made for a unit.
  private static var bytesMade: Int { 8 }

  /// Charges for elements of an array that is made.
  func chargeMaking(elements count: Int) throws(ExpressionError) {
    try self.charge(3 * count)
  }

  /// Charges for an array or object that stands by itself, with its elements.
  func chargeMaking(container count: Int) throws(ExpressionError) {
    try self.charge(4 + 5 * count)
  }

  /// Charges for text that is compared or searched.
  func charge(bytes: Int) throws(ExpressionError) {
    try self.charge(bytes / 16 + 1)
  }

  /// Whether two texts have the same bytes. Those of different length are not compared.
  func areEqual(_ left: String, _ right: String) throws(ExpressionError) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    if left.utf8.count > 15 {
      try self.charge(bytes: left.utf8.count)
    }
    return left.hasSameBytes(as: right)
  }

  /// Charges for text that is made, and refuses one that no value may have.
  func chargeMaking(bytes: Int) throws(ExpressionError) {
    guard bytes <= ValueLimits.text else { throw .textTooLong }
    try self.charge(bytes / Self.bytesMade + 1)
  }

  /// Refuses a result whose text is beyond both what it was made from and what is left of the budget.
  ///
  /// Most results are parts of the state. One that has a part many times is small until it is
  /// written, which is done by the caller, without a budget.
  func checkText(of result: Value, madeFrom value: Value, _ arguments: JSONObject) throws(ExpressionError) {
    let units = result.writingUnits
    guard units > self.left else { return }
    // The sum of two Int.max / 6 is no overflow.
    try self.charge(
      max(0, units - value.writingUnits - Value.object(arguments).writingUnits))
  }

  /// An array that was made, if it is within the limits of values.
  func array(_ elements: JSONArray) throws(ExpressionError) -> Value {
    try self.checked(.array(elements))
  }

  /// An object that was made, if it is within the limits of values.
  func object(_ members: JSONObject) throws(ExpressionError) -> Value {
    try self.checked(.object(members))
  }

  private func checked(_ value: Value) throws(ExpressionError) -> Value {
    // To tell the true size then takes a look at all text, of which this is 6 bytes for each at most.
    if value.textSizeBound > ValueLimits.text {
      try self.charge(value.textSizeBound / 96)
    }
    if let error = value.exceededLimit { throw ExpressionError(error) }
    return value
  }
}

extension ExpressionError {
  /// What is being made is no value that may be.
  init(_ error: ValueLimitError) {
    self.init(.limit, "\(error); select less", at: 0)
  }

  static var textTooLong: ExpressionError {
    ExpressionError(ValueLimitError(.text, limit: ValueLimits.text))
  }
}

extension Value {
  /// What writing costs at most: a unit for each value, and for each 6 bytes, which takes twice as many
  /// while it is handed over.
  fileprivate var writingUnits: Int {
    self.textSizeBound / 6 + self.valueCount
  }
}
