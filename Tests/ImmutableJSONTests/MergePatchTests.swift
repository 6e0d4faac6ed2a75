import ImmutableJSON
import Testing

@Suite struct MergePatchTests {
  /// The examples of RFC 7396, appendix A and section 3, and more.
  static let patches: [(String, String, String)] = [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
    (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
    (#"{"a":"foo"}"#, "null", "null"),
    (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
    (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
    ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    (
      #"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"content":"same"}"#,
      #"{"title":"Hello!","phone":"+01","author":{"familyName":null}}"#,
      #"{"author":{"givenName":"John"},"content":"same","phone":"+01","title":"Hello!"}"#
    ),
    (#"{"a":1}"#, #"{"a":1.0}"#, #"{"a":1.0}"#),
    (#"{"a":[]}"#, #"{"a":{"b":[null,{"c":null}],"d":null}}"#, #"{"a":{"b":[null,{"c":null}]}}"#),
  ]

  @Test(arguments: Self.patches)
  func merges(_ value: String, _ patch: String, _ expected: String) throws {
    #expect(try Value(json: value).merging(patch: Value(json: patch)).json == expected)
  }

  @Test(arguments: [
    "{}", #"{"a":1}"#, #"{"x":null}"#, #"{"o":{}}"#, #"{"o":{"p":{"q":[1]}}}"#, #"{"xs":[1,{}]}"#,
    #"{"o":{"x":null,"p":{}},"a":1}"#,
  ])
  func aPatchWithoutEffectReturnsTheSameObject(_ patch: String) throws {
    let value = try Value(json: #"{"a":1,"o":{"p":{"q":[1]}},"xs":[1,{}]}"#)
    #expect(isIdentical(try value.merging(patch: Value(json: patch)), value))
  }

  @Test func unchangedPartsAreShared() throws {
    let value = try Value(json: #"{"a":{"x":1},"b":{"c":{"y":2},"d":3}}"#)
    let merged = try value.merging(patch: ["b": ["d": 4]])
    #expect(merged.json == #"{"a":{"x":1},"b":{"c":{"y":2},"d":4}}"#)
    #expect(isIdentical(merged["a"], value["a"]))
    #expect(isIdentical(merged["b"]?["c"], value["b"]?["c"]))
    let patch: Value = ["new": ["kept": ["z": 1]]]
    #expect(isIdentical(try value.merging(patch: patch)["new"], patch["new"]))
  }
}
