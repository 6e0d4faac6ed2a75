import ImmutableJSON
import TestSupport
import Testing

/// The cases of json-patch-tests and json-merge-patch.
@Suite(
  .enabled(
    if: Conformance.isAvailable("json-patch") && Conformance.isAvailable("merge-patch"),
    "json-patch-tests and json-merge-patch are not available"))
struct PatchConformanceTests {
  /// The cases in all files of a suite. Each file is an array of cases.
  private func cases(_ suite: String) throws -> [Value] {
    let cases = try Conformance.files(suite).flatMap { file in
      let value = try file.bytes.withUnsafeBytes { try Value(json: $0) }
      guard case .array(let cases) = value else { return [Value]() }
      return Array(cases)
    }
    #expect(!cases.isEmpty)
    return cases
  }

  @Test func patches() throws {
    for (index, test) in try self.cases("json-patch").enumerated() where test["disabled"] != true {
      let document = try #require(test["doc"])
      let patch = try #require(test["patch"])
      let name = test["comment"] ?? .integer(Int64(index))
      do {
        let value = try document.applying(patch: patch)
        #expect(test["error"] == nil, "\(name) was accepted")
        if let expected = test["expected"] {
          #expect(value.isEquivalent(to: expected), "\(name)")
        }
      } catch {
        #expect(test["error"] != nil, "\(name) was rejected: \(error)")
      }
    }
  }

  @Test func mergePatches() throws {
    for test in try self.cases("merge-patch") {
      let original = try #require(test["original"])
      let patch = try #require(test["patch"])
      #expect(try original.merging(patch: patch) == test["result"])
    }
  }
}
