import ImmutableJSON
import Testing

@Suite struct WritingTests {
  static let texts: [(Value, String)] = [
    (.null, "null"),
    (true, "true"),
    (.integer(.min), "-9223372036854775808"),
    (0.1, "0.1"),
    (.real(1), "1.0"),
    (.real(-0.0), "-0.0"),
    (.real(1e300), "1e+300"),
    (.real(.leastNonzeroMagnitude), "5e-324"),
    (.real(.infinity), "null"),
    ("\"\\\u{8}\t\n\u{C}\r\u{1}\u{1F}\0/é😀", #""\"\\\b\t\n\f\r\u0001\u001f\u0000/é😀""#),
    (.array([]), "[]"),
    ([:], "{}"),
    (.array([1, "a", .array([])]), #"[1,"a",[]]"#),
    (["b": 1, "a": [:], "": 0], #"{"":0,"a":{},"b":1}"#),
  ]

  @Test(arguments: Self.texts)
  func writes(_ value: Value, _ text: String) {
    #expect(value.json == text)
  }

  @Test func keysAreSortedByBytesAndNotNormalized() throws {
    let value = try Value(json: #"{"\u00e9":1,"e\u0301":2,"\ud83d\ude00":3,"\uffff":4,"Z":5}"#)
    #expect(value.json == "{\"Z\":5,\"e\u{301}\":2,\"\u{E9}\":1,\"\u{FFFF}\":4,\"😀\":3}")
    #expect(value["\u{E9}"] == 1)
    #expect(value["e\u{301}"] == 2)
    #expect(value["x"] == nil)
  }

  @Test func stringsAreNotNormalized() {
    #expect(Value.string("\u{E9}") != Value.string("e\u{301}"))
    #expect(Value.real(0) != Value.real(-0.0))
    #expect(Value.real(1) != Value.integer(1))
  }

  @Test func numbersRoundTrip() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let real = Double(bitPattern: generator.next())
      guard real.isFinite else { continue }
      #expect(try Value(json: Value.real(real).json) == .real(real))
      let integer = Int64(bitPattern: generator.next())
      #expect(try Value(json: Value.integer(integer).json) == .integer(integer))
    }
  }

  @Test func unicodeScalarsRoundTrip() throws {
    for code in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(code), code < 0x3000 || code.isMultiple(of: 97) else {
        continue
      }
      let value = Value.string(String(Character(scalar)))
      #expect(try Value(json: value.json) == value)
    }
  }

  @Test func objectsAndArraysArePrintedAsJSON() {
    let object: JSONObject = ["b": [1, 2.5, .null], "a": "x"]
    #expect("\(object)" == #"{"a":"x","b":[1,2.5,null]}"#)
    #expect("\(JSONArray([.bool(true), .object(object)]))" == #"[true,{"a":"x","b":[1,2.5,null]}]"#)
  }
}
