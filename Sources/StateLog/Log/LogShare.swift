/// The locks of a log to which several stores write.
///
/// They are bytes of a file beside the log, `x-lock`, which is never renamed or removed: a log
/// gets another file when it is written anew, and its locks would stay on the old one. The bytes
/// need not be there; the file is empty.
final class LogShare: @unchecked Sendable {
  /// What a byte stands for.
  enum Byte {
    /// The right to append.
    case append
    /// Having the log open: shared; exclusive for what needs it alone.
    case opener
    /// The right to write the log anew, and to remove what such an attempt has left.
    case rewriting
    /// The right to write snapshots.
    case snapshot
    /// Waiting for the right to append: shared.
    case waiting
    /// The life of a writer.
    case writer(Int)

    var offset: Int {
      switch self {
      case .append: 0
      case .opener: 1
      case .rewriting: 2
      case .snapshot: 3
      case .waiting: 4
      case .writer(let number): 64 + number
      }
    }
  }

  private let file: any File
  private let files: any FileSystem
  /// The path of the log.
  private let path: String

  /// Opens or makes the file of the locks, and notes that the log is open.
  ///
  /// - Throws: `timeout` if a store that needs the log alone keeps it; `io` if this one needs it
  ///   alone, and another one has it open.
  init(_ path: String, _ files: any FileSystem, isAlone: Bool) throws(LogError) {
    (self.path, self.files) = (path, files)
    try files.requireLocal(path)
    self.file = try Self.open(path + "-lock", likeLog: path, files)
    if !isAlone {
      try self.wait(for: .opener, isShared: true)
    } else if try !self.take(.opener) {
      let holder = files.holder(of: self.file.identity, byte: Byte.opener.offset)?.process
      throw .shared(path, with: holder, isCurrent: holder == files.process)
    }
  }

  /// Whether no store has a log open.
  static func isUnused(_ path: String, _ files: any FileSystem) throws(LogError) -> Bool {
    guard let file = try LogFile.open(try files.resolve(path) + "-lock", .write, files) else {
      return true
    }
    return try file.lock(byte: Byte.opener.offset, isShared: false)
  }

  private static func open(
    _ name: String, likeLog path: String, _ files: any FileSystem
  ) throws(LogError) -> any File {
    // Another store may make it meanwhile.
    for _ in 0..<100 {
      if let file = try LogFile.open(name, .write, files) { return file }
      do throws(LogError) {
        if let log = try LogFile.open(path, .read, files) {
          return try files.create(name, like: log)
        }
        return try files.open(name, .create)
      } catch {
        guard error.isTaken else { throw error }
      }
    }
    throw LogError(.io, "cannot open " + quotedPath(name) + ": other processes keep removing it")
  }
}

extension LogShare {
  /// How long a store waits for a lock, in milliseconds.
  static var timeout: Int64 { 10_000 }

  /// Takes a lock, unless another store has it.
  ///
  /// - Returns: Whether it has it now.
  func take(_ byte: Byte, isShared: Bool = false) throws(LogError) -> Bool {
    try self.file.lock(byte: byte.offset, isShared: isShared)
  }

  /// Takes a lock, unless another store has it.
  ///
  /// - Returns: Whether it has it now. If not, the caller pauses, and tries again.
  /// - Throws: `timeout` if the store has waited too long.
  func take(
    _ byte: Byte, isShared: Bool = false, after wait: inout LockWait
  ) throws(LogError) -> Bool {
    if try self.take(byte, isShared: isShared) { return true }
    let start = wait.start ?? self.files.uptime
    wait.start = start
    if self.files.uptime - start >= Self.timeout {
      throw .busy(self.path, self.files.holder(of: self.file.identity, byte: byte.offset))
    }
    return false
  }

  /// Whether another store has a lock that this one has not.
  func isTaken(_ byte: Byte) throws(LogError) -> Bool {
    guard try self.take(byte) else { return true }
    self.release(byte)
    return false
  }

  /// Throws if the store that has a lock does not run.
  func requireRunning(_ byte: Byte) throws(LogError) {
    let holder = self.files.holder(of: self.file.identity, byte: byte.offset)
    if let holder, holder.isStopped { throw .stopped(self.path, holder) }
  }

  func pause(_ wait: inout LockWait) {
    self.files.pause(nanoseconds: wait.pause)
    wait.pauses += 1
  }

  /// Takes a lock, and waits for it.
  ///
  /// - Throws: `timeout`
  func wait(for byte: Byte, isShared: Bool = false) throws(LogError) {
    var wait = LockWait()
    while try !self.take(byte, isShared: isShared, after: &wait) { self.pause(&wait) }
  }

  func release(_ byte: Byte) {
    self.file.unlock(byte: byte.offset)
  }

  /// Releases what a store has when it closes the log.
  func releaseAll(of writer: Int) {
    let bytes: [Byte] = [.append, .opener, .snapshot, .waiting, .writer(writer)]
    for byte in bytes { self.release(byte) }
  }
}

/// How long a store has waited for a lock. The system has no call that waits for a limited time, so
/// the store tries again and again.
package struct LockWait {
  /// When it began to wait.
  fileprivate var start: Int64?
  fileprivate var pauses = 0

  /// In nanoseconds. The same for all that wait for others, so that each has its turn; longer for
  /// those that wait for a process that hangs.
  fileprivate var pause: Int {
    switch self.pauses {
    case 0: 20_000
    case 1..<1000: 100_000
    default: 1_000_000
    }
  }

  package init() {}
}

extension LogError {
  fileprivate static func stopped(_ path: String, _ holder: LockHolder) -> Self {
    Self(
      .timeout,
      "process " + String(holder.process) + " compacts " + quotedPath(path)
        + ", and is stopped; continue it with SIGCONT, or end it")
  }

  fileprivate static func busy(_ path: String, _ holder: LockHolder?) -> Self {
    let seconds = String(LogShare.timeout / 1000)
    guard let holder else {
      return Self(
        .timeout,
        "another store has kept " + quotedPath(path) + " locked for " + seconds + " seconds")
    }
    let state =
      holder.isStopped
      ? ", and is stopped; continue it with SIGCONT, or end it" : "; see what it does"
    return Self(
      .timeout,
      "process " + String(holder.process) + " has kept " + quotedPath(path) + " locked for "
        + seconds + " seconds" + state)
  }
}
