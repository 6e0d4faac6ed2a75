import Threading
import Glibc

/// A file that SQLite has open in this process, or that the process inherited open through a fork.
///
/// For each file, SQLite keeps a record of the locks of the process. The child of a fork inherits
/// the records without the locks. If it opened such a file, SQLite would record some locks without
/// requesting them from the system: other programs would not see them, and could remove the log
/// that the child writes to.
///
/// Used only while forks are excluded, so that a child does not inherit the list locked.
struct OpenFile: Equatable {
  private let device: dev_t
  private let inode: ino_t
  private let process = ProcessGeneration.current

  private static let all = Mutex<[Self]>([])

  /// The file at a path; `nil` if there is none.
  private init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.device = status.st_dev
    self.inode = status.st_ino
  }
}

extension OpenFile {
  /// Whether the process inherited the file at a path open.
  static func isInherited(_ path: String) -> Bool {
    guard let file = Self(path: path) else { return false }
    return self.all.withLock { files in
      files.contains { other in
        other.device == file.device && other.inode == file.inode && !other.process.isCurrent
      }
    }
  }

  /// Records that the file at a path was opened. Balanced by ``remove()``.
  static func insert(_ path: String) -> Self? {
    guard let file = Self(path: path) else { return nil }
    self.all.withLock { $0.append(file) }
    return file
  }

  /// Records that the file was closed.
  func remove() {
    Self.all.withLock { files in
      guard let index = files.firstIndex(of: self) else { return }
      files.remove(at: index)
    }
  }
}
