import ImmutableJSON
import JMESPath
import TestSupport
import Testing

/// The cases of jmespath.test.
@Suite(.enabled(if: Conformance.isAvailable("jmespath"), "jmespath.test is not available"))
struct ConformanceTests {
  /// The names of the errors in the suite.
  private static let codes: [String: JMESPathError.Code] = [
    "syntax": .syntax, "unknown-function": .unknownFunction, "invalid-arity": .invalidArity,
    "invalid-type": .invalidType, "invalid-value": .invalidValue,
  ]

  @Test func cases() throws {
    var count = 0
    for file in Conformance.files("jmespath") {
      let suites = try file.bytes.withUnsafeBytes { try Value(json: $0) }
      for suite in try #require(suites.elements) {
        for test in try #require(suite["cases"]?.elements) {
          try self.check(test, suite["given"] ?? .null, file.name)
          count += 1
        }
      }
    }
    #expect(count > 0)
  }

  private func check(_ test: Value, _ given: Value, _ file: String) throws {
    guard case .string(let text)? = test["expression"] else {
      Issue.record("\(file) has a case without an expression")
      return
    }
    let outcome = Result { () throws(JMESPathError) in try Expression(text).evaluate(given) }
    switch (test["result"], test["error"], outcome) {
    case (let result?, nil, .success(let value)):
      #expect(try areEqual(result, value), "\(file): \(text) gave \(value)")
    case (nil, .string(let error)?, .failure(let failure)):
      #expect(Self.codes[error] == failure.code, "\(file): \(text) failed: \(failure)")
    case (nil, nil, .success):
      #expect(test["bench"] != nil, "\(file): \(text) has no result")
    default:
      Issue.record("\(file): \(text) gave \(outcome)")
    }
  }
}
