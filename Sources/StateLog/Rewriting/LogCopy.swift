import ImmutableJSON

/// A log that is written anew in a file beside the old one, and then takes its place.
struct LogCopy {
  let file: any File
  private(set) var content = LogContent()
  private(set) var redacted = 0
  /// Whether the name of the file is known to be on the disk.
  private(set) var isNameSynced = false

  private let files: any FileSystem
  private let side: SideFiles
  /// The path until it replaces the log.
  private let path: String
  /// Reads what was written.
  private var reader: LogFile?

  private var lines = LineWriter()
  private let time: Int64
  /// Whether an entry stays, and all after it.
  private var isKeeping = false
  /// The number of the base.
  private var number = 0
  /// Whether it is a shared log, and whether the old one was another kind.
  private var isShared = false
  private var isConverted = false
  /// Where the lines that were not written begin.
  private var offset = 0

  /// Makes the file.
  init(
    of log: any File, path: String, _ origin: String, _ files: any FileSystem, _ time: Int64
  ) throws(LogError) {
    (self.files, self.time) = (files, time)
    self.side = SideFiles(files: files, path: path, log: log, leftover: .copy(origin: origin))
    (self.path, self.file) = try self.side.createLocked("-new")
  }
}

// MARK: Writing

extension LogCopy {
  /// Copies the lines that a scan of the old log has now.
  ///
  /// - Parameter mayGoOn: Throws if it shall not go on. Called now and then.
  mutating func copy(
    _ scan: LogScan, _ rewriting: LogRewriting, mayGoOn: () throws -> Void = {}
  ) throws {
    while let line = try scan.next() {
      try self.copy(line, rewriting)
      if self.lines.bytes.count > 1 << 18 {
        try self.flush()
        try mayGoOn()
      }
    }
    try self.flush()
  }

  private mutating func copy(_ line: LogLine, _ rewriting: LogRewriting) throws {
    switch line.kind {
    case .log:
      self.lines.write(header: try self.header(line, rewriting))
    case .base:
      let base = try rewriting.base(line)
      self.number = base.number
      base.data.withJSON { data in
        self.content.start.text = data.count
        self.write(.base, base.number, self.time, 0, data, Checksum(data))
      }
      self.content.base = self.lines.sum
    case .actions, .jump, .history, .options, .opened, .withdrawn, .state:
      self.isKeeping = self.isKeeping || rewriting.keeps(line)
      guard try self.isKeeping || self.keepsName(line, rewriting), self.hasPlace(for: line) else {
        return
      }
      if !line.isRedacted, try rewriting.redacts(line) {
        self.redacted += 1
        var marker = LineWriter.redaction
        marker.withUTF8 {
          self.write(
            line.kind, line.number, line.time, line.writer, UnsafeRawBufferPointer($0),
            line.dataSum)
        }
      } else if !line.isRedacted, let data = try rewriting.change(line) {
        data.withJSON {
          self.write(line.kind, line.number, line.time, line.writer, $0, Checksum($0))
        }
      } else {
        self.write(line.kind, line.number, line.time, line.writer, line.data, line.dataSum)
      }
      if self.content.first == nil, self.isKeeping {
        self.content.first = EntryPlace(
          number: line.number, time: line.time, offset: self.content.last.start)
      }
    case .snapshot, .closed: break
    }
    self.content.last.number = max(self.number, line.number)
    if line.number <= self.number { self.content.start.end = self.content.last.end }
  }

  /// Copies lines that were not written to the old log. All stay.
  mutating func copy(_ lines: [UInt8], _ rewriting: LogRewriting) throws {
    self.isKeeping = true
    try lines.withUnsafeBytes { bytes in
      for part in bytes.split(separator: UInt8(ascii: "\n")) {
        guard let line = LogLine(UnsafeRawBufferPointer(rebasing: part)) else { continue }
        try self.copy(line, rewriting)
      }
    }
    try self.flush()
  }

  private mutating func header(_ line: LogLine, _ rewriting: LogRewriting) throws -> Value {
    let value = try line.value()
    guard var header = LogHeader(value) else { return value }
    self.isShared = rewriting.isShared ?? header.isShared
    self.isConverted = self.isShared != header.isShared
    guard self.isConverted || rewriting.version != nil else { return value }
    if let version = rewriting.version {
      header.migratedFrom = header.migratedFrom ?? header.version
      header.version = version
    }
    if self.isConverted {
      (header.isShared, header.options) = (self.isShared, rewriting.options)
    }
    return header.value
  }

  /// Whether an entry stays as a record of who writes. What is not only a record would be repeated
  /// without what follows it.
  private func keepsName(_ line: LogLine, _ rewriting: LogRewriting) throws -> Bool {
    try line.kind == .opened && line.number < self.number && rewriting.keepsName(line.writer)
  }

  /// Whether an entry that stays can be in a log of the other kind. One of one writer has no lines
  /// that say who writes. Marks and options after the last commit would be repeated after the base,
  /// which has them, as those of another writer.
  private func hasPlace(for line: LogLine) -> Bool {
    guard self.isConverted else { return true }
    if line.kind == .opened { return false }
    return line.kind.isCommit || line.number < self.number
  }

  /// The whole file is on the disk before it gets its name, so each line says so of all before it.
  private mutating func write(
    _ kind: LineKind, _ number: Int, _ time: Int64, _ writer: Int,
    _ data: UnsafeRawBufferPointer, _ dataSum: Checksum
  ) {
    let start = self.lines.bytes.count
    self.lines.write(
      kind, number: number, synced: self.offset + start, time: time,
      writer: self.isShared ? writer : 0, data, sum: dataSum)
    self.content.last.start = self.offset + start
    self.content.last.end = self.offset + self.lines.bytes.count
    self.content.last.sum = self.lines.sum
  }

  private mutating func flush() throws(LogError) {
    let (lines, offset) = (self.lines.bytes, self.offset)
    try self.file.write(lines, at: offset)
    self.offset += lines.count
    self.lines.bytes.removeAll(keepingCapacity: true)
  }
}

// MARK: Taking the place of the log

extension LogCopy {
  /// Syncs what was written, and reads it back.
  ///
  /// - Parameter check: Called with the path of the file.
  mutating func finish(_ check: (String) throws -> Void) throws {
    try self.sync()
    try check(self.path)
  }

  /// Syncs what was written, and reads it back as opening it does.
  mutating func sync() throws {
    try self.file.sync()
    let reader: LogFile
    if let open = self.reader {
      reader = open
    } else {
      var settings = LogSettings()
      settings.isReadOnly = true
      let opened = try LogFile.readHeader(self.file, self.path)
      reader = LogFile(opened, path: self.path, settings, self.files)
      _ = try reader.start(usesSnapshot: false)
      self.reader = reader
    }
    // Their checksums are those of the lines that were copied.
    try reader.entries { _ in }
    let position = reader.progress.position
    guard position.end == self.content.last.end, position.sum == self.content.last.sum else {
      throw LogError(
        .io,
        "cannot write " + quotedPath(self.path) + ": it does not read back as it was written")
    }
  }

  /// Gives the file the path of the log.
  mutating func replace() throws(LogError) {
    // Before: the snapshot may have what must be forgotten, and must not stay if it cannot be
    // removed.
    try self.side.clear(self.side.path + "-snapshot")
    try self.files.rename(self.path, to: self.side.path)
    self.reader = nil
  }

  /// Brings the path to the disk. If that fails, the next sync of the log tries again.
  mutating func syncName() {
    self.isNameSynced = (try? self.files.syncFolder(of: self.side.path)) != nil
  }

  func remove() {
    try? self.files.remove(self.path)
  }
}
