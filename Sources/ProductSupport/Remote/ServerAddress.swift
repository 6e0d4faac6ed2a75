import ImmutableJSON
import Glibc

/// The address of a server: an HTTP URL to which paths can be appended (RFC 3986).
struct ServerAddress {
  /// The URL, with its scheme in lower case and without its last slash if it ends in one.
  let url: String

  enum Problem: Error {
    case notURL, userInfo, query, fragment, longHost, host, ipv4, port, path
  }

  init(_ address: String) throws(Problem) {
    let isVisibleASCII = address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    let schemes = ["http://", "https://"]
    guard isVisibleASCII,
      let scheme = schemes.first(where: { address.prefix($0.count).lowercased() == $0 })
    else { throw .notURL }
    let rest = address.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#".contains($0) }
    guard !authority.contains("@") else { throw .userInfo }
    if let mark = rest.first(where: "?#".contains) { throw mark == "?" ? .query : .fragment }

    let (host, port) = try Self.hostAndPort(in: authority)
    guard !host.isEmpty, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .notURL
    }
    guard host.utf8.count <= Self.maximumHostLength else { throw .longHost }
    guard host.hasPrefix("[") ? Self.isIPv6(host.dropFirst().dropLast()) : Self.isName(host) else {
      throw .host
    }
    guard !Self.endsInNumber(host) || Self.isIPv4(host) else { throw .ipv4 }
    guard port.isEmpty || (UInt16(port) ?? 0) > 0 else { throw .port }
    guard Self.isPath(rest.dropFirst(authority.count)) else { throw .path }
    self.url = scheme + (rest.hasSuffix("/") ? rest.dropLast() : rest)
  }
}

extension ServerAddress {
  /// The maximum length of a name in the DNS, in bytes (RFC 1035, section 3.1).
  static var maximumHostLength: Int { 253 }

  /// An address for a message: without what may be a password or a key.
  static func redacted(_ address: String) -> String {
    let at = address.utf8.lastIndex(of: UInt8(ascii: "@"))
    let mark = address.utf8.firstIndex(where: "?#".utf8.contains)
    // Both sides of such an "@" can be secret: `http://user:w?rd@host`, `http://host?id=a@b&key=c`.
    if let at, let mark, mark < at { return quoted("…") }
    let start = at ?? address.startIndex
    let shown = mark.map { address[start...$0] + "…" } ?? address[start...]
    return quoted((at == nil ? "" : "…") + shown)
  }

  /// Splits an authority without user info. The port may be empty.
  private static func hostAndPort(
    in authority: Substring
  ) throws(Problem) -> (host: Substring, port: Substring) {
    var end = authority.firstIndex(of: ":") ?? authority.endIndex
    if authority.hasPrefix("[") {
      // The colons of an IPv6 address are in brackets.
      guard let bracket = authority.firstIndex(of: "]") else { throw .host }
      end = authority.index(after: bracket)
    }
    let port = authority[end...]
    guard port.isEmpty || port.hasPrefix(":") else { throw .host }
    return (authority[..<end], port.dropFirst())
  }

  /// Whether text is an IPv6 address, possibly with a zone such as `%25eth0` (RFC 6874) or `%eth0`.
  private static func isIPv6(_ text: Substring) -> Bool {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first, parts.dropFirst().allSatisfy({ !$0.isEmpty && isName($0) })
    else { return false }
    var bytes = in6_addr()
    return inet_pton(AF_INET6, String(address), &bytes) == 1
  }

  /// Whether the last label of a name is a number, decimal or hexadecimal. No domain ends in one,
  /// so the name must be an IPv4 address (URL Standard, "ends in a number").
  private static func endsInNumber(_ text: Substring) -> Bool {
    guard let last = self.labels(of: text).last?.lowercased() else { return false }
    return last.hasPrefix("0x")
      ? last.dropFirst(2).allSatisfy(\.isHexDigit) : last.allSatisfy(\.isNumber)
  }

  /// Whether text is an IPv4 address with four decimal numbers (RFC 3986, section 3.2.2). Other
  /// forms, such as `127.0.0.010`, mean different hosts to different programs.
  private static func isIPv4(_ text: Substring) -> Bool {
    var bytes = in_addr()
    return inet_pton(AF_INET, self.labels(of: text).joined(separator: "."), &bytes) == 1
  }

  /// The labels of a name. The last one may be followed by a dot.
  private static func labels(of text: Substring) -> [Substring] {
    (text.hasSuffix(".") ? text.dropLast() : text)
      .split(separator: ".", omittingEmptySubsequences: false)
  }

  /// Whether text is a name of labels that can be looked up, or an IPv4 address (RFC 3986, section
  /// 3.2.2).
  private static func isName(_ text: Substring) -> Bool {
    self.labels(of: text).allSatisfy { (1...63).contains($0.utf8.count) }
      && self.isEncoded(text, alsoAllowed: "")
  }

  /// Whether ASCII text is a path (RFC 3986, section 3.3).
  private static func isPath(_ text: Substring) -> Bool {
    self.isEncoded(text, alsoAllowed: "/:@")
  }

  /// Whether ASCII text contains only unreserved characters, sub-delimiters and percent-encoded
  /// bytes (RFC 3986, section 2), and those that are also allowed.
  private static func isEncoded(_ text: Substring, alsoAllowed: String) -> Bool {
    let escapes = text.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
    return escapes.allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy(\.isHexDigit) }
      && text.allSatisfy {
        $0.isLetter || $0.isNumber || "-._~!$&'()*+,;=%".contains($0) || alsoAllowed.contains($0)
      }
  }
}
