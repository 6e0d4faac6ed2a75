import ProductSupport
import QuakesData
import Testing

@Suite struct RecordTests {
  @Test func aRecordIsPrintedByItsFields() {
    let quake = Quake(
      quakeId: "1", magnitude: 2.5, time: Timestamp(milliseconds: 0),
      updated: Timestamp(milliseconds: 1), name: "Cobb", longitude: -122.5, latitude: 38.5)
    #expect(
      "\(quake)"
        == #"Quake(quakeId: "1", magnitude: 2.5, time: 0, updated: 1, "#
        + #"name: "Cobb", longitude: -122.5, latitude: 38.5)"#)
  }
}
