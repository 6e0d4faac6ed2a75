/// Why a log could not be used: a code for programs, a message for people.
package struct LogError: Error {
  package enum Code: Sendable {
    /// A file could not be opened, read or written, or another process writes it.
    case io
    /// A file is damaged, or is no log.
    case corrupt
    /// The log does not belong to this application, domain or version.
    case invalid
    /// The log was closed, or belongs to the process that this one was forked from.
    case closed
    case timeout
    /// A line is, or would be, longer than the limits of values allow.
    case limit
    /// The driver cannot reach the log now.
    case unavailable
    /// The driver needs other credentials.
    case unauthenticated
    /// The driver refuses for good: without permission, for example.
    case refused
    /// The log is not the one that was read.
    case diverged
    /// The log no longer has the entries that follow what was read.
    case trimmed
    /// The log does not end where it was read to. Nothing was appended, or it is not known whether
    /// it was.
    case moved
  }

  package let code: Code

  /// A sentence that says what was wrong and, unless it is obvious, what to do.
  package let message: String

  /// What has failed, if it was a call of the system.
  let call: Call?

  package init(_ code: Code, _ message: String, _ call: Call? = nil) {
    (self.code, self.message, self.call) = (code, message, call)
  }
}

extension LogError: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.message == right.message
  }
}

extension LogError: CustomStringConvertible {
  package var description: String {
    self.message
  }
}

extension LogError {
  static func closed(_ path: String) -> Self {
    Self(.closed, "the log " + quotedPath(path) + " was closed; open it again")
  }

  static func inherited(_ path: String) -> Self {
    Self(
      .closed,
      "the log " + quotedPath(path)
        + " belongs to the process that this one was forked from; open one in this process")
  }

  static func locked(_ path: String, by process: Int32?, isCurrent: Bool) -> Self {
    let label = "cannot open " + quotedPath(path) + ": "
    if isCurrent { return Self(.io, label + "this process has it open already") }
    let other = process.map { "process " + String($0) } ?? "another process"
    return Self(.io, label + other + " writes to it; close it there, or open it read-only")
  }

  /// Another store has a log open that must not be open elsewhere.
  static func shared(_ path: String, with process: Int32?, isCurrent: Bool) -> Self {
    let label = "cannot open " + quotedPath(path) + " alone: "
    if isCurrent { return Self(.io, label + "this process has it open already; close it first") }
    let other = process.map { "process " + String($0) } ?? "another process"
    return Self(.io, label + other + " has it open; close it there first")
  }

  static func moved(_ path: String) -> Self {
    Self(
      .io,
      quotedPath(path)
        + " was deleted, moved or replaced while it was open; put it back, or open it again")
  }

  package static func replaced(_ path: String, _ how: String) -> Self {
    Self(
      .corrupt, "the log " + quotedPath(path) + " was replaced " + how + "; open the store again")
  }

  static func overwritten(_ path: String) -> Self {
    Self(
      .io,
      quotedPath(path)
        + " was overwritten or shortened while it was open; put it back, or open it again")
  }

  static func misnumbered(_ path: String, _ number: Int, after last: Int) -> Self {
    Self(
      .invalid,
      "entry " + String(number) + " must not follow entry " + String(last) + " in "
        + quotedPath(path))
  }

  static func tooLong(_ path: String, at offset: Int) -> Self {
    Self(
      .limit,
      quotedPath(path) + " has more than " + String(LogLine.limit) + " bytes in the line at byte "
        + String(offset) + ", which the limit of text does not allow; raise it")
  }

  /// A line that was not written.
  static func excessive(_ path: String, _ count: Int) -> Self {
    Self(
      .limit,
      "cannot write a line of " + String(count) + " bytes to " + quotedPath(path)
        + ": the limit of text allows " + String(LogLine.limit))
  }

  static func exhausted(_ path: String, _ number: Int, _ time: Int64) -> Self {
    Self(
      .limit,
      "the number " + String(number) + " or the time " + String(time) + " of an entry of "
        + quotedPath(path) + " has more than 18 digits")
  }

  static func timeout(_ path: String) -> Self {
    Self(.timeout, quotedPath(path) + " was not on the disk in time")
  }

  static func foreign(_ path: String, _ reason: String) -> Self {
    Self(.corrupt, quotedPath(path) + " is not a log: " + reason + "; choose another path")
  }

  static func shortened(_ path: String, _ size: Int, _ synced: Int) -> Self {
    Self(
      .corrupt,
      quotedPath(path) + " has " + String(size) + " bytes, but had " + String(synced)
        + " when its snapshot was written; restore it, or remove the snapshot to go on without "
        + "what is missing")
  }

  /// While a read-only log was open.
  static func cutOff(_ path: String, _ size: Int, _ read: Int) -> Self {
    Self(
      .corrupt,
      quotedPath(path) + " has " + String(size) + " bytes, but had " + String(read)
        + " when it was read before; open it again")
  }

  static func damaged(_ path: String, line: Int, offset: Int, _ problem: String) -> Self {
    Self(
      .corrupt,
      quotedPath(path) + " is damaged in line " + String(line) + ", at byte " + String(offset)
        + " (" + problem + "); restore it from a backup")
  }
}
