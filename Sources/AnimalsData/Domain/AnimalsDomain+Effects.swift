import ImmutableJSON
import ProductSupport
import StateEngine

extension AnimalsDomain {
  public static var options: [Schema.Property] {
    [
      .init(
        "store", .string, isRequired: false,
        "Path of the database, created if it does not exist; without it, one in memory."),
      .init(
        "remote", .string, isRequired: false,
        "URL of an animals server, such as http://127.0.0.1:8080, instead of a database."),
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
    guard let address = options["remote"]?.string else {
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
    let remote = try RemoteStore(
      address: address, token: options["token"]?.string, fetcher: fetcher,
      timeout: try options.timeoutOption, names: .options)
    return AnimalsEffects(store: remote, closesStore: true)
  }

  private static func makeLocalEffects(_ options: Value) throws(EngineError) -> AnimalsEffects {
    do {
      let store = try LocalStore(path: options["store"]?.string)
      return AnimalsEffects(store: store, closesStore: true)
    } catch {
      throw EngineError(error)
    }
  }
}

extension RemoteServer.ArgumentNames {
  fileprivate static var options: Self {
    Self(address: "options/remote", token: "options/token")
  }
}
