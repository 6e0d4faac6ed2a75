import StateLog
import TestSupport
import Testing
import Glibc

@Suite struct OpeningTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.file("x.imd")
  }

  private var content: [UInt8]? {
    TestSupport.content(of: self.path)
  }

  private func openingError(
    _ path: String? = nil, _ change: (inout LogSettings) -> Void = { _ in }
  ) -> LogError? {
    error { _ = try TestLog(SystemFiles(), path ?? self.path, change: change) }
  }

  // MARK: Other files

  @Test(arguments: [
    ("", "is not a log: it is empty; choose another path"),
    ("{\"a\":1}\n", "is not a log: it does not begin as one; choose another path"),
    ("{\"sum\":\"", "is not a log: it does not begin as one; choose another path"),
    ("SQLite format 3\0", "is not a log: it does not begin as one; choose another path"),
    (
      "{\"sum\":\"00000000\"}\n",
      "is damaged in line 1, at byte 0 (its checksum is wrong); restore it from a backup"
    ),
  ])
  func anotherFileIsRefused(_ content: String, _ message: String) throws {
    try self.folder.write(content, to: "x.imd")
    let before = self.content
    for isReadOnly in [false, true] {
      let error = self.openingError { $0.isReadOnly = isReadOnly }
      #expect(error == LogError(.corrupt, "\"\(self.path)\" \(message)"))
    }
    #expect(self.content == before)
    #expect(self.folder.names == ["x.imd"])
  }

  @Test func aNewerFormatIsRefused() throws {
    // Made like a log of this format.
    let line = """
      {"sum":"8834ae4e","data":"fe1cb7b7","log":{"format":3,"new":[]}}

      """
    try self.folder.write(line, to: "x.imd")
    #expect(
      self.openingError()
        == LogError(
          .corrupt,
          "\"\(self.path)\" has format 3, but this library reads format 2; "
            + "use a newer version of the library"))
    #expect(self.content == Array(line.utf8))
  }

  @Test func aLogOfAnotherKindIsRefused() throws {
    func make(_ settings: inout LogSettings) {
      (settings.application, settings.domain, settings.version) = ("board", "counter", 2)
    }
    try TestLog(SystemFiles(), self.path, change: make).log.close()
    let before = self.content
    func message(_ change: @escaping (inout LogSettings) -> Void) -> String? {
      let error = self.openingError { settings in
        make(&settings)
        change(&settings)
      }
      #expect(error?.code == .invalid)
      return error?.message
    }
    let log = "\"\(self.path)\" is a log of "
    #expect(
      message { $0.application = "notes" } == log + "the application \"board\", not \"notes\"")
    #expect(message { $0.domain = "animals" } == log + "the domain \"counter\", not \"animals\"")
    #expect(
      message { $0.domain = nil } == log + "the domain \"counter\", not a program's own reducer")
    #expect(
      message { $0.version = 3 }
        == "\"\(self.path)\" has the version 2, but the program has 3; migrate it first")
    #expect(self.content == before)
    // A program that does not say what it is opens any.
    let opened = try TestLog(SystemFiles(), self.path) { settings in
      make(&settings)
      settings.application = nil
    }
    #expect(opened.log.header.application == "board")
  }

  @Test func aLogWithoutANameIsOfNoApplication() throws {
    try TestLog(SystemFiles(), self.path).log.close()
    #expect(
      self.openingError { $0.application = "board" }?.message
        == "\"\(self.path)\" is a log of the application without a name, not \"board\"")
    #expect(
      self.openingError { $0.domain = "counter" }?.message
        == "\"\(self.path)\" is a log of the domain of a program's own reducer, not \"counter\"")
  }

  // MARK: What is no file

  @Test(arguments: ["", "-new", "-cut", "-snapshot"])
  func whatIsNoFileIsRefusedWithoutWaiting(_ suffix: String) throws {
    if suffix != "" { try self.makeTornLog() }
    if suffix == "-new" { unlink(self.path) }
    let path = self.path + suffix
    let makers: [(String, () -> Int32)] = [
      ("it is not a regular file", { mkfifo(path, 0o666) }),
      ("it is not a regular file", { mkdir(path, 0o777) }),
      ("it is a symbolic link", { symlink(self.path + "-none", path) }),
    ]
    for (reason, make) in makers {
      #expect(make() == 0)
      defer {
        unlink(path)
        rmdir(path)
      }
      let error = self.openingError()
      switch suffix {
      case "-snapshot":
        #expect(error == nil)
        try self.makeTornLog()
      // It cannot be removed, unlike what a process left there.
      default:
        #expect(error == LogError(.io, "cannot open \"\(path)\": \(reason)"))
      }
    }
  }

  /// A log whose last line is not complete.
  private func makeTornLog() throws {
    unlink(self.path)
    unlink(self.path + "-cut")
    var log = try TestLog(SystemFiles(), self.path)
    try log.add(1...2)
    log.log.close()
    let whole = try #require(self.content)
    try self.folder.write(String(decoding: whole.dropLast(5), as: UTF8.self), to: "x.imd")
  }

  @Test func aLinkToALogIsFollowed() throws {
    let link = self.folder.file("link")
    #expect(symlink("x.imd", link) == 0)
    var log = try TestLog(SystemFiles(), self.path)
    try log.add(1...2)
    log.log.close()
    log = try TestLog(SystemFiles(), link)
    #expect(log.log.path.hasSuffix("/x.imd"))
    #expect(log.state == texts(1...2))
  }

  @Test func aMissingFolderIsNamed() {
    #expect(
      self.openingError(self.folder.file("none/x.imd"))
        == LogError(
          .io, "cannot open \"\(self.folder.file("none"))\": No such file or directory"))
    #expect(self.openingError("")?.code == .io)
    #expect(self.openingError("a\0b")?.code == .io)
    #expect(self.openingError(self.folder.path)?.code == .io)
  }

  @Test func aLogThatIsReadMustExist() {
    #expect(
      self.openingError { $0.isReadOnly = true }
        == LogError(.io, "cannot open \"\(self.path)\": No such file or directory"))
    #expect(self.folder.names == [])
  }

  // MARK: Locks

  @Test func oneProcessWrites() throws {
    var log = try TestLog(SystemFiles(), self.path)
    try log.add(1...1)
    #expect(
      self.openingError()
        == LogError(.io, "cannot open \"\(self.path)\": this process has it open already"))
    // Others read.
    let reader = try TestLog(SystemFiles(), self.path) { $0.isReadOnly = true }
    #expect(reader.state == texts(1...1))
    try log.add(2...2)
    log.log.close()
    #expect(try TestLog(SystemFiles(), self.path).state == texts(1...2))
  }

  @Test func aProcessThatEndsUnlocksTheFile() throws {
    let files = MemoryFiles()
    var log = try TestLog(files)
    try log.add(1...1)
    #expect(
      error { _ = try TestLog(files) }
        == LogError(.io, "cannot open \"x.imd\": this process has it open already"))
    files.killProcess()
    #expect(try TestLog(files).state == texts(1...1))
  }

  // MARK: New logs

  @Test func aNewLogGetsItsNameWhenItIsOnTheDisk() throws {
    let files = MemoryFiles()
    files.record()
    _ = try TestLog(files)
    let content = try #require(files.syncedContent(of: "x.imd"))
    #expect(
      files.calls.prefix(10) == [
        .open("x.imd", .write), .open("x.imd-new", .write), .open("x.imd-new", .create),
        .lock("x.imd-new"),
        .write("x.imd-new", count: content.count), .sync("x.imd-new"), .link("x.imd-new"),
        .remove("x.imd-new"), .syncFolder, .open("x.imd-snapshot", .read),
      ])
    files.cutPower()
    #expect(try TestLog(files).state == [])
    #expect(files.content(of: "x.imd") == content)
  }

  /// At each call.
  @Test func aNewLogThatFailsLeavesNoHalfOfOne() throws {
    for number in 0..<9 {
      let files = MemoryFiles()
      let count = Recorder<Int>()
      files.setFault { call in
        if case .read = call { return nil }
        count.append(0)
        return count.all.count == number + 1 ? MemoryFiles.Fault() : nil
      }
      let opened = Result { try TestLog(files) }
      files.setFault(nil)
      if case .failure(let error as LogError) = opened { #expect(error.code == .io) }
      files.killProcess()
      #expect(try TestLog(files).state == [])
      #expect(files.paths == ["x.imd"])
    }
  }

  @Test func whatAnotherProcessLeftIsRemoved() throws {
    let files = MemoryFiles()
    for suffix in ["-new", "-snapshot-new"] {
      files.setContent(of: "x.imd" + suffix, to: [1, 2, 3])
    }
    _ = try TestLog(files)
    #expect(files.paths == ["x.imd", "x.imd-snapshot-new"])
    files.killProcess()
    _ = try TestLog(files)
    #expect(files.paths == ["x.imd"])
  }

  /// Two processes find no log, and one of them makes it first.
  @Test func aLogThatAppearsMeanwhileIsOpened() throws {
    let files = MemoryFiles()
    let content = MemoryFiles()
    var made = try TestLog(content)
    try made.add(1...3)
    made.log.close()
    let bytes = try #require(content.content(of: "x.imd"))
    files.setFault { call in
      if case .link = call { files.setContent(of: "x.imd", to: bytes) }
      return nil
    }
    #expect(try TestLog(files).state == texts(1...3))
    #expect(files.content(of: "x.imd") == bytes)
  }

  @Test func aLogThatIsReplacedIsOpenedAnew() throws {
    let files = MemoryFiles()
    var log = try TestLog(files)
    try log.add(1...2)
    log.log.close()
    let old = try #require(files.content(of: "x.imd"))
    let isReplaced = Recorder<Bool>()
    files.setFault { call in
      if case .lock = call, isReplaced.all.isEmpty {
        isReplaced.append(true)
        files.setContent(of: "x.imd", to: nil)
        files.setContent(of: "x.imd", to: old)
      }
      return nil
    }
    log = try TestLog(files)
    #expect(log.state == texts(1...2))
    try log.add(3...3)
    log.log.close()
    #expect(files.content(of: "x.imd")?.count ?? 0 > old.count)
  }
}

extension TestLog {
  init(
    _ files: any FileSystem, _ path: String, change: (inout LogSettings) -> Void
  ) throws {
    try self.init(files, path, .normal, change: change)
  }
}
