import ImmutableJSON
import JSONSchema
import TestSupport
import Testing

/// The cases of JSON-Schema-Test-Suite for draft 2020-12.
@Suite(.enabled(if: Conformance.isAvailable("json-schema"), "the JSON Schema suite is missing"))
struct ConformanceTests {
  @Test func cases() throws {
    var (checked, refused) = (0, 0)
    for file in Conformance.files("json-schema") {
      let groups = try file.bytes.withUnsafeBytes { try Value(json: $0) }
      guard case .array(let groups) = groups else {
        Issue.record("\(file.name) is not an array")
        continue
      }
      for group in groups {
        let schema: CompiledSchema
        do throws(SchemaError) {
          schema = try CompiledSchema(group["schema"] ?? .null)
        } catch {
          refused += 1
          self.checkRefusal(error.message(""), "\(file.name): \(group["description"] ?? "")")
          continue
        }
        guard case .array(let tests)? = group["tests"] else { continue }
        for test in tests {
          let data = test["data"] ?? .null
          let outcome = Result { () throws(SchemaError) in try schema.check(data) }
          let isValid = if case .success = outcome { true } else { false }
          #expect(
            .bool(isValid) == test["valid"],
            "\(file.name): \(group["description"] ?? ""): \(data) gave \(outcome)")
          checked += 1
        }
      }
    }
    #expect(checked > refused)
  }

  /// Only keywords that are documented as missing are refused.
  private func checkRefusal(_ message: String, _ group: String) {
    let reasons = [
      "the keyword \"$anchor\" is not supported", "the keyword \"$dynamicAnchor\" is not supported",
      "the keyword \"dependentSchemas\" is not supported",
      "the keyword \"$id\" is not supported", "the keyword \"contains\" is not supported",
      "the keyword \"if\" is not supported", "the keyword \"patternProperties\" is not supported",
      "the keyword \"propertyNames\" is not supported",
      "the keyword \"unevaluatedProperties\" is not supported",
      "does not refer to a part of this schema",
    ]
    #expect(reasons.contains { message.contains($0) }, "\(group): \(message)")
  }
}
