import ImmutableJSON
import Testing

@Suite struct PointerGetTests {
  /// The example of RFC 6901, section 5.
  static let document = #"""
    {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5,
     "k\"l": 6, " ": 7, "m~n": 8}
    """#

  @Test(arguments: [
    ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
    ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"),
  ])
  func examplesOfTheRFC(_ pointer: String, _ expected: String) throws {
    #expect(try Value(json: Self.document).get(JSONPointer(pointer)).json == expected)
  }

  @Test func theEmptyPointerIsTheWholeValue() throws {
    let value = try Value(json: Self.document)
    #expect(try value.get(JSONPointer("")) == value)
    #expect(try Value.null.get(JSONPointer()) == .null)
  }

  static let failures: [(String, JSONPointerError.Code, String)] = [
    ("/x", .notFound, #"nothing at "/x": there is no member "x""#),
    ("/a/b", .notFound, #"nothing at "/a/b": "/a" has no member "b""#),
    ("/a/b/c/0", .notFound, #"nothing at "/a/b/c/0": "/a" has no member "b""#),
    ("/a/e\u{301}", .notFound, "nothing at \"/a/e\u{301}\": \"/a\" has no member \"e\u{301}\""),
    ("/xs/3", .notFound, #"nothing at "/xs/3": "/xs" has 3 elements"#),
    ("/xs/-", .notFound, #"nothing at "/xs/-": "/xs" has 3 elements"#),
    ("/a/xs/1/b", .notFound, #"nothing at "/a/xs/1/b": "/a/xs" has 1 element"#),
    ("/none/0", .notFound, #"nothing at "/none/0": "/none" has no elements"#),
    (
      "/xs/99999999999999999999999", .notFound,
      #"nothing at "/xs/99999999999999999999999": "/xs" has 3 elements"#
    ),
    (
      "/xs/9223372036854775807", .notFound,
      #"nothing at "/xs/9223372036854775807": "/xs" has 3 elements"#
    ),
    ("/xs/a", .invalid, #"nothing at "/xs/a": "/xs" is an array, and "a" is not an index"#),
    ("/xs/01", .invalid, #"nothing at "/xs/01": "/xs" is an array, and "01" is not an index"#),
    ("/xs/00", .invalid, #"nothing at "/xs/00": "/xs" is an array, and "00" is not an index"#),
    ("/xs/-1", .invalid, #"nothing at "/xs/-1": "/xs" is an array, and "-1" is not an index"#),
    ("/xs/+1", .invalid, #"nothing at "/xs/+1": "/xs" is an array, and "+1" is not an index"#),
    ("/xs/1e0", .invalid, #"nothing at "/xs/1e0": "/xs" is an array, and "1e0" is not an index"#),
    ("/xs/ 1", .invalid, #"nothing at "/xs/ 1": "/xs" is an array, and " 1" is not an index"#),
    ("/xs/١", .invalid, #"nothing at "/xs/١": "/xs" is an array, and "١" is not an index"#),
    ("/xs/", .invalid, #"nothing at "/xs/": "/xs" is an array, and "" is not an index"#),
    ("/n/x", .invalid, #"nothing at "/n/x": "/n" is an integer"#),
    ("/null/x", .invalid, #"nothing at "/null/x": "/null" is null"#),
    ("/s/0", .invalid, #"nothing at "/s/0": "/s" is a string"#),
    ("/xs/0/a", .invalid, #"nothing at "/xs/0/a": "/xs/0" is an integer"#),
  ]

  @Test(arguments: Self.failures)
  func doesNotResolve(
    _ pointer: String, _ code: JSONPointerError.Code, _ message: String
  ) throws {
    let value = try Value(
      json: #"{"a":{"é":1,"xs":[0]},"xs":[1,2,3],"none":[],"n":1,"null":null,"s":"t"}"#)
    let error = #expect(throws: JSONPointerError.self) {
      try value.get(JSONPointer(pointer))
    }
    #expect(error?.code == code)
    #expect(error?.message == message)
  }

  @Test func keysAreComparedByTheirBytes() throws {
    let value = try Value(json: #"{"\u00e9":1,"e\u0301":2}"#)
    #expect(try value.get(JSONPointer("/\u{E9}")) == 1)
    #expect(try value.get(JSONPointer("/e\u{301}")) == 2)
  }
}
