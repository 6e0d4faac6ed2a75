import Foundation
import ImmutableJSON
import Testing

/// The cases of JSONTestSuite, if available.
@Suite struct ConformanceTests {
  /// The only valid text that is rejected: its key contains U+0000.
  private static let refused = "y_object_escaped_null_in_key.json"

  @Test func texts() throws {
    let files = try Conformance.files("json-parsing/test_parsing")
    for file in files {
      let name = file.lastPathComponent
      let bytes = [UInt8](try Data(contentsOf: file))
      let result = Result { try bytes.withUnsafeBytes { try Value(json: $0) } }
      let again = Result { try bytes.withUnsafeBytes { try Value(json: $0) } }
      switch (name.prefix(2), result) {
      case ("y_", .failure(let error)) where name == Self.refused:
        #expect("\(error)".contains("a key must not contain U+0000"))
      case ("y_", .failure(let error)):
        Issue.record("\(name) was rejected: \(error)")
      case ("n_", .success):
        Issue.record("\(name) was accepted")
      case ("n_", .failure(let error)):
        #expect((error as? JSONParseError).map { $0.line > 0 } == true, "\(name)")
      default:
        break
      }
      #expect((try? result.get()) == (try? again.get()), "\(name)")
    }
    Conformance.report("JSONTestSuite", files.count, "texts")
  }

  @Test func transformations() throws {
    let files = try Conformance.files("json-parsing/test_transform")
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      guard let value = try? bytes.withUnsafeBytes({ try Value(json: $0) }) else { continue }
      #expect(try Value(json: value.json) == value, "\(file.lastPathComponent)")
    }
    Conformance.report("JSONTestSuite", files.count, "transformations")
  }
}
