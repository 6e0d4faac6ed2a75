internal import CLinux
import Threading
import Glibc

/// The files of the system that runs this process, with the wall clock of a store.
package struct SystemFiles: FileSystem {
  private let clock: StoreClock

  package init(clock: StoreClock = .system) {
    self.clock = clock
  }

  package func resolve(_ path: String) throws(LogError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw LogError("open", ENOENT, path) }
    if let whole = absolutePath(path) { return whole }
    // A link that leads nowhere is refused when the file is opened.
    guard errno == ENOENT else { throw LogError("open", errno, path) }
    let (folder, name) = split(path)
    guard !name.isEmpty else { throw LogError("open", EISDIR, path) }
    guard let folder = absolutePath(folder) else { throw LogError("open", errno, folder) }
    return folder == "/" ? folder + name : folder + "/" + name
  }

  package func open(_ path: String, _ mode: OpenMode) throws(LogError) -> any File {
    try SystemFile(path, mode)
  }

  package func rename(_ path: String, to newPath: String) throws(LogError) {
    try check(system_rename(path, newPath), "rename", path)
  }

  package func link(_ path: String, to newPath: String) throws(LogError) {
    guard system_link(path, newPath) != 0 else { return }
    let number = errno
    // Not all file systems have links.
    guard number == EPERM || number == ENOTSUP || number == EOPNOTSUPP || number == ENOSYS else {
      throw LogError("create", number, newPath)
    }
    guard try self.status(of: newPath) == nil else {
      throw LogError("create", EEXIST, newPath)
    }
    try self.rename(path, to: newPath)
  }

  package func remove(_ path: String) throws(LogError) {
    try check(unlink(path), "remove", path)
  }

  package func syncFolder(of path: String) throws(LogError) {
    let folder = split(path).folder
    // Without the right to read a folder, or on a file system that cannot sync one, its names reach
    // the disk some time later.
    let descriptor = openDescriptor(folder, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else {
      guard errno == EACCES else { throw LogError("open", errno, folder) }
      return
    }
    defer { close(descriptor) }
    guard fsync(descriptor) != 0, errno != EINVAL, errno != ENOTSUP, errno != EBADF else { return }
    throw LogError("sync", errno, folder)
  }

  package func status(of path: String) throws(LogError) -> FileStatus? {
    var status = stat()
    if lstat(path, &status) == 0 {
      return FileStatus(FileIdentity(status), size: Int(status.st_size))
    }
    guard errno == ENOENT else { throw LogError("open", errno, path) }
    return nil
  }

  package func networkFileSystem(of path: String) -> String? {
    // Before the file is made, its folder says it.
    StateLog.networkFileSystem(of: path) ?? StateLog.networkFileSystem(of: split(path).folder)
  }

  package func pause(nanoseconds: Int) {
    linux_pause(nanoseconds)
  }

  package func watch(
    _ path: String, _ onEvent: @escaping @Sendable (WatchEvent) -> Void
  ) -> (any FileWatch)? {
    // Of what other machines change, it would not hear.
    guard self.networkFileSystem(of: path) == nil else { return nil }
    return SystemWatch(path, onEvent)
  }

  package var time: Int64 {
    self.clock.now
  }

  package var uptime: Int64 {
    Clock.uptime
  }

  package func randomBits(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count / 8).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  package var process: Int32 {
    getpid()
  }

  package func holder(of file: FileIdentity, byte: Int?) -> LockHolder? {
    processThatLocked(file, byte).map { LockHolder(process: $0, isStopped: isStopped($0)) }
  }
}

extension FileIdentity {
  init(_ status: stat) {
    self.init(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}

func check(_ result: Int32, _ call: String, _ path: String) throws(LogError) {
  guard result == 0 else { throw LogError(call, errno, path) }
}

private func absolutePath(_ path: String) -> String? {
  guard let whole = realpath(path, nil) else { return nil }
  defer { free(whole) }
  return String(cString: whole)
}

private func split(_ path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
  let name = String(path[path.utf8.index(after: slash)...])
  return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
}

// Names that the members above would hide.

private func system_rename(_ path: String, _ newPath: String) -> Int32 {
  rename(path, newPath)
}

private func system_link(_ path: String, _ newPath: String) -> Int32 {
  link(path, newPath)
}
