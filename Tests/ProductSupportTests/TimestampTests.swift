import ImmutableJSON
import ProductSupport
import Testing

@Suite struct TimestampTests {
  @Test func aTimeIsANumberInJSON() throws {
    let time = Timestamp(milliseconds: 482_196_050_520)
    #expect(try Value(encoding: time) == 482_196_050_520)
    #expect(try Value(482_196_050_520).decode(Timestamp.self) == time)
    #expect(throws: DecodingError.self) { try Value("1985").decode(Timestamp.self) }
    #expect(throws: DecodingError.self) { try Value(1.5).decode(Timestamp.self) }
  }
}
