import ImmutableJSON

// What an evaluation is charged for. A unit is worth some 60 ns and 12 bytes of memory at most:
//
//   - each part of the expression that is evaluated: 1, charged by the part around it, for all of
//     its parts at once;
//   - each element or member that is visited: 1, for all of an array or object at once;
//   - each 16 bytes of text that are compared or searched: 1;
//   - what is made: below, more, since it takes memory.
extension Scope {
  /// Charges for elements of an array that is made.
  func chargeMaking(elements count: Int) throws(Fault) {
    try self.charge(3 * count)
  }

  /// Charges for an array or object that stands by itself, with its elements.
  func chargeMaking(container count: Int) throws(Fault) {
    try self.charge(4 + 5 * count)
  }

  /// Charges for text that is compared or searched.
  func charge(bytes: Int) throws(Fault) {
    try self.charge(bytes / 16 + 1)
  }

  /// Whether two texts have the same bytes. Those of different length are not compared.
  func areEqual(_ left: String, _ right: String) throws(Fault) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    if left.utf8.count > 15 {
      try self.charge(bytes: left.utf8.count)
    }
    return left.utf8.elementsEqual(right.utf8)
  }

  /// Charges for text that is made, and refuses one that no value may have.
  func chargeMaking(bytes: Int) throws(Fault) {
    guard bytes <= ValueLimits.text else { throw .beyondLimits }
    try self.charge(bytes / 8 + 1)
  }

  /// Charges for the text of a result, as far as it is beyond that of what it was made from. Most
  /// results are parts of the state; one that has them many times is small only until it is written.
  func chargeText(of result: Value, madeFrom value: Value, _ arguments: JSONObject) throws(Fault) {
    let source = value.textBound.addingReportingOverflow(Value.object(arguments).textBound)
    let bytes = result.textBound
    guard !source.overflow, bytes > source.partialValue else { return }
    try self.charge((bytes - source.partialValue) / 8)
  }

  /// An array that was made, if it is within the limits of values.
  func array(_ elements: JSONArray) throws(Fault) -> Value {
    try self.checked(.array(elements))
  }

  /// An object that was made, if it is within the limits of values.
  func object(_ members: JSONObject) throws(Fault) -> Value {
    try self.checked(.object(members))
  }

  private func checked(_ value: Value) throws(Fault) -> Value {
    guard !value.isBeyondLimits else { throw .beyondLimits }
    return value
  }
}

extension Fault {
  /// What is being made is no value that may be.
  static var beyondLimits: Fault {
    Fault(
      .limit,
      "the expression makes a value that nests deeper than \(ValueLimits.depth), or has more than "
        + "\(ValueLimits.values) values or \(ValueLimits.text) bytes of text; select less",
      at: 0)
  }
}
