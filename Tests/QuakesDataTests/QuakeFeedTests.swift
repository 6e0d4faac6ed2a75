import ImmutableJSON
import Testing

@testable import QuakesData

/// GeoJSON, and the quakes or the error that it yields.
@Suite struct QuakeFeedTests {
  /// A feature of a valid quake, with parts replaced by JSON; a part that is "" is left out.
  private static func feature(
    id: String = #""1""#, properties: String? = nil, mag: String = "1.5",
    place: String = #""West of California""#, time: String = "1000", updated: String = "1000",
    geometry: String? = nil, coordinates: String = "[-125.0,35.0,10.0]"
  ) -> String {
    func object(_ members: [(String, String)]) -> String {
      "{" + members.filter { !$0.1.isEmpty }.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
    return object([
      ("type", #""Feature""#), ("id", id),
      (
        "properties",
        properties
          ?? object([
            ("mag", mag), ("place", place), ("time", time), ("updated", updated), ("tsunami", "0"),
          ])
      ),
      (
        "geometry",
        geometry ?? object([("type", #""Point""#), ("coordinates", coordinates)])
      ),
    ])
  }

  private static func collection(_ features: String...) -> String {
    #"{"type":"FeatureCollection","metadata":{"count":1},"#
      + #""features":[\#(features.joined(separator: ","))]}"#
  }

  private func quakes(_ feed: QuakeFeed) throws -> [String] {
    try feed.quakes.map { try Value(encoding: $0).json }
  }

  @Test(arguments: [
    (feature(), quake("1")),
    (feature(mag: "null"), quake("1", magnitude: "0.0")),
    (feature(mag: ""), quake("1", magnitude: "0.0")),
    (feature(mag: "2"), quake("1", magnitude: "2.0")),
    (feature(mag: "-0.0"), quake("1", magnitude: "-0.0")),
    (feature(place: "null"), quake("1", name: "")),
    (feature(place: ""), quake("1", name: "")),
    (feature(place: #""Île d'Yeu 東""#), quake("1", name: "Île d'Yeu 東")),
    (feature(time: "2e3"), quake("1", time: 2_000)),
    (feature(time: "-1"), quake("1", time: -1)),
    (feature(time: "9223372036854775807"), quake("1", time: .max)),
    (feature(coordinates: "[-125,35]"), quake("1")),
    (feature(coordinates: "[-125,90.0]"), quake("1", latitude: "90.0")),
    (feature(id: #""é""#), quake("é")),
  ])
  func validFeatures(_ feature: String, _ expected: String) throws {
    let feed = try QuakeFeed(geoJSON: Value(json: Self.collection(feature)))
    #expect(try self.quakes(feed) == [expected])
    #expect(feed.skipped == nil)
  }

  @Test func noFeatures() throws {
    #expect(try QuakeFeed(geoJSON: Value(json: Self.collection())) == QuakeFeed(quakes: []))
  }

  @Test(arguments: [
    ("[]", "body: expected an object, found an array"),
    ("null", "body: expected an object, found null"),
    ("{}", #"body: the member "features" is missing"#),
    (#"{"features":{}}"#, "body/features: expected an array, found an object"),
    (#"{"features":null}"#, "body/features: expected an array, found null"),
  ])
  func textThatIsNotAFeed(_ text: String, _ message: String) throws {
    #expect { try QuakeFeed(geoJSON: Value(json: text)) } throws: { "\($0)" == message }
  }

  static let faults = [
    ("7", ": expected an object, found an integer"),
    ("{}", #": the member "properties" is missing"#),
    (feature(id: ""), #": the member "id" is missing"#),
    (feature(id: "7"), "/id: expected a string, found an integer"),
    (feature(id: "null"), "/id: expected a string, found null"),
    (feature(id: #""a\u0000b""#), #"/id: "a\u0000b" contains U+0000, which cannot be stored"#),
    (feature(properties: "null"), "/properties: expected an object, found null"),
    (feature(mag: #""2.5""#), "/properties/mag: expected a number, found a string"),
    (feature(place: "7"), "/properties/place: expected a string, found an integer"),
    (
      feature(place: #""\u0000""#),
      #"/properties/place: "\u0000" contains U+0000, which cannot be stored"#
    ),
    (feature(time: ""), #"/properties: the member "time" is missing"#),
    (
      feature(time: "1.5"),
      "/properties/time: expected an integer, the milliseconds since 1970, found 1.5"
    ),
    (
      feature(time: "1e19"),
      "/properties/time: expected an integer, the milliseconds since 1970, found 1e+19"
    ),
    (
      feature(time: #""1000""#),
      "/properties/time: expected an integer, the milliseconds since 1970, found a string"
    ),
    (feature(updated: ""), #"/properties: the member "updated" is missing"#),
    (
      feature(updated: "null"),
      "/properties/updated: expected an integer, the milliseconds since 1970, found null"
    ),
    (feature(geometry: "null"), "/geometry: expected an object, found null"),
    (feature(coordinates: ""), #"/geometry: the member "coordinates" is missing"#),
    (feature(coordinates: "7"), "/geometry/coordinates: expected an array, found an integer"),
    (
      feature(coordinates: "[]"),
      "/geometry/coordinates: expected a longitude and a latitude, found 0 elements"
    ),
    (
      feature(coordinates: "[1]"),
      "/geometry/coordinates: expected a longitude and a latitude, found 1 element"
    ),
    (feature(coordinates: "[1,null]"), "/geometry/coordinates/1: expected a number, found null"),
    (
      feature(coordinates: #"["1",2]"#),
      "/geometry/coordinates/0: expected a number, found a string"
    ),
    (
      feature(coordinates: "[180.5,0]"),
      "/geometry/coordinates/0: 180.5 is not between -180 and 180"
    ),
    (feature(coordinates: "[0,-91]"), "/geometry/coordinates/1: -91 is not between -90 and 90"),
    (
      feature(coordinates: "[1e300,0]"),
      "/geometry/coordinates/0: 1e+300 is not between -180 and 180"
    ),
  ]

  @Test(arguments: faults)
  func aFeatureThatIsNotAQuakeIsSkipped(_ feature: String, _ problem: String) throws {
    let text = Self.collection(Self.feature(), feature, feature, Self.feature(id: #""2""#))
    let feed = try QuakeFeed(geoJSON: Value(json: text))
    #expect(try self.quakes(feed) == [quake("1"), quake("2")])
    #expect(feed.skipped == .init(count: 2, error: "body/features/1\(problem)"))
    // A feed without a valid feature is not a feed of quakes.
    #expect {
      try QuakeFeed(geoJSON: Value(json: Self.collection(feature, feature)))
    } throws: {
      "\($0)" == "body/features/0\(problem)"
    }
  }
}
