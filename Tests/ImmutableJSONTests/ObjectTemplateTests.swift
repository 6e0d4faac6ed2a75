import ImmutableJSON
import Testing

/// Objects with the same keys.
@Suite struct ObjectTemplateTests {
  @Test(arguments: [["a"], ["b", "a", "\u{E9}", ""], (0..<16).map { "\(15 - $0)" }])
  func objects(_ keys: [String]) throws {
    let template = try #require(ObjectTemplate(keys))
    for offset in 0..<3 {
      let values = keys.indices.map { Value.integer(Int64($0 + offset)) }
      let object = template.object(ContiguousArray(values))
      #expect(object == JSONObject(zip(keys, values)))
      #expect(Value.object(object).valueCount == keys.count + 1)
      #expect(
        Value.object(object).textSizeBound
          == Value.object(JSONObject(zip(keys, values))).textSizeBound)
      var changed = object
      changed["new"] = true
      #expect(changed.count == keys.count + 1)
    }
  }

  @Test(arguments: [[], ["a", "b", "a"], (0..<17).map { "\($0)" }])
  func noTemplate(_ keys: [String]) {
    #expect(ObjectTemplate(keys) == nil)
  }
}
