import ImmutableJSON

extension Arguments {
  /// Whether a string contains another, or an array an element.
  func contains() throws(ExpressionError) -> Value {
    let (subject, wanted) = (try self.value(0), try self.value(1))
    switch (subject, wanted) {
    case (.string(let string), .string(let wanted)):
      guard wanted.utf8.count <= string.utf8.count else { return false }
      // The search allocates a number for each wanted byte.
      try self.charge(wanted.utf8.count)
      try self.charge(bytes: string.utf8.count)
      return .bool(string.contains(bytesOf: wanted))
    case (.string, _):
      return false
    case (.array(let elements), _):
      try self.charge(elements.count)
      for element in elements {
        if try element.isEqual(to: wanted, self.scope) { return true }
      }
      return false
    default:
      throw self.mismatch(0, "an array or a string", subject)
    }
  }

  func length() throws(ExpressionError) -> Value {
    let value = try self.value(0)
    return switch value {
    case .string(let string): .integer(Int64(try self.length(of: string)))
    case .array(let elements): .integer(Int64(elements.count))
    case .object(let members): .integer(Int64(members.count))
    default: throw self.mismatch(0, "a string, an array or an object", value)
    }
  }

  /// The number of code points.
  private func length(of string: String) throws(ExpressionError) -> Int {
    try self.charge(bytes: string.utf8.count)
    return string.codePointCount
  }

  func map() throws(ExpressionError) -> Value {
    let elements = try self.array(1)
    try self.charge(2 * elements.count)
    try self.chargeCreating(elements: elements.count)
    var result: [Value] = []
    result.reserveCapacity(elements.count)
    for element in elements {
      result.append(try self.apply(0, to: element))
    }
    return try self.array(JSONArray(result))
  }

  /// The first argument that is not null. Evaluates all arguments, as every function does.
  func notNull() throws(ExpressionError) -> Value {
    var first = Value.null
    for index in self.call.arguments.indices {
      let value = try self.value(index)
      if case .null = first {
        first = value
      }
    }
    return first
  }

  func reverse() throws(ExpressionError) -> Value {
    let value = try self.value(0)
    switch value {
    case .string(let string):
      try self.chargeCreating(bytes: string.utf8.count)
      return .string(string.withCodePointsReversed)
    case .array(let elements):
      try self.charge(elements.count)
      try self.chargeCreating(elements: elements.count)
      return try self.array(JSONArray(elements.reversed()))
    default:
      throw self.mismatch(0, "an array or a string", value)
    }
  }

  func toArray() throws(ExpressionError) -> Value {
    let value = try self.value(0)
    if case .array = value { return value }
    try self.chargeCreating(elements: 2)
    return try self.array([value])
  }
}
