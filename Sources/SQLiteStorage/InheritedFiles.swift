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
/// For each file, SQLite keeps a record of the locks of the process, found by device and inode. A
/// child inherits the records without the locks. SQLite would then record some locks without
/// requesting them from the system: other programs would not see them, and could remove the log
/// that the child writes to. So in the child, SQLite's `fstat` and `stat` are replaced by functions
/// that change the device number, which SQLite uses for nothing else.
enum InheritedFiles {
  /// Makes SQLite treat files opened from now on as different from inherited ones. Later calls do
  /// nothing, even in children of this process: the device numbers depend on the generation.
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
  // Uses no types of the standard library that another thread may have been initializing during the
  // fork.
  let isFileReplaced = replace(
    system, "fstat", unsafeBitCast(statFile, to: sqlite3_syscall_ptr.self))
  let isPathReplaced = replace(
    system, "stat", unsafeBitCast(statPath, to: sqlite3_syscall_ptr.self))
  return isFileReplaced == SQLITE_OK && isPathReplaced == SQLITE_OK
}()

private func separated(_ result: Int32, _ file: UnsafeMutablePointer<stat>) -> Int32 {
  guard result == 0 else { return result }
  // The system's device numbers do not use these bits.
  file.pointee.st_dev ^= dev_t(truncatingIfNeeded: ProcessGeneration.current.forks << 48)
  return result
}
