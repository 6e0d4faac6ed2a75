internal import CLinux
import Glibc
import ImmutableJSON
import Threading

/// The sockets of inspectors.
enum InspectorSocket {
  /// How many connections may wait to be accepted.
  private static var backlog: Int32 { 16 }

  /// The path of the socket of this process, in a folder that only the user can enter.
  static func defaultPath() throws(EngineError) -> String {
    // Short, as the path of a socket must be.
    let name = program.utf8.prefix(32).map { byte in
      let isPlain =
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || ".-_".utf8.contains(byte)
      return isPlain ? byte : UInt8(ascii: "_")
    }
    return try self.folder() + "/\(String(decoding: name, as: UTF8.self))-\(getpid()).sock"
  }

  /// The name of this program.
  static var program: String {
    String(cString: linux_program_name())
  }

  private static func folder() throws(EngineError) -> String {
    // A relative path is to be ignored, says the XDG Base Directory Specification.
    let runtime = TraceEnvironment.variable("XDG_RUNTIME_DIR").flatMap {
      $0.utf8.first == UInt8(ascii: "/") ? "\($0)/immutabledata" : nil
    }
    let folder = runtime ?? "/tmp/immutabledata-\(geteuid())"
    // Whatever the umask is.
    if mkdir(folder, 0o700) == 0 { chmod(folder, 0o700) }
    var status = stat()
    guard lstat(folder, &status) == 0 else { throw self.failure(folder) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else {
      throw EngineError(
        .io,
        "the folder \(quoted(folder)) of the inspector must belong to the user, with the mode 0700"
          + "; remove it, or name a path in options/inspect")
    }
    return folder
  }

  /// Makes a socket and listens on it. It replaces a socket that nobody listens to.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` for a path that cannot be one; `io`; `limit`
  ///   without descriptors.
  static func listen(at path: String) throws(EngineError) -> (descriptor: Int32, inode: ino_t) {
    // It has its name only when it listens, so that no other program takes it for a stale one.
    let temporary = "\(path).\(getpid())~"
    guard !path.isEmpty, path.utf8.count <= Self.longestPath,
      let address = self.address(of: temporary)
    else {
      throw EngineError(
        .invalidArgument,
        "the path of a socket has 1 to \(Self.longestPath) bytes without a NUL: \(quoted(path))")
    }
    let descriptor = self.open { socket(AF_UNIX, Self.kind, 0) }
    guard descriptor >= 0 else { throw .noDescriptor }
    do throws(EngineError) {
      try self.requireNobody(at: path)
    } catch {
      self.close(descriptor)
      throw error
    }
    var status = stat()
    guard fchmod(descriptor, 0o600) == 0, self.bind(descriptor, address),
      Glibc.listen(descriptor, self.backlog) == 0, lstat(temporary, &status) == 0,
      rename(temporary, path) == 0
    else {
      let failure = self.failure(path)
      if status.st_ino != 0 { unlink(temporary) }
      self.close(descriptor)
      throw failure
    }
    return (descriptor, status.st_ino)
  }

  /// Throws if a path is that of a file, or of a socket to which somebody listens.
  private static func requireNobody(at path: String) throws(EngineError) {
    var status = stat()
    guard lstat(path, &status) == 0, let address = self.address(of: path) else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw EngineError(.io, "\(quoted(path)) is a file, and no socket; name another path")
    }
    let probe = self.open { socket(AF_UNIX, Self.kind, 0) }
    guard probe >= 0 else { throw .noDescriptor }
    defer { self.close(probe) }
    guard !self.connect(probe, address), errno == ECONNREFUSED else {
      throw EngineError(.io, "another program listens on \(quoted(path)); name another path")
    }
  }

  /// Removes a socket, unless another one has its path.
  static func remove(_ path: String, _ inode: ino_t) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_ino == inode { unlink(path) }
  }

  enum Accepted {
    case connection(Int32)
    /// It was not from a process of the user, or has ended.
    case refused
    /// The process has no descriptors left.
    case noDescriptor
  }

  /// Accepts a connection.
  ///
  /// - Returns: `nil` if none waits.
  static func accept(_ listener: Int32) -> Accepted? {
    let descriptor = self.open {
      accept4(listener, nil, nil, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
    }
    guard descriptor >= 0 else {
      switch errno {
      case EAGAIN: return nil
      case EINTR, ECONNABORTED: return .refused
      default: return .noDescriptor
      }
    }
    guard linux_peer_user(descriptor) == Int(geteuid()) else {
      self.close(descriptor)
      return .refused
    }
    return .connection(descriptor)
  }
}

// MARK: Descriptors

extension InspectorSocket {
  /// Opens a descriptor, which the child of a fork closes.
  private static func open(_ body: () -> Int32) -> Int32 {
    OpenDescriptors.closeInChildren()
    return ForkLock.shared.excludingForks {
      let descriptor = aboveStandardStreams(body())
      if descriptor >= 0 { OpenDescriptors.insert(descriptor) }
      return descriptor
    }
  }

  static func close(_ descriptor: Int32) {
    guard descriptor >= 0 else { return }
    ForkLock.shared.excludingForks {
      OpenDescriptors.remove(descriptor)
      Glibc.close(descriptor)
    }
  }
}

// MARK: Addresses

extension InspectorSocket {
  private static var kind: Int32 {
    Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
  }

  /// Leaves room for the number of the process, and a NUL.
  private static var longestPath: Int {
    MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 10
  }

  /// - Returns: `nil` for a path that is empty, too long or contains a NUL.
  private static func address(of path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let isStored = withUnsafeMutableBytes(of: &address.sun_path) { target in
      guard !bytes.isEmpty, bytes.count < target.count, !bytes.contains(0) else { return false }
      target.copyBytes(from: bytes)
      return true
    }
    return isStored ? address : nil
  }

  private static func bind(_ descriptor: Int32, _ address: sockaddr_un) -> Bool {
    self.withAddress(address) { Glibc.bind(descriptor, $0, $1) == 0 }
  }

  private static func connect(_ descriptor: Int32, _ address: sockaddr_un) -> Bool {
    // A full backlog is that of a program that listens.
    self.withAddress(address) { Glibc.connect(descriptor, $0, $1) == 0 || errno == EAGAIN }
  }

  private static func withAddress(
    _ address: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) -> Bool {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private static func failure(_ path: String) -> EngineError {
    EngineError(
      .io, "the socket \(quoted(path)) cannot be made: \(String(cString: strerror(errno)))")
  }
}
