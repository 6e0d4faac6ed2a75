import ImmutableJSON
import StateEngine

// The rules for the arguments of a remote store.

extension RemoteStore {
  /// The names of the arguments in messages.
  struct ArgumentNames {
    var address = "address"
    var token = "token"
  }

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
          + "http://127.0.0.1:8080")
    }
    return address.hasSuffix("/") ? String(address.dropLast()) : address
  }

  /// Validates a token for use in a header. The message does not quote it.
  static func validated(
    token: String?, _ names: ArgumentNames
  ) throws(EngineError) -> String? {
    guard let token else { return nil }
    let maximum = RemoteRequest.maximumTokenLength
    guard token.utf8.count <= maximum else {
      throw EngineError(
        .invalidArgument, "\(names.token): must have at most \(maximum) characters")
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
