import Foundation
import Testing
import Threading

@testable import ProductSupport

private typealias TimeZone = ProductSupport.TimeZone

@Suite final class TimeZoneDatabaseTests {
  private let folder = URL(filePath: "/tmp/zones-\(UUID().uuidString.prefix(8))")
  private let system = "/usr/share/zoneinfo"

  deinit {
    try? FileManager.default.removeItem(at: self.folder)
  }

  private var path: String { self.folder.path }

  private func write(_ name: String, _ data: Data) throws {
    let file = self.folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  private func zoneFile(_ name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: "\(self.system)/\(name)"))
  }

  @Test(arguments: [
    "", "/", ".", "..", "../zoneinfo/UTC", "Europe/../UTC", "/usr/share/zoneinfo/UTC",
    "Europe//Berlin",
    "Europe/", "./UTC", "Europe/.", ".hidden", "Europe\\Berlin", "Europe/Berlin\0", "Evrope/Berlin",
    "Ευρώπη", "Europe", "zone.tab", "tzdata.zi", "Europe/Berlin ",
    String(repeating: "a", count: 256),
    String(repeating: "a", count: 100_000), String(repeating: "a/", count: 100) + "a",
  ])
  func namesAreChecked(_ name: String) {
    let database = TimeZoneDatabase(directories: [self.system])
    #expect(throws: TimeZoneError.unknown(name)) { try database.zone(name) }
  }

  @Test func messagesSayWhatToDo() throws {
    let database = TimeZoneDatabase(directories: [self.path, "/nowhere"])
    func message(_ name: String) -> String {
      do {
        return "\(try database.zone(name))"
      } catch {
        return error.description.replacing(self.path, with: "FOLDER")
      }
    }
    #expect(
      message("Europe/Berlin") == """
        cannot find the time zone "Europe/Berlin": this system has no time zone database in \
        "FOLDER" or "/nowhere"; install the package tzdata
        """)
    #expect(try database.zone("UTC") == .utc)
    let berlin = try self.zoneFile("Europe/Berlin")
    try self.write("Cut", berlin.dropLast(10))
    try self.write("Empty", Data())
    try self.write("Large", berlin + Data(count: SmallFile.limit))
    try self.write("Text", Data("Europe/Berlin".utf8))
    #expect(
      message("Mars") == """
        unknown time zone "Mars"; expected a name of the IANA time zone database, for example \
        "Europe/Berlin"
        """)
    #expect(message("Text").hasPrefix(#"unknown time zone "Text";"#))
    #expect(
      message("Cut") == """
        the time zone file "FOLDER/Cut" is damaged: it ends before its rule; install the package \
        tzdata again
        """)
    #expect(
      message("Empty") == """
        the time zone file "FOLDER/Empty" is damaged: it ends before its data; install the package \
        tzdata again
        """)
    #expect(
      message("Large")
        == #"cannot read the time zone file "FOLDER/Large": it has more than 1048576 bytes"#)
    let loop = self.folder.appending(path: "Loop")
    try FileManager.default.createSymbolicLink(at: loop, withDestinationURL: loop)
    #expect(
      message("Loop")
        == #"cannot read the time zone file "FOLDER/Loop": Too many levels of symbolic links"#)
  }

  @Test func aPipeIsNotWaitedFor() throws {
    try self.write("UTC", Data())
    #expect(mkfifo("\(self.path)/Pipe", 0o600) == 0)
    let database = TimeZoneDatabase(directories: [self.path])
    #expect(throws: TimeZoneError.unknown("Pipe")) { try database.zone("Pipe") }
  }

  @Test func directoriesAreSearchedInOrder() throws {
    try self.write("Etc/Here", try self.zoneFile("Asia/Tokyo"))
    let database = TimeZoneDatabase(directories: ["/nowhere", self.path, self.system])
    #expect(try database.zone("Etc/Here").changes == database.zone("Asia/Tokyo").changes)
  }

  @Test func aZoneIsReadOnce() throws {
    try self.write("Zone", try self.zoneFile("Asia/Tokyo"))
    let database = TimeZoneDatabase(directories: [self.path])
    let zone = try database.zone("Zone")
    try self.write("Zone", try self.zoneFile("Europe/Berlin"))
    #expect(try database.zone("Zone") == zone)
    // The cache is emptied when it is full.
    for number in 0..<64 {
      try self.write("\(number)", try self.zoneFile("UTC"))
      _ = try database.zone("\(number)")
    }
    #expect(try database.zone("Zone") != zone)
  }

  @Test func threadsShareADatabase() async throws {
    let database = TimeZoneDatabase(directories: [self.system])
    let names = ["Europe/Berlin", "Asia/Tokyo", "America/New_York", "Pacific/Apia"]
    let zones = try names.map { try TimeZoneDatabase(directories: [self.system]).zone($0) }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<400 {
        let expected = zones[number % zones.count]
        group.addTask { try database.zone(expected.name) == expected }
      }
      for try await isExpected in group { #expect(isExpected) }
    }
  }

  /// A value of TZ, and the name of its zone.
  @Test(arguments: [
    ("", "UTC"), (":", "UTC"), ("Asia/Tokyo", "Asia/Tokyo"), (":Asia/Tokyo", "Asia/Tokyo"),
    ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"), ("JST-9", "JST-9"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "CET-1CEST,M3.5.0,M10.5.0/3"),
  ])
  func theVariableNamesAZone(_ variable: String, _ name: String) throws {
    let database = TimeZoneDatabase(directories: [self.system])
    #expect(try TimeZone(variable: variable, database).name == name)
  }

  @Test(arguments: ["Mars", "/nowhere", "/nowhere/zoneinfo/Mars", "../UTC"])
  func aWrongVariableIsAnError(_ variable: String) {
    let database = TimeZoneDatabase(directories: [self.system])
    #expect(throws: TimeZoneError.unknown(variable)) {
      try TimeZone(variable: variable, database)
    }
  }

  @Test func theVariableCanNameAFile() throws {
    try self.write("copy", try self.zoneFile("Asia/Tokyo"))
    let database = TimeZoneDatabase(directories: [self.system])
    let zone = try TimeZone(variable: ":\(self.path)/copy", database)
    #expect(zone.name == "\(self.path)/copy")
    #expect(zone.offset(at: Timestamp(milliseconds: 0)) == 32_400)
  }

  @Test func theFileOfTheSystemIsALinkOrACopy() throws {
    let database = TimeZoneDatabase(directories: [self.system])
    let file = "\(self.path)/localtime"
    #expect(try TimeZone(localFile: file, database) == .utc)
    try self.write("localtime", try self.zoneFile("Asia/Tokyo"))
    #expect(try TimeZone(localFile: file, database).name == file)
    #expect(
      try TimeZone(localFile: file, database).offset(at: Timestamp(milliseconds: 0)) == 32_400)
    for target in ["/usr/share/zoneinfo/Asia/Tokyo", "../usr/share/zoneinfo/Asia/Tokyo"] {
      try FileManager.default.removeItem(atPath: file)
      try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
      #expect(try TimeZone(localFile: file, database).name == "Asia/Tokyo")
    }
  }

  @Test func theSystemHasAZone() throws {
    #expect(try TimeZone.system == TimeZone.system)
  }
}
