import Threading
import Glibc

/// Creates a file that appears under its name when it is complete.
enum NewFile {
  /// - Parameters:
  ///   - path: The path of the file. No file may exist there, and no journal or log beside it:
  ///     SQLite would use these with the new file.
  ///   - original: The file whose users may use the new file when it is complete; `nil` to let only
  ///     its owner use it.
  ///   - write: Receives the path of an empty file, and writes to it.
  /// - Throws: ``DatabaseError``: `invalid` if the file exists; `io`; the error of `write`.
  static func create(
    _ path: String, like original: String?, _ write: (String) throws -> Void
  ) throws {
    guard path != "", !path.utf8.contains(0) else { throw DatabaseError.invalidPath }
    try self.refuseExisting(path)
    let (temporary, descriptor) = try self.makeTemporary(for: path)
    defer {
      // SQLite has closed the file: otherwise its locks would end here.
      close(descriptor)
      // A write that fails can leave a journal or log.
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
    }
    try write(temporary)
    original.flatMap { FileAccess(of: $0) }?.apply(to: descriptor)
    try self.publish(temporary, path)
  }

  private static func refuseExisting(_ path: String) throws(DatabaseError) {
    var status = stat()
    for file in ["", "-journal", "-wal"].map({ path + $0 }) {
      if lstat(file, &status) == 0 { throw .exists(file) }
      // SQLite could not open a database whose journal has too long a name.
      if errno == ENAMETOOLONG { throw .cannotCreate(path, errno) }
    }
  }

  /// Makes an empty file that only its owner may use.
  private static func makeTemporary(
    for path: String
  ) throws(DatabaseError) -> (path: String, descriptor: Int32) {
    // Short: the name of its journal must not be too long either.
    var template = Array("\(directory(of: path))/backup.XXXXXX".utf8CString)
    let descriptor = aboveStandardStreams(mkstemp(&template))
    guard descriptor >= 0 else { throw .cannotCreate(path, errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let temporary = String(
      decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // Whatever the file mode creation mask, this process must be able to open the file again.
    fchmod(descriptor, 0o600)
    return (temporary, descriptor)
  }

  /// Gives a file its final name, unless that is taken.
  private static func publish(_ temporary: String, _ path: String) throws(DatabaseError) {
    // Unlike `rename`, `link` fails if there is a file, but not all file systems have it.
    if link(temporary, path) != 0 {
      let number = errno
      guard number != EEXIST else { throw .exists(path) }
      try self.refuseExisting(path)
      guard rename(temporary, path) == 0 else { throw .cannotCreate(path, number) }
    }
    self.synchronize(directory(of: path))
  }

  /// Writes the names in a directory to the disk, if the file system supports that.
  private static func synchronize(_ directory: String) {
    let descriptor = openDescriptor(directory, O_RDONLY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

extension DatabaseError {
  static var invalidPath: Self {
    Self(.invalid, "a path cannot be empty or contain U+0000")
  }

  fileprivate static func exists(_ path: String) -> Self {
    Self(.invalid, "\(quotedPath(path)) already exists; remove it, or choose another path")
  }

  fileprivate static func cannotCreate(_ path: String, _ number: Int32) -> Self {
    Self(.io, "cannot create \(quotedPath(path)): \(fileProblem(path) ?? reason(number))")
  }
}
