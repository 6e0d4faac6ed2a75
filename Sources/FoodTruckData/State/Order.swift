import HashTreeCollections
import ImmutableJSON
import ProductSupport

/// A point in time, in milliseconds since 1970.
public typealias Timestamp = ProductSupport.Timestamp

/// An order of donuts.
public struct Order: RecordValue, Codable, Hashable, Sendable, Identifiable {
  @usableFromInline package struct Fields: Codable, Hashable, Sendable {
    @Exact var id: String
    var status: OrderStatus
    var donuts: [Donut]
    var sales: Sales
    var grandTotal: Money
    @Exact var city: String
    @Exact var parkingSpot: String
    var creationDate: Timestamp
    var completionDate: Timestamp?
    @Exact var temperature: Double
    var wasRaining: Bool
  }

  @usableFromInline package var record: Record<Fields>

  package init(record: Record<Fields>) {
    self.record = record
  }

  /// - Parameters:
  ///   - id: Its id in the model.
  ///   - status: Its progress.
  ///   - donuts: The donuts as they were when the order was created.
  ///   - sales: How many of each donut were sold, by the id of the donut.
  ///   - grandTotal: The price of all donuts.
  ///   - city: The city in which the truck was.
  ///   - parkingSpot: The place in the city.
  ///   - creationDate: When it was placed.
  ///   - completionDate: When it was ready.
  ///   - temperature: In degrees Fahrenheit.
  ///   - wasRaining: Whether it rained.
  public init(
    id: String, status: OrderStatus, donuts: [Donut], sales: [Donut.ID: Int], grandTotal: Money,
    city: String, parkingSpot: String, creationDate: Timestamp, completionDate: Timestamp? = nil,
    temperature: Double, wasRaining: Bool
  ) {
    self.record = Record(
      Fields(
        id: id, status: status, donuts: donuts, sales: Sales(counts: sales),
        grandTotal: grandTotal, city: city, parkingSpot: parkingSpot, creationDate: creationDate,
        completionDate: completionDate, temperature: temperature, wasRaining: wasRaining))
  }

  public var id: String {
    self.record.fields.id
  }

  public var status: OrderStatus {
    get { self.record.fields.status }
    set { self.record.fields.status = newValue }
  }

  public var donuts: [Donut] {
    get { self.record.fields.donuts }
    set { self.record.fields.donuts = newValue }
  }

  public var sales: [Donut.ID: Int] {
    get { self.record.fields.sales.counts }
    set { self.record.fields.sales.counts = newValue }
  }

  public var grandTotal: Money {
    get { self.record.fields.grandTotal }
    set { self.record.fields.grandTotal = newValue }
  }

  public var city: String {
    get { self.record.fields.city }
    set { self.record.fields.city = newValue }
  }

  public var parkingSpot: String {
    get { self.record.fields.parkingSpot }
    set { self.record.fields.parkingSpot = newValue }
  }

  public var creationDate: Timestamp {
    get { self.record.fields.creationDate }
    set { self.record.fields.creationDate = newValue }
  }

  public var completionDate: Timestamp? {
    get { self.record.fields.completionDate }
    set { self.record.fields.completionDate = newValue }
  }

  public var temperature: Double {
    get { self.record.fields.temperature }
    set { self.record.fields.temperature = newValue }
  }

  public var wasRaining: Bool {
    get { self.record.fields.wasRaining }
    set { self.record.fields.wasRaining = newValue }
  }
}

extension Order {
  /// The number of donuts that were sold; the nearest integer if `Int` cannot represent it.
  public var totalSales: Int {
    self.record.fields.sales.total
  }

  /// This order with each of its donuts replaced by the current donut with its id. Donuts that no
  /// longer exist are left out.
  func joined(with donuts: TreeDictionary<Donut.ID, Donut>) -> Order {
    let current = self.donuts.compactMap { donuts[$0.id] }
    guard current != self.donuts else { return self }
    var order = self
    order.donuts = current
    return order
  }
}

extension Order: TableRecord {
  var isRepresentable: Bool {
    self.temperature.isFinite && !self.id.containsNUL
  }
}

extension Order.Fields: RecordFields {
  private enum Keys {
    static let id = ObjectKey("id")
    static let status = ObjectKey("status")
    static let donuts = ObjectKey("donuts")
    static let sales = ObjectKey("sales")
    static let grandTotal = ObjectKey("grandTotal")
    static let city = ObjectKey("city")
    static let parkingSpot = ObjectKey("parkingSpot")
    static let creationDate = ObjectKey("creationDate")
    static let completionDate = ObjectKey("completionDate")
    static let temperature = ObjectKey("temperature")
    static let wasRaining = ObjectKey("wasRaining")
  }

  package init(from members: MemberDecoder) throws {
    self.id = try members.decode(Keys.id)
    self.status = try members.decode(Keys.status)
    self.donuts = try members.decodeArray(Keys.donuts)
    self.sales = try members.decode(Keys.sales)
    self.grandTotal = try members.decode(Keys.grandTotal)
    self.city = try members.decode(Keys.city)
    self.parkingSpot = try members.decode(Keys.parkingSpot)
    self.creationDate = try members.decode(Keys.creationDate)
    self.completionDate = try members.decodeIfPresent(Keys.completionDate)
    self.temperature = try members.decode(Keys.temperature)
    self.wasRaining = try members.decode(Keys.wasRaining)
  }
}
