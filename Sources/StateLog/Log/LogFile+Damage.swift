// What is done about a part of a log that is not the next line.

extension LogFile {
  /// Ends the log before a part that is not its next line, if a power cut can have left that.
  ///
  /// - Throws: `corrupt` if the part was once on the disk.
  func end(at part: LineReader.Part, _ reader: LineReader) throws(LogError) {
    let offset = self.progress.position.end
    if try reader.wasOnDisk(part, self.progress.synced) {
      throw try self.damaged(reader, offset, "it does not continue the line before")
    }
    reader.move(to: offset)
    if self.settings.isReadOnly { return }
    try self.cut(reader.file, from: offset)
  }

  /// The error about an offset of the log.
  func damaged(
    _ reader: LineReader, _ offset: Int, _ problem: String
  ) throws(LogError) -> LogError {
    reader.move(to: 0)
    var line = 1
    while let part = try reader.next(), part.end <= offset {
      if part.isComplete { line += 1 }
    }
    return .damaged(self.path, line: line, offset: offset, problem)
  }

  /// Moves the end of the log into a file beside it.
  private func cut(_ log: any File, from offset: Int) throws(LogError) {
    let size = try log.size()
    let path = self.path + "-cut"
    let file = try self.openForCut(path, log)
    let end = try file.size()
    var at = offset
    while at < size {
      let bytes = try log.bytes(at..<min(at + 65_536, size))
      if bytes.isEmpty { break }
      try file.write(bytes, at: end + at - offset)
      at += bytes.count
      self.cut.lines += bytes.count { $0 == UInt8(ascii: "\n") }
      if at >= size, bytes.last != UInt8(ascii: "\n") { self.cut.lines += 1 }
    }
    self.cut.bytes = size - offset
    try file.sync()
    try self.files.syncFolder(of: path)
    try log.truncate(to: offset)
    try log.sync()
  }

  private func openForCut(
    _ path: String, _ log: any File
  ) throws(LogError) -> any File {
    do throws(LogError) {
      return try self.files.open(path, .write)
    } catch {
      guard error.isMissing else { throw error }
      let file = try self.files.open(path, .create)
      try file.copyPermissions(of: log)
      return file
    }
  }
}

extension LineReader {
  /// Whether the log was once on the disk beyond the offset where a part begins. Any line says how far
  /// it was, also one behind the damage, if it follows the line before it. Moves to the end.
  ///
  /// - Parameter synced: Up to which offset it was, as the lines before say.
  func wasOnDisk(_ part: Part, _ synced: Int) throws(LogError) -> Bool {
    if synced > part.offset { return true }
    let offset = part.offset
    var previous = LogLine(part.bytes)?.sum
    while let part = try self.next() {
      let line = part.isComplete ? LogLine(part.bytes) : nil
      if let line, let previous, line.synced > offset, line.follows(previous) { return true }
      previous = line?.sum
    }
    return false
  }
}
