import Foundation
import ProductSupport
import Testing

@Suite struct TimeZoneComparisonTests {
  /// Compares all zones of this system with Python's `zoneinfo`, which reads the same files.
  @Test func zonesAreThoseOfPython() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "zones.py")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    var count = 0
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ")
      let (number, expected) = (try #require(Int64(parts[2])), try #require(Int64(parts[3])))
      let zone = try ProductSupport.TimeZone.named(String(parts[1]))
      let result =
        parts[0] == "offset"
        ? zone.offset(at: Timestamp(milliseconds: number * 1_000))
        : zone.day(CalendarDate(daysSince1970: number)).lowerBound.milliseconds / 1_000
      if result != expected { Issue.record("\(line), not \(result)") }
      count += 1
    }
    #expect(count > 10_000)
  }
}
