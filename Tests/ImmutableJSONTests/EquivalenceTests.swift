import ImmutableJSON
import Testing

@Suite struct EquivalenceTests {
  @Test(arguments: [
    ("1", "1.0", true), ("1", "1e0", true), ("0.0", "-0.0", true), ("0", "-0.0", true),
    ("1", "1.5", false), ("1", "2", false), ("1", "true", false), ("0", "null", false),
    ("1", #""1""#, false), ("9007199254740992", "9007199254740992.0", true),
    ("9007199254740993", "9007199254740992.0", false),
    ("9223372036854775807", "9223372036854775808.0", false),
    ("-9223372036854775808", "-9223372036854775808.0", true), ("1", "1e300", false),
    ("[1,[2]]", "[1.0,[2.0]]", true), ("[1,2]", "[1]", false), ("[1,2]", "[2,1]", false),
    (#"{"a":1,"b":2}"#, #"{"b":2.0,"a":1.0}"#, true), (#"{"a":1}"#, #"{"a":1,"b":2}"#, false),
    (#"{"a":1}"#, #"{"b":1}"#, false), (#"{"\u00e9":1}"#, #"{"e\u0301":1}"#, false),
    (#""\u00e9""#, #""e\u0301""#, false), ("[]", "{}", false), ("null", "null", true),
  ])
  func compares(_ left: String, _ right: String, _ expected: Bool) throws {
    let (left, right) = (try Value(json: left), try Value(json: right))
    #expect(left.isEquivalent(to: right) == expected)
    #expect(right.isEquivalent(to: left) == expected)
  }
}
