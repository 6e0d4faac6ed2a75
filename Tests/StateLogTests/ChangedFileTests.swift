import StateLog
import TestSupport
import Testing

/// What another program does to the file of an open log.
enum FileChange: CaseIterable {
  case delete, replace, shorten, lengthen, overwrite

  func apply(to files: MemoryFiles) throws {
    var content = try #require(files.content(of: TestLog.path))
    switch self {
    case .delete: return files.setContent(of: TestLog.path, to: nil)
    // With the same content.
    case .replace: files.setContent(of: TestLog.path, to: nil)
    case .shorten: content.removeLast(40)
    case .lengthen: content += content
    // With another log of the same length.
    case .overwrite: content = try #require(files.content(of: "y.imd"))
    }
    files.setContent(of: TestLog.path, to: content)
  }

  var error: LogError {
    let how =
      switch self {
      case .delete, .replace: "deleted, moved or replaced"
      case .shorten, .lengthen, .overwrite: "overwritten or shortened"
      }
    return LogError(
      .io, "\"x.imd\" was \(how) while it was open; put it back, or open it again")
  }
}

@Suite struct ChangedFileTests {
  private let files = MemoryFiles()

  /// A log, and another one of the same length.
  private func makeLog(_ durability: LogDurability) throws -> TestLog {
    self.files.setContent(of: "y.imd", to: try self.contentOfOther(durability))
    var log = try TestLog(self.files, "x.imd", durability)
    try log.add(1...2)
    return log
  }

  private func contentOfOther(_ durability: LogDurability) throws -> [UInt8] {
    var log = try TestLog(self.files, "y.imd", durability)
    try log.add(1...2)
    try log.log.sync()
    return try #require(self.files.content(of: "y.imd"))
  }

  @Test(arguments: FileChange.allCases, [LogDurability.normal, .full])
  func theNextWriteFindsIt(_ change: FileChange, _ durability: LogDurability) throws {
    var log = try self.makeLog(durability)
    try log.log.sync()
    try change.apply(to: self.files)
    let content = self.files.content(of: "x.imd")
    let found = error { try log.add(3...3) }
    if change == .overwrite, durability == .normal {
      #expect(found == nil)
    } else {
      #expect(found == change.error)
      #expect(self.files.content(of: "x.imd") == content)
      #expect(error { try log.log.waitForRoom() } == change.error)
    }
    if change != .overwrite || durability == .full {
      #expect(error { try log.log.sync() } == change.error)
      #expect(log.log.problem == change.error)
      #expect(log.log.close() == change.error)
      #expect(self.files.content(of: "x.imd") == content)
    }
  }

  /// What is not known to be on the disk is still in memory.
  @Test func aSyncWritesWhatWasCutOff() throws {
    var log = try self.makeLog(.normal)
    try FileChange.shorten.apply(to: self.files)
    #expect(error { try log.add(3...3) } == FileChange.shorten.error)
    try log.log.sync()
    #expect(log.log.problem == nil)
    log.log.close()
    #expect(try TestLog(self.files).state == texts(1...3))
  }

  /// Also when all is on the disk.
  @Test(arguments: FileChange.allCases, LogDurability.allCases)
  func aSyncFindsIt(_ change: FileChange, _ durability: LogDurability) throws {
    let log = try self.makeLog(durability)
    try log.log.sync()
    try change.apply(to: self.files)
    #expect(error { try log.log.sync() } == change.error)
    #expect(log.log.problem == change.error)
  }

  @Test(arguments: FileChange.allCases, LogDurability.allCases)
  func closingFindsIt(_ change: FileChange, _ durability: LogDurability) throws {
    let log = try self.makeLog(durability)
    try log.log.sync()
    try change.apply(to: self.files)
    let content = self.files.content(of: "x.imd")
    #expect(log.log.close() == change.error)
    #expect(self.files.content(of: "x.imd") == content)
  }

  @Test(arguments: [true, false], LogDurability.allCases)
  func aFileThatIsPutBackIsWrittenAgain(_ isMoved: Bool, _ durability: LogDurability) throws {
    var log = try self.makeLog(durability)
    try log.log.sync()
    let content = try #require(self.files.content(of: "x.imd"))
    if isMoved {
      try self.files.rename("x.imd", to: "z.imd")
    } else {
      self.files.setContent(of: "x.imd", to: [])
    }
    #expect(throws: LogError.self) {
      try log.add(3...3)
      try log.log.sync()
    }
    #expect(log.log.problem != nil)
    if isMoved {
      try self.files.rename("z.imd", to: "x.imd")
    } else {
      self.files.setContent(of: "x.imd", to: content)
    }
    try log.log.sync()
    #expect(log.log.problem == nil)
    try log.add(4...4)
    #expect(log.log.close() == nil)
    #expect(try TestLog(self.files).state == texts(1...4))
  }

  // MARK: Followers

  @Test(arguments: [FileChange.delete, .shorten, .overwrite])
  func aFollowerFindsIt(_ change: FileChange) throws {
    let log = try self.makeLog(.normal)
    defer { log.log.close() }
    let reader = try TestLog(self.files) { $0.isReadOnly = true }
    try change.apply(to: self.files)
    let found = error {
      try reader.log.entries { _ in }
      _ = try reader.log.isReplaced()
    }
    switch change {
    case .shorten:
      let size = try #require(self.files.content(of: "x.imd")).count
      #expect(
        found
          == LogError(
            .corrupt,
            "\"x.imd\" has \(size) bytes, but had \(size + 40) when it was read before; open it "
              + "again"
          ))
    default: #expect(found == change.error)
    }
  }
}
