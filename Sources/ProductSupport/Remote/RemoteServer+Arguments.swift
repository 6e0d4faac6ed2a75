import ImmutableJSON
import StateEngine

// The rules for the arguments of a server.

extension RemoteServer {
  /// The names of the arguments in messages.
  package struct ArgumentNames {
    let address: String
    let token: String
    /// A valid address.
    let example: String

    package init(
      address: String = "address", token: String = "token",
      example: String = "http://127.0.0.1:8080"
    ) {
      self.address = address
      self.token = token
      self.example = example
    }
  }

  /// The maximum length of a token, in bytes.
  package static var maximumTokenLength: Int { 4_096 }

  /// Validates a URL to which paths can be appended.
  static func validated(
    address: String, _ names: ArgumentNames
  ) throws(EngineError) -> String {
    let rest =
      ["http://", "https://"].lazy
      .filter { address.hasPrefix($0) }
      .map { address.dropFirst($0.count) }
      .first ?? ""
    let isPlain = rest.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#".utf8.contains($0) }
    let (host, port) = Self.hostAndPort(in: rest)
    guard !host.isEmpty, isPlain, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw EngineError(
        .invalidArgument,
        "\(names.address): \(quoted(address)) is not a valid URL; expected, for example, "
          + names.example)
    }
    guard port.isEmpty || (UInt16(port) ?? 0) > 0 else {
      throw EngineError(
        .invalidArgument,
        "\(names.address): the port of \(quoted(address)) is not between 1 and \(UInt16.max)")
    }
    return address.hasSuffix("/") ? String(address.dropLast()) : address
  }

  /// The host and the port, which may be empty, in a URL without its scheme (RFC 3986, section
  /// 3.2).
  private static func hostAndPort(in rest: Substring) -> (host: Substring, port: Substring) {
    let authority = rest.prefix { $0 != "/" }
    let hostAndPort = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    // The colons of an IPv6 address are in brackets.
    let start = hostAndPort.firstIndex(of: "]") ?? hostAndPort.startIndex
    let colon = hostAndPort.suffix(from: start).firstIndex(of: ":") ?? hostAndPort.endIndex
    return (hostAndPort.prefix(upTo: colon), hostAndPort.suffix(from: colon).dropFirst())
  }

  /// Validates a token for use in a header. The message does not quote it.
  static func validated(
    token: String?, _ names: ArgumentNames
  ) throws(EngineError) -> String? {
    guard let token else { return nil }
    guard token.utf8.count <= self.maximumTokenLength else {
      throw EngineError(
        .invalidArgument, "\(names.token): must have at most \(self.maximumTokenLength) characters")
    }
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw EngineError(
        .invalidArgument,
        token.isEmpty
          ? "\(names.token): must not be empty"
          : "\(names.token): must contain only visible ASCII characters, no spaces or "
            + "line breaks")
    }
    return token
  }
}

extension Value {
  /// The option `timeout`: how long to wait for a response, in milliseconds.
  package var timeoutOption: Int32 {
    get throws(EngineError) {
      guard case .integer(let milliseconds)? = self["timeout"] else { return 30_000 }
      guard let timeout = Int32(exactly: milliseconds), timeout > 0 else {
        throw EngineError(
          .invalidArgument, "options/timeout: \(milliseconds) is not between 1 and \(Int32.max)")
      }
      return timeout
    }
  }
}
