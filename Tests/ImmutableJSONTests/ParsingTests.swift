import Testing

@testable import ImmutableJSON

@Suite struct ParsingTests {
  static let values: [(String, Value)] = [
    ("null", .null),
    ("true", true),
    ("false", false),
    ("0", 0),
    ("-0", 0),
    ("9223372036854775807", .integer(.max)),
    ("-9223372036854775808", .integer(.min)),
    ("0.1", 0.1),
    ("-0.0", .real(-0.0)),
    ("1e2", .real(100)),
    ("1.0", .real(1)),
    (#""a\u00e9\ud83d\ude00\n\"""#, "aé😀\n\""),
    (#""\u0000""#, "\0"),
    ("[1, [2], {}]", .array([1, .array([2]), [:]])),
    (#"{"b": 1, "a": {"c": null}}"#, ["a": ["c": .null], "b": 1]),
    (#"{"a": 1, "a": 2}"#, ["a": 2]),
    // Escapes, between strings without.
    (#"["\n","plain","\t\n",""]"#, ["\n", "plain", "\t\n", ""]),
    (
      #"{"a\u0062c":"\u0064","efghijkl\u006d":"\/","n":"o"}"#,
      ["abc": "d", "efghijklm": "/", "n": "o"]
    ),
  ]

  @Test(arguments: Self.values)
  func reads(_ text: String, _ value: Value) throws {
    #expect(try Value(json: text) == value)
  }

  @Test(arguments: [
    ("", JSONParseError.Code.invalid, 1, 1, 0),
    ("[1,\n", .invalid, 2, 1, 4),
    ("{type:1}", .invalid, 1, 5, 5),
    ("[1,\n 2,\n x]", .invalid, 3, 2, 10),
    (#"{"a":1} x"#, .invalid, 1, 9, 9),
    (#"{"\u0000":1}"#, .invalid, 1, 9, 9),
    (#""\ud800""#, .invalid, 1, 8, 8),
    ("\u{FEFF}{}", .invalid, 1, 1, 3),
    ("1\0", .invalid, 1, 2, 2),
    ("[\n\"é\0\"]", .invalid, 2, 3, 6),
    ("[9223372036854775808]", .limit, 1, 20, 20),
    ("[1e999]", .limit, 1, 6, 6),
  ])
  func rejects(
    _ text: String, _ code: JSONParseError.Code, _ line: Int, _ column: Int, _ offset: Int
  ) throws {
    let error = #expect(throws: JSONParseError.self) { try Value(json: text) }
    #expect(error?.code == code)
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.offset == offset)
  }

  @Test(arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]])
  func rejectsInvalidUTF8(_ bytes: [UInt8]) throws {
    let text = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
    let error = #expect(throws: JSONParseError.self) {
      try text.withUnsafeBytes { try Value(json: $0) }
    }
    #expect(error?.code == .invalid)
  }

  /// JavaScript and Python allow these.
  @Test(arguments: [
    ("'a'", "invalid token near '''; put strings in double quotes"),
    ("{'a':1}", "string or '}' expected near '''; put strings in double quotes"),
    ("{a:1}", "string or '}' expected near 'a'; put keys in double quotes"),
    (#"{"a":1,b:2}"#, "string or '}' expected near 'b'; put keys in double quotes"),
    ("[1, ]", "unexpected token near ']'; remove the last comma"),
    (#"{"a":1,}"#, "string or '}' expected near '}'; remove the last comma"),
    ("[1,,]", "unexpected token near ','"),
    (#"{"a":b}"#, "invalid token near 'b'"),
    (#"{"a":True}"#, "invalid token near 'True'; write true"),
    ("[FALSE ]", "invalid token near 'FALSE'; write false"),
    ("[1, None,2]", "invalid token near 'None'; write null"),
    ("NaN", "invalid token near 'NaN'; write null"),
    ("None of this", "invalid token near 'None'"),
    ("[Truest]", "invalid token near 'Truest'"),
    ("[True.x]", "invalid token near 'True'"),
  ])
  func hints(_ text: String, _ message: String) {
    let error = #expect(throws: JSONParseError.self) { try Value(json: text) }
    #expect(error?.message == message)
  }

  @Test(arguments: [
    (#"{"a":1 "b":{}}"#, "'}'", #""b""#), (#"{"a":1\#n"b" : 2"#, "'}'", #""b""#),
    (#"{"a":"x""b":2}"#, "'}'", #""b""#), (#"[1 2]"#, "']'", "2"), ("[1 -2", "']'", "-2"),
    (#"["a" "b"]"#, "']'", #""b""#), (#"["a" "b" "c"]"#, "']'", #""b""#), ("[{}{}]", "']'", "{"),
    ("[[] []]", "']'", "["),
  ])
  func aMissingCommaIsNamed(_ text: String, _ expected: String, _ near: String) {
    let error = #expect(throws: JSONParseError.self) { try Value(json: text) }
    #expect(error?.message == "\(expected) expected near '\(near)'; put a comma before it")
  }

  /// The problem is another one, or unknown.
  @Test(arguments: [
    #"{"a":1"#, #"{"a":1 "#, "[1", "[1 ", #"{"a":[1,2 "b":3}"#, #"{"a":"say "hi"""}"#,
    #"["say "hi""]"#, #"["a""b"]"#, #"["a" "b"#, "[2025-01-01]", "[01]", "[1.2.3]", #"{"a":1 {}}"#,
    #"{"a":1 2}"#, #"{"a":1;"b":2}"#, #"{"a":"b" "c"}"#, #"{"a":1 "b\"#, "[1 \"b", "[1;2]", "[1 x]",
    "{} {}", "1 2", #"{"a" "b"}"#, #"{"a" 1}"#, "[1:2]",
  ])
  func noCommaIsSuggested(_ text: String) {
    let error = #expect(throws: JSONParseError.self) { try Value(json: text) }
    #expect(error?.message.contains("comma") == false)
  }

  @Test(arguments: [
    ("", "the text is empty", 1, 1),
    (" \n\t", "the text contains only white space", 2, 1),
  ])
  func rejectsATextWithoutAValue(_ text: String, _ message: String, _ line: Int, _ column: Int) {
    let error = #expect(throws: JSONParseError.self) { try Value(json: text) }
    #expect(error?.code == .invalid)
    #expect(error?.message == message)
    #expect([error?.line, error?.column, error?.offset] == [line, column, text.utf8.count])
  }

  @Test(arguments: [
    ([0xFF], 1, 1, 1),
    ([0x7B, 0x0A, 0xFF], 2, 1, 3),  // { LF FF
    ([0x5B, 0x0A, 0x22, 0xC3, 0xA4, 0xFF], 2, 3, 6),  // [ LF " ä FF
    ([0x22, 0xE2, 0x82], 1, 2, 2),  // " and the first two bytes of three
  ])
  func locatesInvalidUTF8(_ bytes: [UInt8], _ line: Int, _ column: Int, _ offset: Int) {
    let error = #expect(throws: JSONParseError.self) {
      try bytes.withUnsafeBytes { try Value(json: $0) }
    }
    #expect([error?.line, error?.column, error?.offset] == [line, column, offset])
  }

  @Test func nestsUpToTheLimit() throws {
    let depth = ValueLimits.depth
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(try Value(json: text).json == text)
    let error = #expect(throws: JSONParseError.self) { try Value(json: "[" + text + "]") }
    #expect(error?.code == .limit)
    let brackets = String(repeating: "[", count: 100_000)
    #expect(throws: JSONParseError.self) { try Value(json: brackets) }
  }

  @Test func anErrorIsDescribedWithItsPosition() throws {
    let error = #expect(throws: JSONParseError.self) { try Value(json: "[1,]") }
    #expect(
      error?.description
        == "unexpected token near ']'; remove the last comma (line 1, column 4)")
    let limit = JSONParseError(ValueLimitError(.values, limit: 1))
    #expect(limit.description == "the value would have more than 1 value")
  }

  @Test func theMemoryOfALongStringIsFreed() throws {
    _ = try Value(json: #""\n\#(String(repeating: "a", count: 1 << 20))""#)
    let parser = JSONParser.acquire()
    defer { parser.release() }
    #expect(parser.unescaped.capacity <= ParseStack<UInt8>.maxRetainedCapacity)
  }

  @Test func anEmptyBufferWithoutAddressIsRejected() {
    #expect(throws: JSONParseError.self) {
      try Value(json: UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}
