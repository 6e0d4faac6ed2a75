import Threading
import Glibc

/// An open file of the system.
///
/// The child of a fork closes its copy of the descriptor, so that the lock ends with the process
/// that took it.
final class SystemFile: File {
  let identity: FileIdentity
  private let descriptor: Int32
  private let path: String
  private let process = ProcessGeneration.current

  init(_ path: String, _ mode: OpenMode) throws(LogError) {
    // Adding the handler excludes forks itself.
    OpenDescriptors.closeInChildren()
    let (descriptor, identity) = try ForkLock.shared.excludingForks { () throws(LogError) in
      let file = try openRegularFile(path, mode)
      OpenDescriptors.insert(file.0)
      return file
    }
    (self.descriptor, self.identity, self.path) = (descriptor, identity, path)
  }

  deinit {
    let (descriptor, process) = (self.descriptor, self.process)
    ForkLock.shared.excludingForks {
      guard process.isCurrent else { return }
      OpenDescriptors.remove(descriptor)
      // The child of a fork may not have closed its copy yet, which would keep the lock.
      _ = setLock(descriptor, F_UNLCK)
      close(descriptor)
    }
  }
}

extension SystemFile {
  func size() throws(LogError) -> Int {
    try self.requireOpen()
    var status = stat()
    try check(fstat(self.descriptor, &status), "read", self.path)
    return Int(status.st_size)
  }

  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int {
    try self.requireOpen()
    while true {
      let count = pread(self.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw LogError("read", errno, self.path) }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LogError) {
    try self.requireOpen()
    var (rest, offset) = (bytes, offset)
    while let start = rest.baseAddress, rest.count > 0 {
      let count = pwrite(self.descriptor, start, rest.count, off_t(offset))
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        offset += count
      } else if count == 0 || errno != EINTR {
        throw LogError("write", count == 0 ? EIO : errno, self.path)
      }
    }
  }

  func sync() throws(LogError) {
    try self.requireOpen()
    guard fdatasync(self.descriptor) != 0 else { return }
    // After an interrupted sync it is not known what is on the disk, as after one that failed.
    throw LogError("sync", errno, self.path)
  }

  func truncate(to size: Int) throws(LogError) {
    try self.requireOpen()
    try check(ftruncate(self.descriptor, off_t(size)), "write", self.path)
  }

  func copyAccess(of file: any File) throws(LogError) {
    try self.requireOpen()
    guard let file = file as? SystemFile else { return }
    try file.requireOpen()
    FileAccess(of: file.descriptor)?.apply(to: self.descriptor)
  }

  func lock() throws(LogError) -> Bool {
    try self.lock(F_WRLCK, nil)
  }

  func lock(byte: Int, isShared: Bool) throws(LogError) -> Bool {
    try self.lock(isShared ? F_RDLCK : F_WRLCK, byte)
  }

  func unlock(byte: Int) {
    guard self.process.isCurrent else { return }
    _ = setLock(self.descriptor, F_UNLCK, byte)
  }

  private func lock(_ kind: Int32, _ byte: Int?) throws(LogError) -> Bool {
    try self.requireOpen()
    if setLock(self.descriptor, kind, byte) { return true }
    guard errno == EAGAIN || errno == EACCES else {
      throw LogError("lock", errno, self.path)
    }
    return false
  }

  /// In the child of a fork, the number may belong to another file.
  private func requireOpen() throws(LogError) {
    guard self.process.isCurrent else { throw LogError("use", EBADF, self.path) }
  }
}

/// Locks or unlocks a file or one byte of it, without waiting.
///
/// - Parameter kind: `F_WRLCK`, `F_RDLCK` or `F_UNLCK`.
/// - Returns: `false` if that fails, as `errno` says.
private func setLock(_ descriptor: Int32, _ kind: Int32, _ byte: Int? = nil) -> Bool {
  // Unlike a POSIX record lock, this one is not dropped when another descriptor of the file is
  // closed, and conflicts with those of this process.
  var request = flock()
  request.l_type = Int16(kind)
  request.l_whence = Int16(SEEK_SET)
  // A length of 0 stands for all bytes.
  if let byte { (request.l_start, request.l_len) = (off_t(byte), 1) }
  return fcntl(descriptor, 37, &request) == 0  // F_OFD_SETLK
}

/// Opens a regular file, without any effect on other files: a reader of a FIFO, which opens for
/// a moment, would end its writer.
private func openRegularFile(
  _ path: String, _ mode: OpenMode
) throws(LogError) -> (Int32, FileIdentity) {
  let call = mode.makesFile ? "create" : "open"
  var status = stat()
  if !mode.makesFile {
    try check(lstat(path, &status), call, path)
    guard status.st_mode & S_IFMT != S_IFLNK else { throw LogError(call, ELOOP, path) }
    try requireRegular(status, call, path)
  }
  let flags =
    switch mode {
    case .read: O_RDONLY
    case .write: O_RDWR
    case .create, .createPrivate: O_RDWR | O_CREAT | O_EXCL
    }
  let descriptor = openDescriptor(
    path, flags | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW, mode == .createPrivate ? 0o600 : 0o666)
  guard descriptor >= 0 else { throw LogError(call, errno, path) }
  do throws(LogError) {
    // The file may be another one now.
    try check(fstat(descriptor, &status), call, path)
    try requireRegular(status, call, path)
  } catch {
    close(descriptor)
    throw error
  }
  return (descriptor, FileIdentity(status))
}

private func requireRegular(
  _ status: stat, _ call: String, _ path: String
) throws(LogError) {
  guard status.st_mode & S_IFMT == S_IFREG else { throw LogError(call, 0, path) }
}
