import Testing

@testable import ImmutableJSON

/// The process-wide limits. Their enforcement is tested in C and Python, where each test has its
/// own process.
@Suite struct LimitTests {
  @Test(arguments: [
    (ValueLimits.Settable.values, 0, "the values limit must be from 1 to 2147483647, not 0"),
    (.text, -1, "the text limit must be from 1 to 2147483647, not -1"),
    (.input, 1 << 31, "the input limit must be from 1 to 2147483647, not 2147483648"),
    (.work, .min, "the work limit must be from 1 to \(Int.max), not \(Int.min)"),
  ])
  func aLimitOutOfRangeIsRejected(_ limit: ValueLimits.Settable, _ value: Int, _ message: String) {
    let before = ValueLimits[limit]
    let error = #expect(throws: LimitRangeError.self) { try ValueLimits.set(limit, to: value) }
    #expect(error?.description == message)
    #expect(ValueLimits[limit] == before)
  }

  @Test func defaultLimits() throws {
    #expect(
      ValueLimits.Settable.allCases.map { ValueLimits[$0] } == [1 << 30, 1 << 30, 1 << 28, 1 << 24])
    try ValueLimits.set(.values, to: ValueLimits.values)
    #expect(ValueLimits.values == 1 << 30)
  }
}
