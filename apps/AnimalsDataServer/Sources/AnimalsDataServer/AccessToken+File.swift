import AnimalsServer
import Glibc

/// Why a token cannot be used. The messages never quote it.
enum AccessTokenError: Error, CustomStringConvertible {
  case unreadable(path: String, reason: String)

  /// - Parameter source: The option or the file that the token comes from.
  case invalid(_ source: String)

  var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read the token file '\(path)': \(reason)"
    case .invalid(let source):
      "\(source) must be 1 to \(AccessToken.maximumLength) visible ASCII characters without spaces."
    }
  }
}

extension AccessToken {
  /// Reads a token from the first line of a file.
  init(file path: String) throws(AccessTokenError) {
    guard let file = fopen(path, "re") else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    // Room for a line break, and for one more byte to detect a line that is too long.
    var bytes = [UInt8](repeating: 0, count: AccessToken.maximumLength + 3)
    let count = fread(&bytes, 1, bytes.count, file)
    guard ferror(file) == 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    let line = bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }
    let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    guard let token = AccessToken(String(decoding: text, as: UTF8.self)) else {
      throw .invalid("the first line of '\(path)'")
    }
    self = token
  }
}
