import ImmutableJSON
import Testing
import Threading

@testable import QuakesData
@testable import StateEngine

/// The requests of a remote store, and its results for the responses.
@Suite struct RemoteStoreTests {
  private static let json = [FetchHeader("content-type", "application/json; charset=utf-8")]

  /// Fetches a feed from a stand-in for its server, and returns the requests and the result.
  private func fetch(
    _ range: QuakeRange = .allDay, milliseconds: Int32 = 5_000,
    _ answer: @escaping @Sendable (FetchTask) throws -> Void
  ) -> (requests: [FetchRequest], result: String) {
    let requests = Mutex<[FetchRequest]>([])
    let fetcher = Fetcher { task in
      requests.withLock { $0.append(task.request) }
      try? answer(task)
    }
    let result: String
    do {
      let store = try RemoteStore(
        address: "http://host:1/feed", fetcher: fetcher, timeout: milliseconds)
      result = "\(try store.fetchRemoteQuakesQuery(range: range).quakes.count) quakes"
    } catch {
      result = "\(error)"
    }
    return (requests.withLock { $0 }, result)
  }

  private func result(
    status: Int = 200, type: String? = "application/json", _ body: String
  ) -> String {
    self.fetch { task in
      let headers = type.map { [FetchHeader("Content-Type", $0)] } ?? []
      try task.resolve(status: status, headers: headers, Array(body.utf8))
    }.result
  }

  @Test(arguments: [
    (QuakeRange.allHour, "all_hour"), (.allDay, "all_day"), (.allWeek, "all_week"),
    (.allMonth, "all_month"),
  ])
  func rangesAreFeeds(_ range: QuakeRange, _ feed: String) {
    let (requests, result) = self.fetch(range) {
      try $0.resolve(status: 200, headers: Self.json, Array(#"{"features":[]}"#.utf8))
    }
    #expect(result == "0 quakes")
    #expect(requests.map(\.url) == ["http://host:1/feed/\(feed).geojson"])
    #expect(requests.map(\.method) == ["GET"])
    #expect(
      requests.map(\.headers) == [[FetchHeader("Accept", "application/geo+json, application/json")]]
    )
  }

  @Test(arguments: ["application/json", "Application/JSON;charset=utf-8", "application/geo+json"])
  func mediaTypesOfJSON(_ type: String) {
    #expect(self.result(type: type, #"{"features":[]}"#) == "0 quakes")
  }

  @Test(arguments: [
    (
      200, "text/html", "<html></html>",
      #"http://host:1/feed answered with "text/html", not with JSON; is it a feed of quakes?"#
    ),
    (
      200, nil, #"{"features":[]}"#,
      "http://host:1/feed answered without a content type; is it a feed of quakes?"
    ),
    (404, "text/html", "<html></html>", "http://host:1/feed answered with status 404"),
    (503, "application/json", "{}", "http://host:1/feed answered with status 503"),
    (
      200, "application/json", "<html></html>",
      "http://host:1/feed sent an unexpected answer: invalid token near '<' (line 1, column 1)"
    ),
    (
      200, "application/json", #"{"features":[{"id""#,
      "http://host:1/feed sent an unexpected answer: ':' expected near end of file (line 1, column "
        + "18)"
    ),
    (
      200, "application/json", #"{"features":[{"mag":1e999}]}"#,
      "http://host:1/feed sent an unexpected answer: real number overflow near '1e999'; integers "
        + "have 64 bits, other numbers are doubles (line 1, column 25)"
    ),
    (
      200, "application/json", #"{"type":"Topology"}"#,
      #"http://host:1/feed sent an unexpected answer: body: the member "features" is missing"#
    ),
    (
      200, "application/json", #"{"features":[{"type":"Feature"}]}"#,
      #"http://host:1/feed sent an unexpected answer: body/features/0: the member "properties" is "#
        + #"missing"#
    ),
  ])
  func unusableResponses(_ status: Int, _ type: String?, _ body: String, _ message: String) {
    #expect(self.result(status: status, type: type, body) == message)
  }

  @Test func noResponse() {
    #expect(
      self.fetch { try $0.reject("connection refused") }.result
        == "no response from http://host:1/feed: connection refused")
    #expect(
      self.fetch(milliseconds: 20) { _ in }.result
        == "http://host:1/feed: there was no response within 20 ms")
    #expect(
      self.fetch { task in
        try task.receive(status: 200, headers: Self.json, Array("{\"features\"".utf8))
        try task.reject("the connection was cut")
      }.result == "no response from http://host:1/feed: the connection was cut")
  }

  /// 100 MB in parts of 10 MB: the request ends at the limit.
  @Test func aBodyBeyondTheLimit() {
    let (_, result) = self.fetch { task in
      let part = [UInt8](repeating: 0x20, count: 10_000_000)
      for _ in 0..<10 {
        try task.receive(status: 200, headers: Self.json, part)
      }
    }
    #expect(result == "http://host:1/feed: the response is longer than 67108864 bytes")
  }

  @Test(arguments: ["", "localhost", "ftp://host", "http://", "http://a b"])
  func invalidAddresses(_ address: String) {
    let message =
      "address: \"\(address)\" is not a valid URL; expected, for example, "
      + "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary"
    #expect(throws: EngineError(.invalidArgument, message)) {
      try RemoteStore(address: address, fetcher: Fetcher { _ in })
    }
  }
}
