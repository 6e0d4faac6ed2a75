import ImmutableJSON

extension LogFile {
  /// Replaces a log that is damaged by one with the lines before the damage, if it has at least a
  /// base. The damaged one gets another name. Leaves a shared log as it is while another store has
  /// it open, which could read it.
  ///
  /// - Throws: ``LogError``: as opening the log, except for a damage behind the base.
  package static func recover(
    _ path: String, _ settings: LogSettings, files: any FileSystem = SystemFiles()
  ) throws {
    guard let header = try self.header(path, files: files) else { return }
    var settings = settings
    if settings.isShared, header.isShared {
      guard try LogShare.isUnused(path, files) else { return }
      settings.isAlone = true
    }
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
    guard let file = self.scan?.reader.file else { throw error }
    let scan = LogScan(file, path: self.path)
    do {
      while try scan.next() != nil {}
    } catch {}
    guard scan.hasBase else { throw error }
    let side = SideFiles(
      files: self.files, path: self.path, log: file, leftover: .copy(origin: self.header.origin))
    let (new, copy) = try side.create("-new")
    var offset = 0
    while offset < scan.end {
      let bytes = try file.bytes(offset..<min(offset + 1 << 18, scan.end))
      try copy.write(bytes, at: offset)
      offset += bytes.count
    }
    try copy.sync()
    do {
      _ = try self.keep(as: "damaged")
    } catch {
      try? self.files.remove(new)
      throw error
    }
    try self.files.rename(new, to: self.path)
    try self.files.syncFolder(of: self.path)
    // It may be of a later state.
    _ = try? side.clear(self.path + "-snapshot")
  }

  /// Gives the file another name: `PATH-damaged`, or `PATH-damaged-2` if there is one, and so on.
  ///
  /// - Returns: The name.
  private func keep(as name: String) throws(LogError) -> String {
    var count = 1
    while true {
      let kept = self.path + "-" + name + (count == 1 ? "" : "-" + String(count))
      do throws(LogError) {
        try self.files.link(self.path, to: kept)
        return kept
      } catch {
        guard error.isTaken, count < 1000 else { throw error }
        count += 1
      }
    }
  }
}

// MARK: Before a migration

extension LogFile {
  /// Gives a file that is about to be replaced by one of another version a second name, `PATH-v1`,
  /// and returns it.
  package func keepOld() throws(LogError) -> String {
    try self.keep(as: "v" + String(self.header.version))
  }

  /// Takes that name away, if the file was not replaced.
  package func giveBack(_ kept: String) {
    // On a file system without links, the file has that name only.
    if (try? self.files.status(of: self.path)) ?? nil == nil {
      try? self.files.rename(kept, to: self.path)
    } else {
      try? self.files.remove(kept)
    }
  }
}

// MARK: After a power cut

extension LogFile {
  /// Moves the end of the log, which a power cut has left, into a file beside it.
  func cut(_ log: any File, from offset: Int) throws(LogError) {
    let size = try log.size()
    let file = try SideFiles(files: self.files, path: self.path, log: log).open("-cut")
    let end = try file.size()
    var (at, lines) = (offset, 0)
    while at < size {
      let bytes = try log.bytes(at..<min(at + 65_536, size))
      if bytes.isEmpty { break }
      try file.write(bytes, at: end + at - offset)
      at += bytes.count
      lines += bytes.count { $0 == UInt8(ascii: "\n") }
      if at >= size, bytes.last != UInt8(ascii: "\n") { lines += 1 }
    }
    try file.sync()
    try self.files.syncFolder(of: self.path)
    try log.truncate(to: offset)
    try log.sync()
    self.counts.withLock { counts in
      counts.cutLines += lines
      counts.cutBytes += size - offset
    }
  }
}
