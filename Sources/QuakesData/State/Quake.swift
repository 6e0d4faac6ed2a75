import ImmutableJSON
import ProductSupport

/// A point in time, in milliseconds since 1970.
public typealias Timestamp = ProductSupport.Timestamp

/// An earthquake.
public struct Quake: RecordValue, Codable, Hashable, Sendable, Identifiable {
  @usableFromInline package struct Fields: Codable, Hashable, Sendable {
    @Exact var quakeId: String
    @Exact var magnitude: Double
    var time: Timestamp
    var updated: Timestamp
    @Exact var name: String
    @Exact var longitude: Double
    @Exact var latitude: Double
  }

  @usableFromInline package var record: Record<Fields>

  package init(record: Record<Fields>) {
    self.record = record
  }

  /// - Parameters:
  ///   - quakeId: Its id in the feed.
  ///   - magnitude: On the scale of the feed; it can be 0 or negative.
  ///   - time: When it happened.
  ///   - updated: When its data last changed.
  ///   - name: The place, such as `4 km W of Cobb, CA`.
  ///   - longitude: In degrees, positive in the east.
  ///   - latitude: In degrees, positive in the north.
  public init(
    quakeId: String, magnitude: Double, time: Timestamp, updated: Timestamp, name: String,
    longitude: Double, latitude: Double
  ) {
    self.record = Record(
      Fields(
        quakeId: quakeId, magnitude: magnitude, time: time, updated: updated, name: name,
        longitude: longitude, latitude: latitude))
  }

  public var id: String {
    self.quakeId
  }

  public var quakeId: String {
    get { self.record.fields.quakeId }
    set { self.record.fields.quakeId = newValue }
  }

  public var magnitude: Double {
    get { self.record.fields.magnitude }
    set { self.record.fields.magnitude = newValue }
  }

  public var time: Timestamp {
    get { self.record.fields.time }
    set { self.record.fields.time = newValue }
  }

  public var updated: Timestamp {
    get { self.record.fields.updated }
    set { self.record.fields.updated = newValue }
  }

  public var name: String {
    get { self.record.fields.name }
    set { self.record.fields.name = newValue }
  }

  public var longitude: Double {
    get { self.record.fields.longitude }
    set { self.record.fields.longitude = newValue }
  }

  public var latitude: Double {
    get { self.record.fields.latitude }
    set { self.record.fields.latitude = newValue }
  }
}

extension Quake {
  /// Whether JSON can write the numbers, and the database can store the texts. The reducer admits
  /// no other quakes.
  var isRepresentable: Bool {
    self.magnitude.isFinite && self.longitude.isFinite && self.latitude.isFinite
      && !self.quakeId.containsNUL && !self.name.containsNUL
  }
}

extension Quake.Fields: RecordFields {
  private enum Keys {
    static let quakeId = ObjectKey("quakeId")
    static let magnitude = ObjectKey("magnitude")
    static let time = ObjectKey("time")
    static let updated = ObjectKey("updated")
    static let name = ObjectKey("name")
    static let longitude = ObjectKey("longitude")
    static let latitude = ObjectKey("latitude")
  }

  package init(from members: MemberDecoder) throws {
    self.quakeId = try members.decode(Keys.quakeId)
    self.magnitude = try members.decode(Keys.magnitude)
    self.time = try members.decode(Keys.time)
    self.updated = try members.decode(Keys.updated)
    self.name = try members.decode(Keys.name)
    self.longitude = try members.decode(Keys.longitude)
    self.latitude = try members.decode(Keys.latitude)
  }
}
