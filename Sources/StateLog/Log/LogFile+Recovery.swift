import ImmutableJSON

extension LogFile {
  /// Replaces a log that is damaged by one with the lines before the damage, if it has at least a base.
  /// The damaged one gets another name.
  ///
  /// - Throws: ``LogError``: as opening the log, except for a damage behind the base.
  package static func recover(
    _ path: String, _ settings: LogSettings, files: any FileSystem = SystemFiles()
  ) throws {
    guard try self.headerIfThere(path, files: files) != nil else { return }
    let log = try self.open(path, settings, files: files) { () throws(LogError) in .null }
    defer { log.close() }
    do {
      _ = try log.start()
      try log.entries { _ in }
    } catch let error as LogError where error.code == .corrupt {
      try log.replaceByLinesBeforeDamage(error)
    }
  }

  private func replaceByLinesBeforeDamage(_ error: LogError) throws {
    guard let file = self.reader?.file else { throw error }
    let scan = LogScan(file, path: self.path)
    do {
      while try scan.next() != nil {}
    } catch {}
    guard scan.hasBase else { throw error }
    let new = self.path + "-new"
    try? self.files.remove(new)
    let copy = try self.files.open(new, .create)
    var offset = 0
    while offset < scan.end {
      let bytes = try file.bytes(offset..<min(offset + 1 << 18, scan.end))
      try copy.write(bytes, at: offset)
      offset += bytes.count
    }
    try copy.sync()
    do {
      try self.keepDamaged()
    } catch {
      try? self.files.remove(new)
      throw error
    }
    try self.files.rename(new, to: self.path)
    try self.files.syncFolder(of: self.path)
    // It may be of a later state.
    try? self.files.remove(self.path + "-snapshot")
  }

  /// Gives the damaged file another name: `PATH-damaged`, or `PATH-damaged-2` if there is one, and so
  /// on.
  private func keepDamaged() throws(LogError) {
    var suffix = ""
    for count in 2... {
      do throws(LogError) {
        return try self.files.link(self.path, to: self.path + "-damaged" + suffix)
      } catch {
        guard error.isTaken, count <= 1000 else { throw error }
        suffix = "-" + String(count)
      }
    }
  }
}
