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

  /// Validates the address of a server. The message shows no password.
  static func validated(
    address: String, _ names: ArgumentNames
  ) throws(EngineError) -> String {
    do {
      return try ServerAddress(address).url
    } catch {
      let shown = ServerAddress.redacted(address)
      let reason =
        switch error {
        case .notURL: "\(shown) is not a valid URL; expected, for example, \(names.example)"
        case .userInfo:
          "\(shown) has a user name or password, which requests would not send; remove it"
        case .query: "\(shown) has a query, but paths are appended to the address; remove it"
        case .fragment: "\(shown) has a fragment, but paths are appended to the address; remove it"
        case .longHost:
          "the host of \(shown) is longer than \(ServerAddress.maximumHostLength) bytes"
        case .host: "the host of \(shown) is not valid; expected, for example, \(names.example)"
        case .ipv4:
          "the host of \(shown) ends in a number, but is not an IPv4 address; write four numbers "
            + "from 0 to 255, such as 127.0.0.1"
        case .port: "the port of \(shown) is not between 1 and \(UInt16.max)"
        case .path:
          "the path of \(shown) is not valid; write special characters as % and two hexadecimal "
            + "digits, for example a space as %20"
        }
      throw EngineError(.invalidArgument, "\(names.address): \(reason)")
    }
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
