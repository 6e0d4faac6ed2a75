#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is read as a whole.
enum SmallFile {
  /// The maximum number of bytes to read. Time zone files have at most a few thousand.
  static let limit = 1 << 20

  /// Why a file cannot be read.
  struct ReadError: Error {
    let reason: String
  }

  /// Reads a file. Returns `nil` if the path does not lead to a regular file.
  static func contents(of path: String) throws(ReadError) -> [UInt8]? {
    // Non-blocking, because opening a pipe would otherwise wait for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let number = errno
      if [ENOENT, ENOTDIR, ENAMETOOLONG, ENXIO].contains(number) { return nil }
      throw ReadError(reason: String(cString: strerror(number)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return try self.bytes(descriptor)
  }

  private static func bytes(_ descriptor: Int32) throws(ReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 13)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        let number = errno
        if number == EINTR { continue }
        throw ReadError(reason: String(cString: strerror(number)))
      }
      bytes += buffer.prefix(count)
      guard bytes.count <= self.limit else {
        throw ReadError(reason: "it has more than \(self.limit) bytes")
      }
    }
  }

  /// The target of a symbolic link; `nil` if the path is not one.
  static func target(ofLink path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
