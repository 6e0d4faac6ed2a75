import ImmutableJSON
import TestSupport
import Testing

/// The texts of JSONTestSuite.
@Suite(.enabled(if: Conformance.isAvailable("json-parsing"), "JSONTestSuite is not available"))
struct ConformanceTests {
  /// The only valid text that is rejected: its key contains U+0000.
  private static let refused = "y_object_escaped_null_in_key.json"

  @Test func texts() throws {
    let files = Conformance.files("json-parsing/test_parsing")
    #expect(!files.isEmpty)
    for (name, bytes) in files {
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
  }

  @Test func transformations() throws {
    let files = Conformance.files("json-parsing/test_transform")
    #expect(!files.isEmpty)
    for (name, bytes) in files {
      guard let value = try? bytes.withUnsafeBytes({ try Value(json: $0) }) else { continue }
      #expect(try Value(json: value.json) == value, "\(name)")
    }
  }
}
