import Testing

@testable import ImmutableJSON

/// Leaves of numbers, which the parser packs, change as other leaves do.
@Suite struct PackedTests {
  private static let numbers = [
    "0", "-1", "127", "128", "-128", "-129", "32767", "32768", "-32769", "2147483647",
    "2147483648", "-2147483649", "9223372036854775807", "-9223372036854775808", "0.5", "-0.0",
    "true", "\"text\"", "[1]",
  ]

  @Test(arguments: numbers, numbers)
  func settingEqualsParsing(_ first: String, _ second: String) throws {
    let element = try Value(json: second)
    for (before, after, pointer) in [
      ("[\(first),7,\(first)]", "[\(first),\(second),\(first)]", "/1"),
      (
        #"{"c":\#(first),"b":7,"a":\#(first)}"#, #"{"a":\#(first),"b":\#(second),"c":\#(first)}"#,
        "/b"
      ),
    ] {
      let value = try Value(json: before)
      let expected = try Value(json: after)
      let copy = try value.setting(JSONPointer(pointer), element)
      #expect(copy == expected)
      #expect(copy.json == after)
      #expect(copy.valueCount == expected.valueCount)
      #expect(value == (try Value(json: before)))
    }
  }

  @Test(arguments: ["5", "300", "5000000000", "\"text\""])
  func changesInPlaceEqualParsing(_ text: String) throws {
    var object = try self.members(Value(json: #"{"a":1,"b":2,"c":3}"#))
    let element = try Value(json: text)
    object["b"] = element
    object["a"] = element
    #expect(object == (try self.members(Value(json: #"{"a":\#(text),"b":\#(text),"c":3}"#))))
    object["d"] = 4
    object["c"] = nil
    #expect(object == (try self.members(Value(json: #"{"a":\#(text),"b":\#(text),"d":4}"#))))
  }

  private func members(_ value: Value) throws -> JSONObject {
    let object: JSONObject? = if case .object(let object) = value { object } else { nil }
    return try #require(object)
  }

  @Test func settingAnIntegerKeepsALeafOfIntegersPacked() throws {
    let record = try Value(json: #"{"a":1,"b":2}"#)
    for element in [3, 300, 70_000, .integer(.max)] as [Value] {
      let object = try self.members(record.setting(JSONPointer("/a"), element))
      #expect(object.root?.isPacked == true)
    }
    let object = try self.members(record.setting(JSONPointer("/a"), 0.5))
    #expect(object.root?.isPacked == false)
  }
}
