import ImmutableJSON
import Testing

/// The cases of json-patch-tests and json-merge-patch, if available.
@Suite struct PatchConformanceTests {
  @Test func patches() throws {
    let cases = try Conformance.cases("json-patch").filter { $0["disabled"] != true }
    for (index, test) in cases.enumerated() {
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
    Conformance.report("json-patch", cases.count, "cases")
  }

  @Test func mergePatches() throws {
    let cases = try Conformance.cases("merge-patch")
    for test in cases {
      let original = try #require(test["original"])
      let patch = try #require(test["patch"])
      #expect(try original.merging(patch: patch) == test["result"])
    }
    Conformance.report("merge-patch", cases.count, "cases")
  }
}
