extension Order {
  /// Four orders for previews of a user interface.
  ///
  /// - Parameter date: When they were placed.
  public static func previewArray(date: Timestamp) -> [Order] {
    let sales = [[0: 1], [7: 2, 14: 1], [0: 1], [13: 1, 12: 1, 15: 1]]
    let donuts = [[0], [7, 14], [0], [13, 12, 15]]
    return zip(3..., zip(donuts, sales)).map { number, contents in
      Order(
        id: self.id(number), status: .ready, donuts: contents.0.map { Donut.all[$0] },
        sales: contents.1, grandTotal: Money(tenThousandths: 47_800), city: "Cupertino",
        parkingSpot: "Apple Park", creationDate: date, temperature: 72, wasRaining: false)
    }
  }

  /// The id of an order by its number: `Order#1203` for 3.
  static func id(_ number: Int) -> ID {
    "Order#12\(number < 10 ? "0" : "")\(number)"
  }
}
