import ImmutableJSON
import StateEngine

extension AnimalsDomain {
  public static var options: [Schema.Property] {
    [
      .init(
        "store", .string, isRequired: false,
        "Path of the database, created if it does not exist; without it, one in memory."),
      .init(
        "remote", .string, isRequired: false,
        "URL of a server of animals, such as http://127.0.0.1:8080, instead of a database."),
      .init(
        "token", .string, isRequired: false,
        "The token that the server requires, sent as \"Authorization: Bearer …\"; with remote."),
      .init(
        "timeout", .integer, isRequired: false,
        "How long to wait for a response of the server, in milliseconds; 30000 by default."),
    ]
  }

  public static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<AnimalsState, AnimalsAction>)? {
    guard case .string(let address)? = options["remote"] else {
      guard options["token"] == nil else {
        throw EngineError(
          .invalidArgument, "options: \"token\" is for a server; add \"remote\", or leave it out")
      }
      return try self.makeLocalEffects(options)
    }
    guard options["store"] == nil else {
      throw EngineError(
        .invalidArgument, "options: \"store\" and \"remote\" exclude each other; leave out one")
    }
    let remote = RemoteStore(
      address: try self.validated(address: address), token: try self.token(options["token"]),
      fetcher: fetcher,
      milliseconds: try self.timeout(options["timeout"]))
    return AnimalsListener(store: remote, follower: ChangeFollower(remote))
  }

  /// Validates a URL to which paths can be appended.
  private static func validated(address: String) throws(EngineError) -> String {
    let host =
      ["http://", "https://"].lazy
      .filter { address.hasPrefix($0) }
      .map { address.dropFirst($0.count) }
      .first ?? ""
    let isPlain = host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#".utf8.contains($0) }
    guard !host.isEmpty, isPlain else {
      throw EngineError(
        .invalidArgument,
        "options/remote: \(quoted(address)) is not a valid URL; expected, for example, "
          + "http://127.0.0.1:8080")
    }
    return address.hasSuffix("/") ? String(address.dropLast()) : address
  }

  /// Validates a token for use in a header. The message does not quote it.
  private static func token(_ option: Value?) throws(EngineError) -> String? {
    guard case .string(let token)? = option else { return nil }
    let maximum = RemoteRequest.maximumTokenLength
    guard token.utf8.count <= maximum else {
      throw EngineError(
        .invalidArgument, "options/token: must have at most \(maximum) characters")
    }
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw EngineError(
        .invalidArgument,
        token.isEmpty
          ? "options/token: must not be empty"
          : "options/token: must contain only visible ASCII characters, no spaces or "
            + "line breaks")
    }
    return token
  }

  private static func timeout(_ option: Value?) throws(EngineError) -> Int32 {
    guard case .integer(let milliseconds)? = option else { return 30_000 }
    guard let timeout = Int32(exactly: milliseconds), timeout > 0 else {
      throw EngineError(
        .invalidArgument, "options/timeout: \(milliseconds) is not between 1 and \(Int32.max)")
    }
    return timeout
  }

  private static func makeLocalEffects(_ options: Value) throws(EngineError) -> AnimalsListener {
    var path: String?
    if case .string(let text)? = options["store"] { path = text }
    do {
      return AnimalsListener(store: try LocalStore(path: path))
    } catch {
      throw EngineError(error)
    }
  }
}

extension EngineError {
  /// Converts the error of opening or copying a database.
  init(_ error: LocalStore.Error) {
    let code: Code =
      switch error.code {
      case .io: .io
      case .corrupt: .corrupt
      case .invalid: .invalidArgument
      case .closed: .closed
      case .animalNotFound: .notFound
      }
    self.init(code, error.message)
  }
}
