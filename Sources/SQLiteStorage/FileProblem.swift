import Glibc

/// Finds out why a database could not be opened, by examining its file and its directory.
///
/// SQLite's own error is not enough. If it cannot create a file, it tries to open it for reading,
/// and so reports "No such file or directory" for a read-only directory.
///
/// - Returns: A phrase that completes "cannot open …: "; `nil` if nothing is wrong with either.
func fileProblem(_ path: String) -> String? {
  let directory = directory(of: path)
  var status = stat()
  guard stat(directory, &status) == 0 else {
    let number = errno
    if number == ENOENT { return "the directory \(quotedPath(directory)) does not exist" }
    return number == ENOTDIR
      ? "\(quotedPath(directory)) is not in a directory"
      : "\(quotedPath(directory)): \(reason(number))"
  }
  guard isDirectory(status) else { return "\(quotedPath(directory)) is not a directory" }
  if let problem = directoryProblem(directory, X_OK) { return problem }
  if stat(path, &status) == 0 {
    if isDirectory(status) { return "it is a directory, not a file" }
    if let problem = accessProblem(path, R_OK) { return problem }
    // The file is readable, so SQLite could not open the files that it keeps beside it.
  } else if errno != ENOENT {
    return reason(errno)
  }
  // The log and its index are created in the directory, and deleted there.
  return directoryProblem(directory, W_OK | X_OK)
}

/// Finds out why a readable database cannot be written; `nil` if nothing is wrong with its file and
/// its directory.
func writeProblem(_ path: String) -> String? {
  accessProblem(path, W_OK) ?? directoryProblem(directory(of: path), W_OK | X_OK)
}

private func directoryProblem(_ directory: String, _ mode: Int32) -> String? {
  accessProblem(directory, mode).map { "the directory \(quotedPath(directory)): \($0)" }
}

/// Why this process may not access a file; `nil` if it may.
private func accessProblem(_ path: String, _ mode: Int32) -> String? {
  guard faccessat(AT_FDCWD, path, mode, AT_EACCESS) != 0 else { return nil }
  return reason(errno)
}

/// The system's message for an error number.
func reason(_ number: Int32) -> String {
  switch number {
  case EACCES, EPERM: "permission denied"
  case EROFS: "the file system is read-only"
  default: String(cString: strerror(number))
  }
}

private func isDirectory(_ status: stat) -> Bool {
  status.st_mode & S_IFMT == S_IFDIR
}

/// The directory of a file.
func directory(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// A path in quotes. Omits the middle of a long path: a message holds at most 255 bytes, and the
/// reason follows the path.
func quotedPath(_ path: String) -> String {
  let limit = 72
  guard path.utf8.count > limit else { return "\"\(path)\"" }
  let half = (limit - "…".utf8.count) / 2
  var start = Substring(path.unicodeScalars.prefix(half))
  var end = Substring(path.unicodeScalars.suffix(half))
  while start.utf8.count > half { start.unicodeScalars.removeLast() }
  while end.utf8.count > half { end.unicodeScalars.removeFirst() }
  return "\"\(start)…\(end)\""
}
