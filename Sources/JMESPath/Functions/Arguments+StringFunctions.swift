import ImmutableJSON

// JMESPath defines these functions for code points. They work on bytes, with the same results,
// because UTF-8 is self-synchronizing.
extension Arguments {
  func startsWith() throws(ExpressionError) -> Value {
    let (string, start) = (try self.string(0), try self.string(1))
    try self.charge(bytes: min(string.utf8.count, start.utf8.count))
    return .bool(string.hasBytes(atStart: start))
  }

  func endsWith() throws(ExpressionError) -> Value {
    let (string, end) = (try self.string(0), try self.string(1))
    try self.charge(bytes: min(string.utf8.count, end.utf8.count))
    return .bool(string.hasBytes(atEnd: end))
  }

  func join() throws(ExpressionError) -> Value {
    let glue = try self.string(0)
    let strings = try self.array(1)
    try self.charge(strings.count)
    var result = ""
    for (index, value) in strings.enumerated() {
      guard case .string(let string) = value else {
        throw self.mismatch(1, element: index, "strings", value)
      }
      let glue = index == 0 ? "" : glue
      // The sum cannot overflow: both are within the text limit.
      try self.chargeCreating(bytes: glue.utf8.count + string.utf8.count)
      guard result.utf8.count + glue.utf8.count + string.utf8.count <= ValueLimits.text else {
        throw self.textTooLong
      }
      result += glue
      result += string
    }
    return .string(result)
  }

  func toString() throws(ExpressionError) -> Value {
    let value = try self.value(0)
    if case .string = value { return value }
    // Charges for the cached upper bounds, before writing.
    try self.charge(value.valueCount)
    try self.chargeCreating(bytes: value.textSizeBound)
    let text = value.json
    guard text.utf8.count <= ValueLimits.text else { throw self.textTooLong }
    return .string(text)
  }
}
