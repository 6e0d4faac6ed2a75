import ImmutableJSON
import Testing

/// Lookup by a prepared key equals lookup by its text.
@Suite struct ObjectKeyTests {
  private static let texts = [
    "", "a", "ab", "\0", "a\0", "eight678", "eight6789", "eight6780", "\u{E9}", "e\u{301}",
    "a key that is longer than a small string",
  ]

  @Test(arguments: Self.texts)
  func lookup(_ text: String) {
    let key = ObjectKey(text)
    #expect(key.text.utf8.elementsEqual(text.utf8))
    #expect(JSONObject()[key] == nil)
    // In one node, and in several.
    for count in [0, 1000] {
      let others = Self.texts + (0..<count).map { "k\($0)" }
      var object = JSONObject(others.enumerated().map { ($1, .integer(Int64($0))) })
      #expect(object[key] == object[text])
      #expect(Value.object(object)[key] == object[text])
      object[text] = nil
      #expect(object[key] == nil)
    }
  }

  @Test func valuesOtherThanObjectsHaveNoMembers() {
    for value: Value in [.null, true, 1, 1.5, "a", ["a"]] {
      #expect(value[ObjectKey("a")] == nil)
    }
  }

  @Test func membersOfManyObjects() {
    let record: (Int) -> Value = { $0 % 3 == 0 ? 1 : $0 % 3 == 1 ? ["a": .null] : ["a": ["b"]] }
    for count in [0, 1, 3, 16, 17, 1000] {
      let records = (0..<count).map(record)
      let members = JSONArray(records).values.members(ObjectKey("a"))
      #expect(Array(members) == Array(repeating: ["b"], count: count / 3))
    }
  }
}
