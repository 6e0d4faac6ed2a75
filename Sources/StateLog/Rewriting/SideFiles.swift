import ImmutableJSON

/// The files beside a log: `x-new`, `x-snapshot`, `x-snapshot-new` and `x-cut`.
///
/// A program may have another log under such a name. It is never removed, replaced or written to.
struct SideFiles {
  let files: any FileSystem
  /// The path of the log.
  let path: String
  /// The log; `nil` for one that is being made.
  var log: (any File)?
  /// What a log under the name of a new one must be, to be what an ended process has left.
  var leftover = Leftover.copy(origin: "")

  enum Leftover {
    /// A copy of the log with this origin.
    case copy(origin: String)
    /// A log with nothing but what is made again.
    case new(header: LogHeader, base: [UInt8])
  }
}

extension SideFiles {
  /// Makes a file under the first name that no other log has: `x-new`, `x-new-2`, and so on.
  func create(_ suffix: String) throws(LogError) -> (path: String, file: any File) {
    for name in self.names(suffix) {
      guard try self.clear(name) else { continue }
      do throws(LogError) {
        if let log { return (name, try self.files.create(name, like: log)) }
        return (name, try self.files.open(name, .create))
      } catch {
        guard error.isTaken else { throw error }
      }
    }
    throw .occupied(self.path + suffix)
  }

  /// The same, and locks it, so that nobody takes it for what a process has left that has ended.
  func createLocked(_ suffix: String) throws(LogError) -> (path: String, file: any File) {
    // Another process may remove it before it is locked.
    for _ in 0..<100 {
      let (name, file) = try self.create(suffix)
      if try file.lock(), try self.files.status(of: name)?.identity == file.identity {
        return (name, file)
      }
    }
    throw LogError(
      .io, "cannot make " + quotedPath(self.path + suffix) + ": other processes keep removing it")
  }

  /// Opens the file with the first name that no other log has, or makes it.
  func open(_ suffix: String) throws(LogError) -> any File {
    for name in self.names(suffix) {
      guard let file = try LogFile.open(name, .write, self.files) else {
        return try self.create(suffix).file
      }
      if try file.lock(), try !LogHeader.begins(file) { return file }
    }
    throw .occupied(self.path + suffix)
  }

  private func names(_ suffix: String) -> [String] {
    [self.path + suffix] + (2...100).map { self.path + suffix + "-" + String($0) }
  }

  /// Removes a file, unless it is another log.
  ///
  /// - Returns: Whether no file has the name now.
  @discardableResult
  func clear(_ name: String) throws(LogError) -> Bool {
    guard let file = try LogFile.open(name, .write, self.files) else { return true }
    guard try self.mayRemove(file) else { return false }
    // Locked until it is removed, so that whoever has just made it does not begin to use it.
    defer { withExtendedLifetime(file) {} }
    guard let status = try self.files.status(of: name) else { return true }
    guard status.identity == file.identity else { return false }
    do throws(LogError) {
      try self.files.remove(name)
    } catch {
      guard error.isMissing else { throw error }
    }
    return true
  }

  /// Whether a name has no file, or one that may be removed: it is no other log, and nobody has it
  /// open to write.
  func isFree(_ name: String) throws(LogError) -> Bool {
    guard let file = try LogFile.open(name, .write, self.files) else { return true }
    return try self.mayRemove(file)
  }

  private func mayRemove(_ file: any File) throws(LogError) -> Bool {
    // A name that a new log had before it got its own.
    if file.identity == self.log?.identity { return true }
    guard try file.lock() else { return false }
    guard try LogHeader.begins(file) else { return true }
    return try self.isLeftover(file)
  }

  /// Whether a file that begins as a log is what a process was making that has ended.
  private func isLeftover(_ file: any File) throws(LogError) -> Bool {
    let reader = LineReader(file, path: self.path)
    guard let first = try reader.next(), first.isComplete else { return true }
    let header = LogLine(first.bytes).flatMap { try? $0.value() }.flatMap(LogHeader.init)
    guard let second = try reader.next(), second.isComplete else { return true }
    switch self.leftover {
    case .copy(let origin): return header?.origin == origin
    case .new(var made, let base):
      guard let header, let line = LogLine(second.bytes), line.data.elementsEqual(base) else {
        return false
      }
      made.origin = header.origin
      let rest = try reader.next()
      return rest == nil && header.value == made.value
    }
  }
}

extension LogHeader {
  /// Whether a file begins with the first line of a log, and not of a snapshot.
  static func begins(_ file: any File) throws(LogError) -> Bool {
    try file.bytes(0..<64).withUnsafeBytes { bytes in
      var scanner = LineScanner(bytes)
      return scanner.skip("{\"sum\":\"") && scanner.checksum() != nil
        && scanner.skip("\",\"data\":\"") && scanner.checksum() != nil
        && scanner.skip("\",\"log\":")
    }
  }
}

extension LogError {
  static func occupied(_ path: String) -> Self {
    Self(
      .io, "cannot create " + quotedPath(path) + ": other logs have this name; move them elsewhere")
  }
}
