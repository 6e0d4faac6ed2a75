import ImmutableJSON

/// A log whose first line was read.
struct OpenedFile {
  /// At the second line.
  let scan: LogScan
  let header: LogHeader
  /// `nil` unless other stores may write to it, too.
  var share: LogShare?
  /// What keeps other stores from a shared log; `nil` for any that is not open alone.
  var exclusion: LogShare?
  /// Whether the name of the file is known to be on the disk.
  var isNameSynced = false
}

extension LogFile {
  /// Opens a log, or makes it if there is no file.
  ///
  /// - Parameter base: Returns the base of a new log: the data of its second line.
  /// - Throws: ``LogError``.
  package static func open(
    _ path: String, _ settings: LogSettings, files: any FileSystem = SystemFiles(),
    base: () throws(LogError) -> Value
  ) throws(LogError) -> LogFile {
    let path = try files.resolve(path)
    // A log that is not shared gets no file of locks.
    let isShared: Bool
    if settings.isShared || settings.isAlone {
      let header = try self.header(path, files: files)
      try header?.check(settings, path)
      isShared = settings.isShared || header?.isShared == true
    } else {
      isShared = false
    }
    let share = isShared ? try LogShare(path, files, isAlone: settings.isAlone) : nil
    // Other processes may make, replace or remove the file meanwhile.
    for _ in 0..<100 {
      if var opened = try self.openExisting(path, settings, files) {
        if settings.isAlone {
          // Another process has made it a shared one.
          guard share != nil || !opened.header.isShared else { break }
          opened.exclusion = share
        } else {
          opened.share = share
        }
        if !settings.isReadOnly { try self.clearLeftovers(opened, path, files) }
        return LogFile(opened, path: path, settings, files)
      }
      if settings.isReadOnly { throw .missing(path) }
      // Nobody else makes it, or what is written anew, under the same name.
      try share?.wait(for: .rewriting)
      defer { share?.release(.rewriting) }
      if var opened = try self.create(path, settings, files, base) {
        opened.share = share
        return LogFile(opened, path: path, settings, files)
      }
    }
    throw LogError(.io, "cannot open " + quotedPath(path) + ": other processes keep replacing it")
  }

  /// - Returns: `nil` if there is no file, or another one now.
  private static func openExisting(
    _ path: String, _ settings: LogSettings, _ files: any FileSystem
  ) throws(LogError) -> OpenedFile? {
    guard let file = try self.open(path, settings.isReadOnly ? .read : .write, files) else {
      return nil
    }
    let opened = try self.readHeader(file, path)
    try opened.header.check(settings, path)
    if settings.isReadOnly || settings.isShared && !settings.isAlone { return opened }
    switch try self.lock(file, path, files) {
    case .taken: throw self.locked(path, file, files)
    case .stale: return nil
    case .locked: break
    }
    return opened
  }

  /// Removes what was being made when a process ended.
  private static func clearLeftovers(
    _ log: OpenedFile, _ path: String, _ files: any FileSystem
  ) throws(LogError) {
    let side = SideFiles(
      files: files, path: path, log: log.scan.reader.file,
      leftover: .copy(origin: log.header.origin))
    guard let share = log.share else {
      for name in [path + "-new", path + "-snapshot-new"] { _ = try? side.clear(name) }
      return
    }
    // Another store may be making it.
    guard try share.take(.rewriting) else { return }
    defer { share.release(.rewriting) }
    _ = try? side.clear(path + "-new")
  }

  /// - Returns: `nil` if there is no file.
  static func open(
    _ path: String, _ mode: OpenMode, _ files: any FileSystem
  ) throws(LogError) -> (any File)? {
    do throws(LogError) {
      return try files.open(path, mode)
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }
}

// MARK: Locks

extension LogFile {
  private enum LockResult {
    case locked
    /// Another one has it locked.
    case taken
    /// Another file has the path now, or none.
    case stale
  }

  private static func lock(
    _ file: any File, _ path: String, _ files: any FileSystem
  ) throws(LogError) -> LockResult {
    guard try file.lock() else { return .taken }
    return try files.status(of: path)?.identity == file.identity ? .locked : .stale
  }

  private static func locked(
    _ path: String, _ file: any File, _ files: any FileSystem
  ) -> LogError {
    let process = files.holder(of: file.identity, byte: nil)?.process
    return .locked(path, by: process, isCurrent: process == files.process)
  }
}

// MARK: New logs

extension LogFile {
  /// Makes a log. It gets its name when it is complete and on the disk.
  ///
  /// - Returns: `nil` if another process does the same, or left something.
  private static func create(
    _ path: String, _ settings: LogSettings, _ files: any FileSystem,
    _ base: () throws(LogError) -> Value
  ) throws(LogError) -> OpenedFile? {
    let header = LogHeader(
      application: settings.application, domain: settings.domain, version: settings.version,
      origin: LogHeader.origin(files.randomBits(128)), engine: settings.engine,
      options: settings.options, isShared: settings.isShared)
    let base = try base().withJSON { Array($0) }
    let side = SideFiles(files: files, path: path, leftover: .new(header: header, base: base))
    let (new, file) = try side.create("-new")
    guard try self.lock(file, new, files) == .locked else { return nil }
    do throws(LogError) {
      try self.write(header, base, to: file, files)
      try files.link(new, to: path)
    } catch {
      try? files.remove(new)
      if error.isTaken { return nil }
      throw error
    }
    try? files.remove(new)
    try files.syncFolder(of: path)
    var opened = try self.readHeader(file, path)
    opened.isNameSynced = true
    return opened
  }

  private static func write(
    _ header: LogHeader, _ base: [UInt8], to file: any File, _ files: any FileSystem
  ) throws(LogError) {
    var lines = LineWriter()
    lines.write(header: header.value)
    base.withUnsafeBytes { lines.write(.base, number: 0, synced: 0, time: files.time, $0) }
    try file.write(lines.bytes, at: 0)
    try file.sync()
  }
}

extension File {
  func write(_ bytes: [UInt8], at offset: Int) throws(LogError) {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(LogError) in try self.write(bytes, at: offset) }
    }.get()
  }
}
