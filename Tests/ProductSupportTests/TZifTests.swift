import Testing

@testable import ProductSupport

@Suite struct TZifTests {
  /// Every start of some files, and the files with each byte changed, are read or rejected.
  @Test(arguments: ["Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Etc/UTC"])
  func noFileTraps(_ name: String) throws {
    let path = "/usr/share/zoneinfo/\(name)"
    let bytes = try #require(try SmallFile.contents(of: path))
    let times = [.min, -1_500_000_000_000, 0, 1_774_000_000_000, .max].map(Timestamp.init)
    for count in bytes.indices {
      #expect(throws: TZifError.self) { try OffsetChanges(tzif: Array(bytes[..<count])) }
    }
    for index in bytes.indices {
      for byte in [0, 1, 0x0A, 0x2C, 0x39, 0x7F, 0x80, 0xFF, bytes[index] ^ 1, bytes[index] ^ 0x20]
      {
        var changed = bytes
        changed[index] = byte
        guard let changes = try? OffsetChanges(tzif: changed) else { continue }
        let zone = TimeZone(name: name, changes: changes)
        for time in times {
          let day = zone.day(at: time)
          #expect(day.lowerBound <= time && time <= day.upperBound)
        }
      }
    }
  }

  /// A file of version 1: local time is one hour ahead of UTC from 1970 on, and two from 1971.
  private let small: [UInt8] =
    Array("TZif".utf8) + [0] + Array(repeating: 0, count: 15)
    + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4]
    + [0, 0, 0, 0, 1, 0xE1, 0x33, 0x80] + [1, 2]
    + [0xFF, 0xFF, 0xF1, 0xF0, 0, 0] + [0, 0, 0x0E, 0x10, 0, 0] + [0, 0, 0x1C, 0x20, 1, 0]
    + [0x41, 0x42, 0x43, 0]

  @Test(arguments: [(-1, -3_600), (0, 3_600), (31_535_999, 3_600), (31_536_000, 7_200)])
  func version1IsRead(_ second: Int64, _ offset: Int64) throws {
    #expect(try OffsetChanges(tzif: self.small).segment(at: second).offset == offset)
  }

  /// Bytes of the small file, what replaces them, and the reason why it is rejected then.
  @Test(arguments: [
    (0, [0x74], "\"TZif\" is missing at byte 0"),
    (32, [0xFF, 0xFF, 0xFF, 0xFF], "it ends before its data"),
    (36, [0, 0, 0, 0], "it has no local time"),
    (44, [1, 0xE1, 0x33, 0x80], "the times before byte 52 are not ascending"),
    (44, [0x7F, 0xFF, 0xFF, 0xFF], "the times before byte 52 are not ascending"),
    (53, [3], "a change refers to a local time that does not exist"),
    (54, [0x80, 0, 0, 0], "the offset -2147483648 before byte 58 is too large"),
  ])
  func damagesAreFound(_ index: Int, _ bytes: [UInt8], _ reason: String) {
    var file = self.small
    file.replaceSubrange(index..<index + bytes.count, with: bytes)
    #expect(throws: TZifError(reason: reason)) { try OffsetChanges(tzif: file) }
  }

  @Test(arguments: [
    ("CET-1\n", "it ends before its rule"),
    ("\nCET-1", "it ends before its rule"),
    ("\nXYZ\n", "its rule \"XYZ\" is not valid"),
    ("\n", "it ends before its rule"),
    ("", "it ends before its rule"),
  ])
  func rulesAreChecked(_ footer: String, _ reason: String) throws {
    let file = try #require(try SmallFile.contents(of: "/usr/share/zoneinfo/Europe/Berlin"))
    let data = file.dropLast("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8.count)
    #expect(try OffsetChanges(tzif: data + Array("\n\n".utf8)).rule == nil)
    #expect(throws: TZifError(reason: reason)) {
      try OffsetChanges(tzif: data + Array(footer.utf8))
    }
  }
}
