#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why a database could not be opened, by a look at its file and the directory that it is in.
///
/// SQLite's own answer is not enough. After it was refused to create a file it tries to open one for
/// reading, which does not exist: it reports "No such file or directory" for a read-only directory.
///
/// - Returns: What completes "cannot open …: ", or `nil` if nothing is wrong with either.
func fileProblem(_ path: String) -> String? {
  let directory = directory(of: path)
  var status = stat()
  guard stat(directory, &status) == 0 else {
    if errno == ENOENT { return "the directory \"\(directory)\" does not exist" }
    return errno == ENOTDIR
      ? "\"\(directory)\" is not in a directory" : "\"\(directory)\": \(reason(errno))"
  }
  guard isDirectory(status) else { return "\"\(directory)\" is not a directory" }
  if let problem = directoryProblem(directory, X_OK) { return problem }
  if stat(path, &status) == 0 {
    if isDirectory(status) { return "it is a directory, not a file" }
    if let refusal = refusal(path, R_OK) { return refusal }
    // It can be read, so the files that SQLite keeps beside it are what cannot be opened.
  } else if errno != ENOENT {
    return reason(errno)
  }
  // The log and its index are created in the directory, and deleted there.
  return directoryProblem(directory, W_OK | X_OK)
}

/// Why a database that can be read cannot be written; `nil` if nothing is wrong with its file and
/// the directory.
func writeProblem(_ path: String) -> String? {
  refusal(path, W_OK) ?? directoryProblem(directory(of: path), W_OK | X_OK)
}

private func directoryProblem(_ directory: String, _ mode: Int32) -> String? {
  refusal(directory, mode).map { "the directory \"\(directory)\": \($0)" }
}

/// Why a file cannot be used in a way, by the rights that this process has.
private func refusal(_ path: String, _ mode: Int32) -> String? {
  guard faccessat(AT_FDCWD, path, mode, AT_EACCESS) != 0 else { return nil }
  return reason(errno)
}

private func reason(_ number: Int32) -> String {
  switch number {
  case EACCES, EPERM: "permission denied"
  case EROFS: "the file system is read-only"
  default: String(cString: strerror(number))
  }
}

private func isDirectory(_ status: stat) -> Bool {
  status.st_mode & S_IFMT == S_IFDIR
}

private func directory(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
