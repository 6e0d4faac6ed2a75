import CLinux
import TestSupport
import Testing
import Threading

import Glibc

@Suite struct FileAccessTests {
  private let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private var original: String {
    self.folder.file("original")
  }

  private func makeOriginal(_ mode: mode_t, owner: uid_t? = nil, group: gid_t? = nil) throws {
    try self.folder.write("", to: "original")
    #expect(chown(self.original, owner ?? uid_t.max, group ?? gid_t.max) == 0)
    #expect(chmod(self.original, mode) == 0)
  }

  /// Makes a file for its owner alone, and gives it the access of the original.
  private func makeCopy() throws -> stat {
    let descriptor = openDescriptor(
      self.folder.file("copy"), O_WRONLY | O_CREAT | O_EXCL, 0o600)
    defer { close(descriptor) }
    try #require(FileAccess(of: self.original)).apply(to: descriptor)
    var status = stat()
    #expect(fstat(descriptor, &status) == 0)
    return status
  }

  @Test(arguments: [0o600, 0o640, 0o644, 0o664, 0o666, 0o400, 0o604, 0o755, 0])
  func theModeIsKept(_ mode: mode_t) throws {
    try self.makeOriginal(mode)
    #expect(try self.makeCopy().st_mode & 0o7777 == mode)
  }

  @Test func aFileThatIsNotThereHasNoAccess() {
    #expect(FileAccess(of: self.original) == nil)
    #expect(FileAccess(of: -1) == nil)
  }

  // MARK: As another user

  @Test(.enabled(if: geteuid() == 0))
  func aPrivilegedProcessKeepsOwnerAndGroup() throws {
    try self.makeOriginal(0o640, owner: 1234, group: 2345)
    let copy = try self.makeCopy()
    #expect(copy.st_uid == 1234 && copy.st_gid == 2345)
    #expect(copy.st_mode & 0o7777 == 0o640)
  }

  /// Runs in a process of its own, which goes over to another user.
  @Test(.enabled(if: geteuid() == 0)) func anotherUserKeepsTheGroupOrExcludesIt() async {
    await #expect(processExitsWith: .success) {
      let cases: [(groups: [gid_t], group: gid_t, mode: mode_t)] = [
        ([2345], 2345, 0o664), ([], 4321, 0o604),
      ]
      for (groups, group, mode) in cases {
        let tests = try FileAccessTests()
        try tests.makeOriginal(0o664, owner: 1234, group: 2345)
        #expect(chmod(tests.folder.path, 0o777) == 0)
        let status = exitStatusOfChild {
          guard setgroups(groups.count, groups) == 0, setgid(4321) == 0, setuid(4321) == 0,
            let copy = try? tests.makeCopy(), copy.st_uid == 4321
          else { return 1 }
          return copy.st_gid == group && copy.st_mode & 0o7777 == mode ? 0 : 2
        }
        #expect(status == 0)
      }
    }
  }

  // MARK: Access control lists

  private static let name = "system.posix_acl_access"

  /// Lets the user 1234 read a file.
  private static let list = Self.list(named: 4)

  private static func list(named permissions: UInt16) -> [UInt8] {
    let entries: [(tag: UInt16, permissions: UInt16, id: UInt32)] = [
      (0x01, 6, .max), (0x02, permissions, 1234), (0x04, 0, .max), (0x10, 4, .max),
      (0x20, 0, .max),
    ]
    var bytes: [UInt8] = [2, 0, 0, 0]
    for (tag, permissions, id) in entries {
      withUnsafeBytes(of: tag.littleEndian) { bytes += $0 }
      withUnsafeBytes(of: permissions.littleEndian) { bytes += $0 }
      withUnsafeBytes(of: id.littleEndian) { bytes += $0 }
    }
    return bytes
  }

  private static let hasLists: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return setxattr(folder.path, name, list, list.count, 0) == 0
  }()

  private func list(of name: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = getxattr(self.folder.file(name), Self.name, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }

  @Test(.enabled(if: FileAccessTests.hasLists)) func aListIsKept() throws {
    try self.makeOriginal(0o600)
    #expect(setxattr(self.original, Self.name, Self.list, Self.list.count, 0) == 0)
    #expect(try self.makeCopy().st_mode & 0o7777 == 0o640)
    #expect(self.list(of: "copy") == Self.list)
  }

  /// A new file has the list of its folder, if there is one.
  @Test(.enabled(if: FileAccessTests.hasLists)) func theListOfTheFolderIsNotAdded() throws {
    try self.makeOriginal(0o640)
    let list = Self.list
    #expect(
      setxattr(self.folder.path, "system.posix_acl_default", list, list.count, 0) == 0)
    #expect(try self.makeCopy().st_mode & 0o7777 == 0o640)
    #expect(self.list(of: "copy") == [])
  }
}
