import ImmutableJSON
import Testing

@Suite struct PatchTests {
  /// The examples of RFC 6902, appendix A, and more.
  static let patches: [(String, String, String)] = [
    // A.1 to A.8
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
      #"{"baz":"qux","foo":"bar"}"#
    ),
    (
      #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
      #"{"foo":["bar","qux","baz"]}"#
    ),
    (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
    (
      #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
      #"{"foo":["bar","baz"]}"#
    ),
    (
      #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
      #"{"baz":"boo","foo":"bar"}"#
    ),
    (
      #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
      #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
      #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
    ),
    (
      #"{"foo":["all","grass","cows","eat"]}"#,
      #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
      #"{"foo":["all","cows","eat","grass"]}"#
    ),
    (
      #"{"baz":"qux","foo":["a",2,"c"]}"#,
      #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
      #"{"baz":"qux","foo":["a",2,"c"]}"#
    ),
    // A.10, A.11, A.14, A.16
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
      #"{"child":{"grandchild":{}},"foo":"bar"}"#
    ),
    (
      #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#,
      #"{"baz":"qux","foo":"bar"}"#
    ),
    (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
    (
      #"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
      #"{"foo":["bar",["abc","def"]]}"#
    ),
    // Further
    (#"{"a":1}"#, "[]", #"{"a":1}"#),
    (#"{"a":1}"#, #"[{"op":"add","path":"","value":2}]"#, "2"),
    (#"{"a":1}"#, #"[{"op":"replace","path":"","value":2}]"#, "2"),
    (#"{"a":1}"#, #"[{"op":"copy","from":"","path":"/b"}]"#, #"{"a":1,"b":{"a":1}}"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#, #"{"a":1}"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":""}]"#, "1"),
    (#"{"a":1}"#, #"[{"op":"move","from":"","path":""}]"#, #"{"a":1}"#),
    (#"{"a":1,"ab":{}}"#, #"[{"op":"move","from":"/a","path":"/ab/c"}]"#, #"{"ab":{"c":1}}"#),
    (
      #"{"\u00e9":1,"e\u0301":{}}"#, #"[{"op":"move","from":"/\u00e9","path":"/e\u0301/x"}]"#,
      "{\"e\u{301}\":{\"x\":1}}"
    ),
    ("[1,2]", #"[{"op":"copy","from":"/0","path":"/-"}]"#, "[1,2,1]"),
    ("[1,2]", #"[{"op":"move","from":"/0","path":"/-"}]"#, "[2,1]"),
    (
      #"{"a":[1,{"b":2}]}"#, #"[{"op":"test","path":"","value":{"a":[1.0,{"b":2.0}]}}]"#,
      #"{"a":[1,{"b":2}]}"#
    ),
  ]

  @Test(arguments: Self.patches)
  func applies(_ document: String, _ patch: String, _ expected: String) throws {
    let document = try Value(json: document)
    #expect(try document.applying(patch: Value(json: patch)).json == expected)
  }

  @Test(
    arguments: [
      (
        "{}", JSONPatchError.Code.invalid, nil,
        "a JSON Patch must be an array of operations, not an object"
      ),
      ("[1]", .invalid, 0, "operation 0: it must be an object, not an integer"),
      ("[{}]", .invalid, 0, #"operation 0: the member "op" is missing"#),
      (#"[{"op":1}]"#, .invalid, 0, #"operation 0: "op" must be a string, not an integer"#),
      (
        #"[{"op":"spam","path":"/a"}]"#, .invalid, 0,
        #"operation 0: "op" is "spam"; it must be "add", "remove", "replace", "move", "copy" or "#
          + #""test""#
      ),
      (#"[{"op":"add","value":1}]"#, .invalid, 0, #"operation 0: the member "path" is missing"#),
      (
        #"[{"op":"add","path":null,"value":1}]"#, .invalid, 0,
        #"operation 0: "path" must be a string, not null"#
      ),
      (
        #"[{"op":"add","path":"a","value":1}]"#, .invalid, 0,
        #"operation 0: "a" is not a JSON Pointer: it must be empty or begin with "/"; write "/a""#
      ),
      (
        #"[{"op":"add","path":"/a"}]"#, .invalid, 0,
        #"operation 0: the member "value" is missing"#
      ),
      (#"[{"op":"copy","path":"/a"}]"#, .invalid, 0, #"operation 0: the member "from" is missing"#),
      (
        #"[{"op":"move","from":"/o","path":"/o/x"}]"#, .invalid, 0,
        #"operation 0: "/o" cannot be moved into itself"#
      ),
      (
        #"[{"op":"move","from":"","path":"/o"}]"#, .invalid, 0,
        "operation 0: the whole value cannot be moved into itself"
      ),
      (
        #"[{"op":"remove","path":""}]"#, .invalid, 0,
        "operation 0: the whole value cannot be removed"
      ),
      (
        #"[{"op":"add","path":"/n","value":2},{"op":"remove","path":"/x"}]"#, .notFound, 1,
        #"operation 1: nothing at "/x": there is no member "x""#
      ),
      (
        #"[{"op":"replace","path":"/x","value":1}]"#, .notFound, 0,
        #"operation 0: nothing at "/x": there is no member "x""#
      ),
      (
        #"[{"op":"replace","path":"/xs/-","value":1}]"#, .notFound, 0,
        #"operation 0: nothing at "/xs/-": "/xs" has 2 elements"#
      ),
      (
        #"[{"op":"add","path":"/o/x/y","value":1}]"#, .notFound, 0,
        #"operation 0: nothing at "/o/x/y": "/o" has no member "x""#
      ),
      (
        #"[{"op":"copy","from":"/x","path":"/n"}]"#, .notFound, 0,
        #"operation 0: nothing at "/x": there is no member "x""#
      ),
      (
        #"[{"op":"move","from":"/xs/1","path":"/xs/2"}]"#, .notFound, 0,
        #"operation 0: nothing at "/xs/2": "/xs" has 1 element"#
      ),
      (
        #"[{"op":"test","path":"/x","value":1}]"#, .notFound, 0,
        #"operation 0: nothing at "/x": there is no member "x""#
      ),
      (
        #"[{"op":"test","path":"/n","value":2}]"#, .testFailed, 0, #"operation 0: "/n" is 1, not 2"#
      ),
      (
        #"[{"op":"test","path":"/n","value":"1"}]"#, .testFailed, 0,
        #"operation 0: "/n" is 1, not "1""#
      ),
      (
        #"[{"op":"test","path":"/o","value":[]}]"#, .testFailed, 0,
        #"operation 0: "/o" is an object, not an array"#
      ),
      (
        #"[{"op":"test","path":"","value":{}}]"#, .testFailed, 0,
        "operation 0: the whole value is an object, but not the expected one"
      ),
    ] as [(String, JSONPatchError.Code, Int?, String)])
  func isRejected(
    _ patch: String, _ code: JSONPatchError.Code, _ operation: Int?, _ message: String
  ) throws {
    let text = #"{"n":1,"o":{},"xs":[1,2]}"#
    let value = try Value(json: text)
    let error = #expect(throws: JSONPatchError.self) {
      try value.applying(patch: Value(json: patch))
    }
    #expect(error?.code == code)
    #expect(error?.operation == operation)
    #expect(error?.message == message)
    #expect(value.json == text)
  }

  @Test func movedAndCopiedValuesAreShared() throws {
    let before = try Value(json: #"{"a":{"x":[1]},"b":{"y":[2]}}"#)
    let patch = try Value(
      json: #"[{"op":"move","from":"/a","path":"/c"},{"op":"copy","from":"/b","path":"/d"}]"#)
    let after = try before.applying(patch: patch)
    #expect(isIdentical(before["a"], after["c"]))
    #expect(isIdentical(before["b"], after["b"]))
    #expect(isIdentical(before["b"], after["d"]))
  }

  @Test func aTestAloneChangesNothing() throws {
    let value = try Value(json: #"{"a":{"x":[1]}}"#)
    let patch = try Value(json: #"[{"op":"test","path":"/a/x/0","value":1.0}]"#)
    #expect(isIdentical(try value.applying(patch: patch), value))
  }
}
