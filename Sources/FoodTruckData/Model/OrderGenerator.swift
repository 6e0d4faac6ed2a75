import ProductSupport

/// Generates random orders. The same seed yields the same orders on every machine.
public struct OrderGenerator: Sendable {
  private var random: RandomGenerator
  private let donuts: [Donut]

  /// - Parameters:
  ///   - seed: Any number.
  ///   - donuts: The donuts that can be ordered.
  public init(seed: UInt64, donuts: [Donut] = Donut.all) {
    self.random = RandomGenerator(seed: seed)
    self.donuts = donuts
  }
}

extension OrderGenerator {
  /// Returns an order that was just placed: one to five of each of one to five donuts.
  ///
  /// - Parameters:
  ///   - number: Determines its id: `Order#1203` for 3.
  ///   - date: When it was placed.
  public mutating func generateOrder(number: Int, date: Timestamp) -> Order {
    let count = Int(self.random.integer(in: 1...5))
    let donuts = Array(self.random.shuffled(self.donuts).prefix(count))
    var sales: [Donut.ID: Int] = [:]
    var total: Int64 = 0
    for donut in donuts {
      let count = self.random.integer(in: 1...5)
      sales[donut.id] = Int(count)
      total += count
    }
    return Order(
      id: Order.id(number), status: .placed, donuts: donuts, sales: sales,
      grandTotal: Money(tenThousandths: total * 57_800), city: "Cupertino",
      parkingSpot: "Apple Park", creationDate: date, temperature: 72, wasRaining: false)
  }

  /// Returns the 24 orders of a day, the latest first. Each was placed one to three minutes after
  /// the order that follows it in the array. The nine latest are not ready.
  public mutating func todaysOrders(now: Timestamp) -> [Order] {
    let count = 24
    var time = now.adding(-4 * 60_000)
    return (0..<count).map { index in
      time = time.adding(-self.random.integer(in: 60_000...179_999))
      var order = self.generateOrder(number: count - index, date: time)
      if index > 8 {
        order.status = .ready
        order.completionDate = min(time.adding(14 * 60_000), now)
      }
      return order
    }
  }

  /// Returns the time until the next order of a timed model, in milliseconds: 3 to 8 seconds.
  mutating func nextInterval() -> Int32 {
    Int32(self.random.integer(in: 3_000...8_000))
  }
}

extension Timestamp {
  /// The time some milliseconds later; the nearest time if it cannot be represented.
  func adding(_ milliseconds: Int64) -> Timestamp {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    return Timestamp(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
  }
}
