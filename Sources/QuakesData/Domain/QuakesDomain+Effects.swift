import ImmutableJSON
import ProductSupport
import StateEngine

extension QuakesDomain {
  public static var options: [Schema.Property] {
    [
      .init(
        "store", .string, isRequired: false,
        "Path of the cache, a database that is created if it does not exist; without it, one in "
          + "memory."),
      .init(
        "feed", .string, isRequired: false,
        "URL to which the name of a feed is appended, such as /all_hour.geojson; by default "
          + "\(RemoteStore.defaultAddress)."),
      .init(
        "timeout", .integer, isRequired: false,
        "How long to wait for a feed, in milliseconds; 30000 by default."),
    ]
  }

  public static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<QuakesState, QuakesAction>)? {
    let remoteStore = try RemoteStore(
      address: options["feed"]?.string ?? RemoteStore.defaultAddress, named: "options/feed",
      fetcher: fetcher, timeout: try options.timeoutOption)
    do {
      let localStore = try LocalStore(path: options["store"]?.string)
      return QuakesEffects(localStore: localStore, remoteStore: remoteStore, closesStore: true)
    } catch {
      throw EngineError(error)
    }
  }
}
