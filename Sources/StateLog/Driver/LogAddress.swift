/// The address of a log that a driver keeps, such as `postgresql://db.example/app?log=board-7`.
package struct LogAddress: Sendable {
  package let text: String
  /// What is before `://`.
  package let scheme: String

  /// - Returns: `nil` for the path of a file.
  package init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      text[colon...].utf8.starts(with: "://".utf8)
    else { return nil }
    let scheme = text[..<colon]
    guard Self.isScheme(scheme) else { return nil }
    (self.text, self.scheme) = (text, String(scheme))
  }

  /// Whether a text is a scheme (RFC 3986) of lower-case letters.
  package static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
      default: false
      }
    }
  }

  /// The address without what may be a secret: a password, and all parameters except the name of
  /// the log.
  package var name: String {
    let rest = self.text.dropFirst(self.scheme.count + 3)
    // A password may have any character, also those that should be escaped.
    let isName = { (at: Substring.Index) in rest[..<at].drop { $0 != "?" }.contains("=") }
    let at = rest.indices.last { rest[$0] == "@" && !isName($0) } ?? rest.startIndex
    let user = rest[..<at].prefix { $0 != ":" }
    let parts = rest[at...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let log = parts.dropFirst().flatMap { $0.split(separator: "&") }.first { $0.hasPrefix("log=") }
    return self.scheme + "://" + user + (parts.first ?? "") + (log.map { "?" + $0 } ?? "")
  }
}
