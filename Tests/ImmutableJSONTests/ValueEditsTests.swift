import TestSupport
import Testing

@testable import ImmutableJSON

/// Edits that are described first and made later, beside edits that are made at once.
@Suite struct ValueEditsTests {
  /// Random values, of which some versions and parts are held, so that some nodes are shared.
  @Test(arguments: seeds(12))
  func itMakesTheSameValues(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    var (value, expected) = (Self.records(300), Self.records(300))
    var held: [(Value, Value)] = []
    for _ in 0..<300 {
      var edits: ValueEdits?
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let (pointer, scalar) = Self.randomEdit(&random)
        guard let next = Self.edits(pointer, by: scalar, in: value, after: edits) else { continue }
        edits = next
        expected = try expected.setting(JSONPointer(pointer), scalar)
      }
      edits?.make(in: &value)
      #expect(value.size == expected.size)
      switch Int.random(in: 0..<20, using: &random) {
      case 0: held.append((value, expected))
      case 1:
        let pointer = try JSONPointer("/records/k\(Int.random(in: 0..<300, using: &random))")
        held.append((try value.get(pointer), try expected.get(pointer)))
      case 2: if !held.isEmpty { held.removeLast() }
      default: break
      }
    }
    #expect(value == expected)
    for (value, expected) in held { #expect(value == expected) }
  }

  @Test func itChangesInPlaceWhatNobodyElseHas() throws {
    var value = Self.records(300)
    let root = Self.address(value)
    let first = try #require(Self.edits("/records/k8/f", by: 1, in: value))
    first.make(in: &value)
    #expect(Self.address(value) == root)
    let held = value
    try #require(Self.edits("/records/k8/f", by: 2, in: value)).make(in: &value)
    #expect(Self.address(value) != root)
    #expect(held["records"]?["k8"]?["f"] == 1)
    #expect(value["records"]?["k8"]?["f"] == 2)
  }

  @Test func itLeavesOtherChangesToOthers() {
    let value: Value = ["a": [1, 2], "b": "x", "o": [:]]
    #expect(Self.edits("/c", by: 1, in: value) == nil)
    #expect(Self.edits("", by: 1, in: value) == nil)
    #expect(Self.edits("/a", by: 1, in: value) == nil)
    #expect(Self.edits("/a/2", by: 1, in: value) == nil)
    #expect(Self.edits("/a/-", by: 1, in: value) == nil)
    #expect(Self.edits("/b", by: [1], in: value) == nil)
    #expect(Self.edits("/b", by: "x", in: value) == nil)
    #expect(Self.edits("/b/c", by: "x", in: value) == nil)
    #expect(Self.edits("/o", by: .null, in: value) == nil)
    #expect(Self.edits("/b", by: "y", in: value) != nil)
  }

  @Test func deepPathsAreLeftToOthers() {
    let deep = (0..<20).reduce(Value.integer(1)) { value, _ in ["a": value] }
    let pointer = String(repeating: "/a", count: 20)
    #expect(Self.edits(pointer, by: 2, in: deep) == nil)
  }

  private static func records(_ count: Int) -> Value {
    let records = (0..<count).map { index -> (String, Value) in
      let tags: Value = ["x", .integer(Int64(index)), ["deep": 1.5]]
      let record: Value = ["f": .integer(Int64(index)), "g": 2, "s": "text", "tags": tags]
      return ("k\(index)", index.isMultiple(of: 2) ? record : ["f": 1, "g": 2])
    }
    return ["records": .object(JSONObject(records)), "list": [1, 2, 3]]
  }

  private static func randomEdit(_ random: inout SeededGenerator) -> (String, Value) {
    let record = "/records/k\(Int.random(in: 0..<300, using: &random))"
    let paths = [
      record + "/f", record + "/g", record + "/s", record + "/tags/0", record + "/tags/2/deep",
      "/list/1", record + "/missing", record,
    ]
    let scalars: [Value] = [
      1, 300, 70_000, 5_000_000_000, 0.5, "a longer text than fits inline", "", .null, true,
    ]
    return (
      paths.randomElement(using: &random) ?? "", scalars.randomElement(using: &random) ?? .null
    )
  }

  private static func address(_ value: Value) -> ObjectIdentifier? {
    if case .object(let object) = value { object.root.map(ObjectIdentifier.init) } else { nil }
  }

  private static func edits(
    _ pointer: String, by scalar: Value, in value: Value, after previous: ValueEdits? = nil
  ) -> ValueEdits? {
    var pointer = pointer
    return pointer.withUTF8 {
      ValueEdits.replacing(UnsafeRawBufferPointer($0), by: scalar, in: value, after: previous)
    }
  }
}
