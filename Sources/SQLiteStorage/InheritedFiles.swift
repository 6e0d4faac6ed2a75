import CSQLite
import Threading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lets the child of a fork open a file that its parent has open.
///
/// SQLite keeps one record of the locks that a process has on a file, found by device and inode. A
/// child inherits the record, but not the locks. It would take a lock that it shares with the parent's
/// connections in that record, and other programs would not see it: they could remove the log that
/// the child writes to. So in the child SQLite gets device numbers that differ from those before, by
/// the means it has for replacing system calls. It uses them for nothing else.
enum InheritedFiles {
  /// Separates the files that are opened from now on from the inherited ones. Once is enough, for
  /// the children of this process too: the device numbers depend on the generation.
  static func separate() {
    guard ProcessGeneration.current.isForked else { return }
    _ = isSeparated
  }
}

private typealias StatFile = @convention(c) (Int32, UnsafeMutablePointer<stat>?) -> Int32
private typealias StatPath =
  @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<stat>?) -> Int32

private let isSeparated: Bool = {
  guard let system = sqlite3_vfs_find(nil), system.pointee.iVersion >= 3,
    let replace = system.pointee.xSetSystemCall
  else { return false }
  let statFile: StatFile = { descriptor, result in
    guard let result else { return -1 }
    return separated(fstat(descriptor, result), result)
  }
  let statPath: StatPath = { path, result in
    guard let path, let result else { return -1 }
    return separated(stat(path, result), result)
  }
  // No types of the standard library that the parent may just be initializing in another thread.
  let isFileReplaced = replace(
    system, "fstat", unsafeBitCast(statFile, to: sqlite3_syscall_ptr.self))
  let isPathReplaced = replace(
    system, "stat", unsafeBitCast(statPath, to: sqlite3_syscall_ptr.self))
  return isFileReplaced == SQLITE_OK && isPathReplaced == SQLITE_OK
}()

private func separated(_ result: Int32, _ file: UnsafeMutablePointer<stat>) -> Int32 {
  guard result == 0 else { return result }
  // The system's own device numbers are below.
  file.pointee.st_dev ^= dev_t(truncatingIfNeeded: ProcessGeneration.current.forks << 48)
  return result
}
