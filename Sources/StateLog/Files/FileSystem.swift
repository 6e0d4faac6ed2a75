/// What a log needs of a system: files, a clock and chance.
///
/// Nothing else in this module calls the system, so that tests can simulate one whose calls fail,
/// and whose power is cut. ``SystemFiles`` is the real one.
package protocol FileSystem: Sendable {
  /// The absolute path, without links, of a file that exists or can be made in a folder that does.
  func resolve(_ path: String) throws(LogError) -> String

  /// Opens or makes a regular file. Anything else is refused, and never makes this wait.
  func open(_ path: String, _ mode: OpenMode) throws(LogError) -> any File

  /// Gives a file another name, in place of the file that has it.
  func rename(_ path: String, to newPath: String) throws(LogError)

  /// Gives a file another name, and may take its old one. Fails (`EEXIST`) if a file has the name.
  func link(_ path: String, to newPath: String) throws(LogError)

  func remove(_ path: String) throws(LogError)

  /// Waits until the names in the folder of a file are on the disk.
  func syncFolder(of path: String) throws(LogError)

  /// The identity and the size of the file at a path; `nil` if there is none.
  func status(of path: String) throws(LogError) -> FileStatus?

  /// The name of the network file system that has a path; `nil` if it is on this machine.
  func networkFileSystem(of path: String) -> String?

  /// Lets other threads and processes run for about this time.
  func pause(nanoseconds: Int)

  /// Calls a function when the file at a path changes, whoever changes it, until the result is
  /// released. It runs on a thread of this system, and must not wait.
  ///
  /// - Returns: `nil` if the system cannot tell.
  func watch(
    _ path: String, _ onEvent: @escaping @Sendable (WatchEvent) -> Void
  ) -> (any FileWatch)?

  /// The time in milliseconds since 1970, by the wall clock.
  var time: Int64 { get }

  /// A time in milliseconds that nobody sets, for intervals.
  var uptime: Int64 { get }

  /// As many random bits, in bytes.
  func randomBits(_ count: Int) -> [UInt8]

  /// The number of this process.
  var process: Int32 { get }

  /// The process that has locked a file, or a byte of it; `nil` if it is not known.
  func holder(of file: FileIdentity, byte: Int?) -> LockHolder?
}

/// An open file, closed when this object is released.
package protocol File: AnyObject, Sendable {
  var identity: FileIdentity { get }

  func size() throws(LogError) -> Int

  /// Reads up to as many bytes as the buffer holds.
  ///
  /// - Returns: The number of bytes; 0 only at the end.
  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(LogError) -> Int

  /// Writes all bytes. If this fails, it may have written a part of them.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(LogError)

  /// Waits until the content is on the disk.
  func sync() throws(LogError)

  func truncate(to size: Int) throws(LogError)

  /// Lets the same users use this file as another one, or fewer if the system refuses that.
  func copyAccess(of file: any File) throws(LogError)

  /// Locks the file against other opened ones, also of this process, until it is closed.
  ///
  /// - Returns: Whether it is locked now; `false` if another one has it locked.
  func lock() throws(LogError) -> Bool

  /// Locks one byte, which need not be there, until it is unlocked or the file is closed.
  ///
  /// - Parameter isShared: Whether others may lock it too, if they share it.
  /// - Returns: As ``lock()``.
  func lock(byte: Int, isShared: Bool) throws(LogError) -> Bool

  func unlock(byte: Int)
}

/// A process that has locked a file.
package struct LockHolder: Sendable {
  package let process: Int32
  /// Whether a signal has stopped it.
  package let isStopped: Bool

  package init(process: Int32, isStopped: Bool) {
    (self.process, self.isStopped) = (process, isStopped)
  }
}

/// A file is watched until this object is released.
package protocol FileWatch: AnyObject, Sendable {}

package enum WatchEvent: Sendable {
  case written
  /// Its path may be that of another file now, which the watch does not tell of.
  case moved
}

package enum OpenMode: Sendable {
  case read
  /// Reads and writes a file that exists.
  case write
  /// Makes a file. Fails (`EEXIST`) if there is one.
  case create
  /// The same, for its owner alone.
  case createPrivate

  package var makesFile: Bool {
    self == .create || self == .createPrivate
  }
}

extension FileSystem {
  /// Throws if the locks of a file do not exclude all who can write to it.
  func requireLocal(_ path: String) throws(LogError) {
    guard let name = self.networkFileSystem(of: path) else { return }
    throw LogError(
      .invalid,
      quotedPath(path) + " is on the network file system " + name
        + ", which cannot share a log between processes; choose a path on a disk of this machine")
  }

  /// A simulated system has no threads.
  package func watch(
    _ path: String, _ onEvent: @escaping @Sendable (WatchEvent) -> Void
  ) -> (any FileWatch)? {
    nil
  }

  /// Makes a file that copies or replaces another one, or a part of it. It never has more users
  /// than that.
  func create(_ path: String, like original: any File) throws(LogError) -> any File {
    let file = try self.open(path, .createPrivate)
    try file.copyAccess(of: original)
    return file
  }
}

package struct FileStatus: Sendable {
  package let identity: FileIdentity
  package let size: Int

  package init(_ identity: FileIdentity, size: Int) {
    (self.identity, self.size) = (identity, size)
  }
}

/// What tells a file from others, whatever its name.
package struct FileIdentity: Equatable, Sendable {
  let device: UInt64
  let inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    (self.device, self.inode) = (device, inode)
  }
}
