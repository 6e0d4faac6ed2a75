import Foundation
import ImmutableJSON
import JMESPath
import Testing

/// The cases of jmespath.test, if available.
@Suite struct ConformanceTests {
  private static let folder: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
    let folder =
      ProcessInfo.processInfo.environment["IMD_CONFORMANCE"].map { URL(filePath: $0) }
      ?? root.appending(path: "../../../shared/conformance").standardizedFileURL
    let suite = folder.appending(path: "jmespath")
    return FileManager.default.fileExists(atPath: suite.path()) ? suite : nil
  }()

  /// The names of the errors in the suite.
  private static let codes: [String: JMESPathError.Code] = [
    "syntax": .syntax, "unknown-function": .unknownFunction, "invalid-arity": .invalidArity,
    "invalid-type": .invalidType, "invalid-value": .invalidValue,
  ]

  @Test func cases() throws {
    guard let folder = Self.folder else {
      print("jmespath: skipped, not found")
      return
    }
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "json" }
    var count = 0
    for file in files {
      let suites = try Value(json: String(contentsOf: file, encoding: .utf8))
      for suite in try #require(suites.elements) {
        for test in try #require(suite["cases"]?.elements) {
          try self.check(test, suite["given"] ?? .null, file.lastPathComponent)
          count += 1
        }
      }
    }
    #expect(count > 0)
    print("jmespath: \(count) cases")
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
