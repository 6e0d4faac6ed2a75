import ImmutableJSON
import ProductSupport
import StateEngine

/// Why a feed could not be read.
public typealias RemoteError = ProductSupport.RemoteError

/// Quakes from a feed of GeoJSON (RFC 7946), as the U.S. Geological Survey publishes it.
///
/// ```swift
/// let fetcher = Fetcher { task in … }  // performs the request, for example with URLSession
/// let store = try RemoteStore(fetcher: fetcher)
/// try store.fetchRemoteQuakesQuery(range: .allDay).quakes
/// ```
///
/// A call waits for the response, so it must not be made on the thread that performs the requests.
/// A store may be used from any thread.
public final class RemoteStore: PersistentSessionRemoteStore {
  private let server: RemoteServer

  /// The address of the feeds of the U.S. Geological Survey.
  public static var defaultAddress: String {
    "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary"
  }

  /// - Parameters:
  ///   - address: A URL to which the name of a feed is appended: `/all_hour.geojson`.
  ///   - fetcher: Performs the requests.
  ///   - timeout: How long to wait for a response, in milliseconds.
  /// - Throws: `EngineError`: `invalidArgument` if the address is not a URL.
  public convenience init(
    address: String = RemoteStore.defaultAddress, fetcher: Fetcher, timeout: Int32 = 30_000
  ) throws(EngineError) {
    try self.init(address: address, named: "address", fetcher: fetcher, timeout: timeout)
  }

  /// - Parameter name: The name of the address in messages.
  init(
    address: String, named name: String, fetcher: Fetcher, timeout: Int32
  ) throws(EngineError) {
    self.server = try RemoteServer(
      address: address, kind: "a feed of quakes", fetcher: fetcher, timeout: timeout,
      names: RemoteServer.ArgumentNames(address: name, example: Self.defaultAddress))
  }
}

extension RemoteStore {
  public func fetchRemoteQuakesQuery(range: QuakeRange) throws -> QuakeFeed {
    let request = FetchRequest(
      url: "\(self.server.address)/\(range.feed).geojson",
      headers: [FetchHeader("Accept", "application/geo+json, application/json")])
    return try self.server.response(to: request) { try QuakeFeed(geoJSON: $0) }
  }
}

extension QuakeRange {
  fileprivate var feed: String {
    switch self {
    case .allHour: "all_hour"
    case .allDay: "all_day"
    case .allWeek: "all_week"
    case .allMonth: "all_month"
    }
  }
}
