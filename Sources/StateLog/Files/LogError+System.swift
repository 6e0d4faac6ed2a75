import Glibc

extension LogError {
  /// A call of the system.
  package struct Call: Sendable {
    /// "open", "write".
    let verb: String

    /// The error number; 0 if the file is not a regular one.
    let number: Int32
  }

  /// A call of the system has failed.
  package init(_ verb: String, _ number: Int32, _ path: String) {
    let call = Call(verb: verb, number: number)
    self.init(.io, "cannot \(verb) \(quotedPath(path)): \(call.reason)", call)
  }

  /// The error of opening a file that is not there.
  package static func missing(_ path: String) -> Self {
    Self("open", ENOENT, path)
  }

  /// There is no such file.
  var isMissing: Bool {
    self.call?.number == ENOENT
  }

  /// There is such a file already.
  var isTaken: Bool {
    self.call?.number == EEXIST
  }

  /// The same error about a file whose name has changed since it was opened.
  func naming(_ path: String) -> Self {
    self.call.map { Self($0.verb, $0.number, path) } ?? self
  }
}

extension LogError.Call {
  fileprivate var reason: String {
    switch self.number {
    case 0: "it is not a regular file"
    case ELOOP: "it is a symbolic link"
    case EACCES, EPERM: "permission denied"
    case EROFS: "the file system is read-only"
    case ENOSPC, EDQUOT: "the disk is full; free some space and try again"
    default: String(cString: strerror(self.number))
    }
  }
}

/// A path in quotes. Omits the middle of a long path: a message holds at most 255 bytes, and the
/// reason follows the path.
func quotedPath(_ path: String) -> String {
  let bytes = Array(path.utf8)
  guard bytes.count > 72 else { return "\"" + path + "\"" }
  // Without the rest of a character that was cut in two.
  let start = bytes.prefix(34).reversed().drop { $0 >= 0x80 }.reversed()
  let end = bytes.suffix(34).drop { $0 & 0xC0 == 0x80 }
  return "\"" + String(decoding: start, as: UTF8.self) + "…" + String(decoding: end, as: UTF8.self)
    + "\""
}
