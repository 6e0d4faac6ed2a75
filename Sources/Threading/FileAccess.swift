internal import CLinux
import Glibc

/// Who may use a file: its owner and group, its mode, its access control list and its label of
/// SELinux.
///
/// A file that copies or replaces another one is made for its owner alone, and then gets the access
/// of the other one. If its group or list cannot be kept, the group may not use it.
package struct FileAccess: Sendable {
  private let owner: uid_t
  private let group: gid_t
  private let mode: mode_t
  private let accessList: [UInt8]?
  private let label: [UInt8]?

  /// The access of the file at a path; `nil` if there is none.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status) { getAttribute(path, $0, $1, $2) }
  }

  /// The access of an open file.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status) { getAttribute(descriptor, $0, $1, $2) }
  }

  /// - Parameter attribute: Reads an extended attribute into a buffer of a size, and returns its
  ///   length, also if the size is 0.
  private init(
    _ status: stat, _ attribute: (String, UnsafeMutableRawPointer?, _ size: Int) -> Int
  ) {
    func value(_ name: String) -> [UInt8]? {
      let size = attribute(name, nil, 0)
      guard size > 0 else { return nil }
      var value = [UInt8](repeating: 0, count: size)
      let length = value.withUnsafeMutableBytes { attribute(name, $0.baseAddress, size) }
      return length == size ? value : nil
    }
    (self.owner, self.group) = (status.st_uid, status.st_gid)
    self.mode = status.st_mode & 0o777
    self.accessList = value(accessListName)
    self.label = value(labelName)
  }
}

extension FileAccess {
  /// Lets the same users use an open file, which its owner alone may use until then. What the
  /// system refuses leaves it to fewer users.
  package func apply(to descriptor: Int32) {
    // Only a privileged process can change the owner.
    if fchown(descriptor, self.owner, self.group) != 0 {
      _ = fchown(descriptor, uid_t.max, self.group)
    }
    if let label { _ = setAttribute(descriptor, labelName, label) }
    var status = stat()
    let keepsGroup = fstat(descriptor, &status) == 0 && status.st_gid == self.group
    // Without a list, a new file may have that of its folder. With one, the bits of the group limit
    // all that the list permits.
    let keepsList =
      self.accessList.map { setAttribute(descriptor, accessListName, $0) }
      ?? removeAttribute(descriptor, accessListName)
    // Last: until here only the owner may use the file.
    fchmod(descriptor, keepsGroup && keepsList ? self.mode : self.mode & ~0o070)
  }
}

private let accessListName = "system.posix_acl_access"
private let labelName = "security.selinux"

private func getAttribute(
  _ path: String, _ name: String, _ value: UnsafeMutableRawPointer?, _ size: Int
) -> Int {
  getxattr(path, name, value, size)
}

private func getAttribute(
  _ descriptor: Int32, _ name: String, _ value: UnsafeMutableRawPointer?, _ size: Int
) -> Int {
  fgetxattr(descriptor, name, value, size)
}

private func setAttribute(_ descriptor: Int32, _ name: String, _ value: [UInt8]) -> Bool {
  fsetxattr(descriptor, name, value, value.count, 0) == 0
}

private func removeAttribute(_ descriptor: Int32, _ name: String) -> Bool {
  fremovexattr(descriptor, name) == 0 || errno == ENODATA || errno == ENOTSUP
}
