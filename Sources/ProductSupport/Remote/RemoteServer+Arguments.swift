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
    let host =
      ["http://", "https://"].lazy
      .filter { address.hasPrefix($0) }
      .map { address.dropFirst($0.count) }
      .first ?? ""
    let isPlain = host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#".utf8.contains($0) }
    guard !host.isEmpty, isPlain else {
      throw EngineError(
        .invalidArgument,
        "\(names.address): \(quoted(address)) is not a valid URL; expected, for example, "
          + names.example)
    }
    return address.hasSuffix("/") ? String(address.dropLast()) : address
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
