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

  /// The same text as Swift's, which has the fewest digits too.
  @Test func doublesAreWrittenAsSwiftDescribesThem() {
    func check(_ real: Double) {
      guard real.isFinite else { return }
      #expect(Value.real(real).json == real.description)
    }
    for exponent in 0..<UInt64(2047) {
      for fraction: UInt64 in [0, 1, 2, 1 << 51, 1 << 52 - 1] {
        check(Double(bitPattern: exponent << 52 | fraction))
      }
    }
    for power in -25...25 {
      for digits in 1...30 {
        check(Double("\(digits)e\(power)") ?? 0)
      }
    }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      check(Double(bitPattern: generator.next()))
      check(-Double.random(in: 0x1p52...0x1p54))
      check(Double(Int.random(in: 0..<1_000_000)) / 1000)
      // Around the limits of numbers with few digits: 10^7, and eight digits after the point.
      check(Double(Int.random(in: 0..<20_000_000)) / 100_000_000)
      check(Double(Int.random(in: 900_000_000_000_000..<1_100_000_000_000_000)) / 100_000_000)
      check(-Double(Int.random(in: 0..<10_000_000_000)) / 1_000_000_000)
    }
  }

  @Test func integersHaveAllDigits() {
    for integer in -10_000...10_000 {
      #expect(Value.integer(Int64(integer)).json == "\(integer)")
    }
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      for integer in [power - 1, power, power + 1, -power, 1 - power] {
        #expect(Value.integer(integer).json == "\(integer)")
      }
    }
  }

  /// Strings and keys of many lengths, with each character in each place.
  @Test func escapesAreWrittenAnywhere() throws {
    let escapes = [
      ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\u{1F}", #"\u001f"#), ("é", "é"),
    ]
    for length in [0...40, 4090...4100].joined() {
      let plain = String(repeating: "x", count: length)
      #expect(Value.string(plain).json == "\"\(plain)\"")
      for place in [0, 1, length / 2, length - 1, length] where (0...length).contains(place) {
        for (character, escape) in escapes {
          let (before, after) = (plain.prefix(place), plain.dropFirst(place))
          let string = before + character + after
          let text = "\"\(before)\(escape)\(after)\""
          #expect(Value.string(String(string)).json == text)
          let object: Value = [String(string): 1, plain: 2]
          #expect(object.json.contains("\(text):1"))
          #expect(try Value(json: object.json) == object)
        }
      }
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
