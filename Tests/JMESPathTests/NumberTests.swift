import ImmutableJSON
import JMESPath
import Testing

/// Numbers, to the ends of what there is of them.
@Suite struct NumberTests {
  @Test(arguments: [
    ("`1` == `1.0`", "true"),
    ("`[1, {\"a\": [2.0]}]` == `[1.0, {\"a\": [2]}]`", "true"),
    ("`1` != `1.0`", "false"),
    ("`0.0` == `-0.0`", "true"),
    ("contains(`[1.0]`, `1`)", "true"),
    ("`9007199254740993` == `9007199254740992.0`", "false"),
    ("`9007199254740993` > `9007199254740992.0`", "true"),
    ("`9223372036854775807` < `9223372036854775808.0`", "true"),
    ("`9223372036854775807` == `9223372036854775808.0`", "false"),
    ("`-9223372036854775808` == `-9223372036854775808.0`", "true"),
    ("`9223372036854775808.0` > `9223372036854775807`", "true"),
    ("`-1e300` < `-9223372036854775808`", "true"),
    ("`1` < 'a'", "null"),
    ("'a' < 'b'", "null"),
    ("`1` <= `1.0`", "true"),
  ])
  func comparison(_ text: String, _ expected: String) {
    check(text, expected)
  }

  @Test(arguments: [
    ("abs(`-9223372036854775808`)", "9.223372036854775808e+18"),
    ("abs(`-9223372036854775807`)", "9223372036854775807"),
    ("abs(`-1.5`)", "1.5"),
    ("ceil(`1.2`)", "2"), ("ceil(`-1.2`)", "-1"), ("ceil(`-0.5`)", "0"), ("ceil(`7`)", "7"),
    ("floor(`1.8`)", "1"), ("floor(`-1.2`)", "-2"), ("floor(`2.0`)", "2"),
    ("floor(`-9223372036854775808.0`)", "-9223372036854775808.0"),
    ("ceil(`9007199254740991.5`)", "9007199254740992"),
    ("ceil(`1e300`)", "1e+300"), ("floor(`-1e300`)", "-1e+300"),
    ("ceil(`9223372036854775807`)", "9223372036854775807"),
    ("sum(`[9223372036854775807, 1]`)", "9.223372036854775808e+18"),
    ("sum(`[9223372036854775807, 1, -1]`)", "9223372036854775807"),
    ("sum(`[-9223372036854775808, -9223372036854775808]`)", "-1.8446744073709552e+19"),
    ("sum(`[1, 2.5]`)", "3.5"), ("sum(`[]`)", "0"), ("sum(`[1.0]`)", "1.0"),
    ("avg(`[9223372036854775807, 9223372036854775807]`)", "9.223372036854775808e+18"),
    ("avg(`[1, 2]`)", "1.5"), ("avg(`[]`)", "null"),
    ("max(`[1, 1.0]`)", "1"), ("min(`[1.0, 1]`)", "1.0"),
    ("sort(`[2, 1.0, 1, -1]`)", "[-1,1.0,1,2]"),
    ("type(`9223372036854775807`)", "\"number\""),
  ])
  func functions(_ text: String, _ expected: String) throws {
    check(text, try Value(json: expected).json)
  }

  @Test(arguments: [
    ("1", "1"), ("-1", "-1"), ("1.5", "1.5"), ("1e2", "100.0"), ("1E+2", "100.0"), ("-0", "0"),
    ("9223372036854775807", "9223372036854775807"),
    ("9223372036854775808", "9.223372036854775808e+18"), ("1e999", "null"), ("", "null"),
    ("01", "null"), ("+1", "null"), ("1.", "null"), (".5", "null"), ("1e", "null"), (" 1", "null"),
    ("1 ", "null"), ("0x10", "null"), ("inf", "null"), ("nan", "null"), ("-", "null"),
    ("1_0", "null"), ("١", "null"),
  ])
  func toNumber(_ text: String, _ expected: String) throws {
    check("to_number('\(text)')", try Value(json: expected).json)
  }

  @Test(arguments: [
    ("[9223372036854775807]", "null"), ("[-9223372036854775808]", "null"), ("[-3]", "1"),
    ("[-4]", "null"), ("[9223372036854775807:]", "[]"), ("[:-9223372036854775808]", "[]"),
    ("[::9223372036854775807]", "[1]"), ("[::-9223372036854775808]", "[3]"),
    ("[-9223372036854775808:9223372036854775807]", "[1,2,3]"),
    ("[9223372036854775807:-9223372036854775808:-1]", "[3,2,1]"), ("[2:0:-1]", "[3,2]"),
    ("[0:0]", "[]"), ("[::2]", "[1,3]"), ("[::-2]", "[3,1]"), ("[1:][0]", "[]"),
  ])
  func indexes(_ text: String, _ expected: String) {
    check(text, expected, given: "[1, 2, 3]")
    check(text, "null")
    check("[0:0] | \(text)", text.contains(":") ? "[]" : "null", given: "[]")
  }

  @Test func tooLarge() {
    let message = "the number \"9223372036854775808\" is beyond 64 bits"
    checkError("a[9223372036854775808]", .limit, 2, message)
    checkError("a[0:9223372036854775808]", .limit, 4, message)
  }

  /// No text has these, but a value that was made otherwise may.
  @Test func notFinite() throws {
    let numbers = Value.array([.real(.nan), 1, .real(.infinity), .real(.nan), -1, .integer(.max)])
    for text in ["sort(@)", "min(@)", "max(@)", "[?@ > `0`]", "[*].ceil(@)", "[*].to_string(@)"] {
      #expect(throws: Never.self) { try Expression(text).evaluate(numbers) }
    }
    #expect(throws: JMESPathError.self) { try Expression("sum(@)").evaluate(numbers) }
  }
}
