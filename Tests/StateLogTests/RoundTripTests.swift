import ImmutableJSON
import StateLog
import TestSupport
import Testing
import Glibc

@Suite struct RoundTripTests {
  @Test(arguments: [LogDurability.full, .normal, .none])
  func whatWasAppendedIsThereAfterwards(_ durability: LogDurability) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    var log = try TestLog(SystemFiles(), path, durability)
    try log.add(1...3)
    log.log.close()

    log = try TestLog(SystemFiles(), path, durability)
    #expect(log.state == texts(1...3))
    try log.add(4...5)
    log.log.close()

    log = try TestLog(SystemFiles(), path, durability)
    #expect(log.state == texts(1...5))
    #expect(log.number == 5)
    #expect(log.log.statistics.cutBytes == 0)
    log.log.close()
    #expect(folder.names == ["x.imd"])
  }

  /// Shorter and longer than what is read at once.
  @Test func entriesHaveAnyLength() throws {
    var generator = SeededGenerator(1)
    let files = MemoryFiles()
    var log = try TestLog(files)
    for _ in 0..<40 {
      let size = 1 << Int.random(in: 0..<20, using: &generator)
      try log.append("\"" + String(repeating: "x", count: size) + "\"")
    }
    log.log.close()
    #expect(try TestLog(files).state == log.state)
  }

  @Test func theOtherFilesHaveTheModeOfTheLog() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    var log = try TestLog(SystemFiles(), path)
    let file = log.log
    file.setSnapshotSource { [unowned file] in (file.position, 1) }
    try log.append("\"" + String(repeating: "x", count: 5000) + "\"")
    #expect(chmod(path, 0o640) == 0)
    file.close()
    try folder.write(
      String(decoding: try #require(content(of: path)), as: UTF8.self) + "x", to: "x.imd")
    _ = try TestLog(SystemFiles(), path)
    for name in ["x.imd", "x.imd-cut", "x.imd-snapshot"] {
      #expect(mode(of: folder.file(name)) == 0o640, "\(name)")
    }
  }

  @Test func aLogThatIsWrittenAnewKeepsItsMode() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    var log = try TestLog(SystemFiles(), path)
    try log.add(1...3)
    #expect(chmod(path, 0o600) == 0)
    var rewriting = LogRewriting { _ in (["state": []], 3) }
    rewriting.check = { #expect(mode(of: $0) == 0o600) }
    #expect(try log.log.rewrite(rewriting) == 0)
    #expect(mode(of: path) == 0o600)
    log.log.close()
  }

  @Test func aLogWithoutWhatIsDamagedKeepsItsMode() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("x.imd")
    var log = try TestLog(SystemFiles(), path)
    try log.add(1...3)
    log.log.close()
    let text = String(decoding: try #require(content(of: path)), as: UTF8.self)
    let start = try #require(text.firstRange(of: "\"actions\":[1]")).lowerBound
    try folder.write(text[..<start] + "\"actions\":[7]" + text[start...].dropFirst(13), to: "x.imd")
    #expect(chmod(path, 0o600) == 0)
    var settings = LogSettings()
    settings.hasThread = false
    try LogFile.recover(path, settings)
    #expect(folder.names == ["x.imd", "x.imd-damaged"])
    for name in folder.names { #expect(mode(of: folder.file(name)) == 0o600, "\(name)") }
  }

  @Test func theFormatIsStable() throws {
    let files = MemoryFiles()
    var log = try TestLog(files, TestLog.path, .full) { settings in
      (settings.application, settings.domain) = ("board", "counter")
      (settings.engine, settings.options) = ("0.1.0", ["history": 10])
    }
    try log.append("[{\"type\":\"a\"}]")
    try log.log.wait(upTo: 1)
    try log.append("{\"kind\":\"undone\",\"present\":0}", .jump)
    try log.log.append(.options, 2, "{}")
    log.log.close()
    let text = String(decoding: try #require(files.content(of: TestLog.path)), as: UTF8.self)
    #expect(text.hasPrefix(Self.text))
    #expect(text.hasSuffix(",\"closed\":true}\n"))
  }

  /// Its sums agree with those of another implementation.
  private static let text = #"""
    {"sum":"1d585735","data":"1a6736ef","log":{"application":"board","domain":"counter",\#
    "engine":"0.1.0","format":1,"options":{"history":10},\#
    "origin":"c1675e0bb980a575a89661fec08aa83b","version":1}}
    {"sum":"32e112e7","data":"0e091965","number":0,"synced":0,"time":1700000000001,\#
    "base":{"state":[]}}
    {"sum":"b933d7e3","data":"8257cf1d","number":1,"synced":295,"time":1000,\#
    "actions":[{"type":"a"}]}
    {"sum":"03c40b68","data":"88f01808","number":2,"synced":393,"time":1000,\#
    "jump":{"kind":"undone","present":0}}
    {"sum":"94021925","data":"297bd0aa","number":2,"synced":393,"time":1000,"options":{}}

    """#
}

private func mode(of path: String) -> mode_t? {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}
