import ImmutableJSON
import JMESPath
import Testing

/// Checks the result of an expression. Value and result are JSON texts.
func check(
  _ text: String, _ expected: String, given: String = "null", arguments: JSONObject = JSONObject(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(throws: Never.self, "\(text)", sourceLocation: sourceLocation) {
    let value = try Expression(text).evaluate(Value(json: given), arguments: arguments)
    #expect(value.json == expected, "\(text)", sourceLocation: sourceLocation)
  }
}

/// Checks the error of an expression.
func checkError(
  _ text: String, _ code: JMESPathError.Code, _ position: Int, _ message: String,
  given: String = "null", sourceLocation: SourceLocation = #_sourceLocation
) {
  let error = #expect(throws: JMESPathError.self, "\(text)", sourceLocation: sourceLocation) {
    try Expression(text).evaluate(Value(json: given))
  }
  #expect(error?.code == code, "\(text)", sourceLocation: sourceLocation)
  #expect(error?.message == message, "\(text)", sourceLocation: sourceLocation)
  #expect(error?.position == position, "\(text)", sourceLocation: sourceLocation)
}

/// Whether two values are equal in JMESPath.
func areEqual(_ left: Value, _ right: Value) throws -> Bool {
  let arguments = JSONObject([("left", left), ("right", right)])
  return try Expression("$left == $right").evaluate(.null, arguments: arguments) == true
}

extension Value {
  var elements: JSONArray? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
