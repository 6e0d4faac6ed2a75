import ImmutableJSON

/// The arguments of a function call, evaluated on demand.
struct Arguments {
  let call: Node.Call
  let current: Value
  let scope: Scope

  /// An argument that was evaluated already.
  var evaluated: (index: Int, value: Value)?

  func value(_ index: Int) throws(ExpressionError) -> Value {
    if let evaluated, evaluated.index == index { return evaluated.value }
    return try self.call.arguments[index].evaluate(self.current, self.scope)
  }

  func number(_ index: Int) throws(ExpressionError) -> Number {
    let value = try self.value(index)
    guard let number = Number(value) else { throw self.mismatch(index, "a number", value) }
    return number
  }

  func string(_ index: Int) throws(ExpressionError) -> String {
    let value = try self.value(index)
    guard case .string(let string) = value else { throw self.mismatch(index, "a string", value) }
    return string
  }

  func array(_ index: Int) throws(ExpressionError) -> JSONArray {
    let value = try self.value(index)
    guard case .array(let array) = value else { throw self.mismatch(index, "an array", value) }
    return array
  }

  func object(_ index: Int) throws(ExpressionError) -> JSONObject {
    let value = try self.value(index)
    guard case .object(let object) = value else { throw self.mismatch(index, "an object", value) }
    return object
  }

  /// Evaluates an argument such as `&name` on a value.
  func apply(_ index: Int, to value: Value) throws(ExpressionError) -> Value {
    try self.call.arguments[index].evaluate(value, self.scope)
  }

  /// Charges for elements that the function visits. An error has the position of the call.
  func charge(_ units: Int) throws(ExpressionError) {
    try self.locating { () throws(ExpressionError) in try self.scope.charge(units) }
  }

  func charge(bytes: Int) throws(ExpressionError) {
    try self.locating { () throws(ExpressionError) in try self.scope.charge(bytes: bytes) }
  }

  func chargeCreating(elements count: Int) throws(ExpressionError) {
    try self.locating { () throws(ExpressionError) in try self.scope.chargeCreating(elements: count)
    }
  }

  func chargeCreating(bytes: Int) throws(ExpressionError) {
    try self.locating { () throws(ExpressionError) in try self.scope.chargeCreating(bytes: bytes) }
  }

  /// Returns an array created by the function, if it is within the limits of values.
  func array(_ elements: JSONArray) throws(ExpressionError) -> Value {
    try self.locating { () throws(ExpressionError) in try self.scope.array(elements) }
  }

  /// The error for a text beyond the limit.
  var textTooLong: ExpressionError {
    ExpressionError.textTooLong.located(at: self.call)
  }

  /// Runs `body`, and sets the position of its errors to that of the call.
  func locating<Result>(
    _ body: () throws(ExpressionError) -> Result
  ) throws(ExpressionError) -> Result {
    do throws(ExpressionError) {
      return try body()
    } catch {
      throw error.located(at: self.call)
    }
  }

  /// The error for an argument of a wrong type.
  func mismatch(_ index: Int, _ expected: String, _ value: Value) -> ExpressionError {
    self.error(index, "must be \(expected), got \(value.kindWithArticle)")
  }

  /// The error for an element of a wrong type.
  func mismatch(_ index: Int, element: Int, _ expected: String, _ value: Value) -> ExpressionError {
    self.error(
      index, "must be an array of \(expected), got \(value.kindWithArticle) at index \(element)")
  }

  /// The error for an expression argument that yields a wrong type.
  func mismatch(
    _ index: Int, result: Value, of element: Int, _ expected: String
  ) -> ExpressionError {
    self.error(
      index, "must yield \(expected), got \(result.kindWithArticle) at index \(element)")
  }

  private func error(_ index: Int, _ what: String) -> ExpressionError {
    let name = self.call.function.rawValue
    return ExpressionError(
      .invalidType, "argument \(index + 1) of \(name)() \(what)", at: self.call.offsets[index])
  }
}

extension Node.Call {
  func evaluate(_ current: Value, _ scope: Scope) throws(ExpressionError) -> Value {
    try scope.charge(self.arguments.count)
    let arguments = Arguments(call: self, current: current, scope: scope)
    guard let site, let results = scope.results else {
      return try self.function.evaluate(arguments)
    }
    return try self.evaluate(arguments, keeping: results, at: site)
  }

  private func evaluate(
    _ arguments: Arguments, keeping results: PartialResults, at site: Site
  ) throws(ExpressionError) -> Value {
    var arguments = arguments
    if let result = try results.call(&arguments, at: site) { return result }
    return try self.function.evaluate(arguments)
  }
}

extension ExpressionError {
  /// The same error at the position of a call.
  fileprivate func located(at call: Node.Call) -> ExpressionError {
    ExpressionError(self.code, "\(call.function.rawValue)(): \(self.message)", at: call.offset)
  }
}
