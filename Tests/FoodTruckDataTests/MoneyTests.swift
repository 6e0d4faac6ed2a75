import FoodTruckData
import ImmutableJSON
import Testing

@Suite struct MoneyTests {
  @Test(arguments: [
    ("0", 0, "0.00"), ("-0", 0, "0.00"), ("5", 50_000, "5.00"), ("5.7", 57_000, "5.70"),
    ("5.78", 57_800, "5.78"), ("5.785", 57_850, "5.785"), ("5.7801", 57_801, "5.7801"),
    ("0.0001", 1, "0.0001"), ("-0.01", -100, "-0.01"), ("-12.5", -125_000, "-12.50"),
    ("007.10", 71_000, "7.10"),
    ("922337203685477.5807", .max, "922337203685477.5807"),
    ("-922337203685477.5808", .min, "-922337203685477.5808"),
  ])
  func amountsAreParsedAndWritten(_ text: String, _ number: Int64, _ written: String) throws {
    #expect(try Money(text).tenThousandths == number)
    #expect(Money(tenThousandths: number).description == written)
    #expect(try Money(written).tenThousandths == number)
  }

  @Test(arguments: [
    "", "-", ".", "1.", ".5", "+1", "1,5", "1.00000", "1.2.3", "1e3", "0x1", " 1", "--1", "1-",
    "NaN", "１", "$5",
  ])
  func otherTextsAreRejected(_ text: String) {
    #expect(throws: MoneyError.invalid(text)) { try Money(text) }
  }

  @Test func anErrorSaysWhatIsWrong() {
    #expect(
      MoneyError.invalid("1,5").description
        == #""1,5" is not an amount; expected digits and at most four decimals, as in "12.50""#)
    let error = #expect(throws: MoneyError.self) { try Money("922337203685477.5808") }
    #expect(
      error?.description == """
        "922337203685477.5808" is out of range; amounts go up to ±922337203685477.5807
        """)
  }

  @Test func calculationsAreExact() throws {
    let price = try Money("5.78")
    #expect(try price.multiplied(by: 6) == Money("34.68"))
    #expect(try price.multiplied(by: -1) == Money("-5.78"))
    #expect(try price.adding(Money("-5.78")) == Money("0"))
    var total = Money(tenThousandths: 0)
    for _ in 0..<1_000 { total = try total.adding(Money("0.1")) }
    #expect(try total == Money("100"))
    #expect(try Money("9.99") < Money("10"))
  }

  @Test func overflowsAreErrors() throws {
    let maximum = Money(tenThousandths: .max)
    let one = try Money("1")
    let sum = #expect(throws: MoneyError.self) { try maximum.adding(one) }
    #expect(
      sum?.description == """
        922337203685477.5807 + 1.00 is out of range; amounts go up to ±922337203685477.5807
        """)
    #expect(throws: MoneyError.tooLarge("922337203685477.5807 × 2")) {
      try maximum.multiplied(by: 2)
    }
    #expect(throws: MoneyError.self) { try Money(tenThousandths: .min).multiplied(by: -1) }
  }

  @Test func anAmountIsAStringInJSON() throws {
    #expect(try Value(encoding: Money("34.680")) == "34.68")
    #expect(try Value("34.68").decode(Money.self) == Money("34.68"))
    #expect(throws: DecodingError.self) { try Value(34.68).decode(Money.self) }
    let error = #expect(throws: DecodingError.self) { try Value("34,68").decode(Money.self) }
    guard case .dataCorrupted(let context)? = error else { throw MoneyError.invalid("") }
    #expect(context.debugDescription == MoneyError.invalid("34,68").description)
  }
}
