import ImmutableJSON
import JMESPath
import Testing

/// Checks the result of an expression, both written as JSON.
func check(
  _ text: String, _ given: String, _ expected: String, arguments: JSONObject = JSONObject(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(throws: Never.self, sourceLocation: sourceLocation) {
    let value = try Expression(text).evaluate(Value(json: given), arguments: arguments)
    #expect(value.json == expected, sourceLocation: sourceLocation)
  }
}

/// Checks the error of an expression, with its excerpt.
func checkError(
  _ text: String, _ given: String = "null", _ code: JMESPathError.Code, _ description: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let error = #expect(throws: JMESPathError.self, sourceLocation: sourceLocation) {
    try Expression(text).evaluate(Value(json: given))
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
  #expect(error?.description == description, sourceLocation: sourceLocation)
}

/// Whether the language says that two values are equal: 1 and 1.0 are.
func isSame(_ left: Value, _ right: Value) throws -> Bool {
  let arguments = JSONObject([("left", left), ("right", right)])
  return try Expression("$left == $right").evaluate(.null, arguments: arguments) == true
}

extension Value {
  var elements: JSONArray? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
