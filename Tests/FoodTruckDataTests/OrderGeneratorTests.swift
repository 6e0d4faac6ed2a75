import Testing

@testable import FoodTruckData

@Suite struct OrderGeneratorTests {
  private static let now = Timestamp(milliseconds: 1_767_268_800_000)

  @Test(arguments: [UInt64(1), 5, .max])
  func ordersOfADay(_ seed: UInt64) throws {
    var generator = OrderGenerator(seed: seed)
    let orders = generator.todaysOrders(now: Self.now)
    #expect(orders.map(\.id) == (1...24).reversed().map { "Order#12\($0 < 10 ? "0" : "")\($0)" })
    var later = Self.now.adding(-240_000)
    for (index, order) in orders.enumerated() {
      let age = later.milliseconds - order.creationDate.milliseconds
      #expect(60_000..<180_000 ~= age)
      later = order.creationDate
      let ready = min(order.creationDate.adding(840_000), Self.now)
      #expect(order.status == (index > 8 ? .ready : .placed))
      #expect(order.completionDate == (index > 8 ? ready : nil))
      self.check(order)
    }
    var same = OrderGenerator(seed: seed)
    #expect(same.todaysOrders(now: Self.now) == orders)
    var other = OrderGenerator(seed: seed &+ 1)
    #expect(other.todaysOrders(now: Self.now) != orders)
  }

  private func check(_ order: Order) {
    #expect(1...5 ~= order.donuts.count)
    #expect(Set(order.donuts.map(\.id)) == Set(order.sales.keys))
    #expect(order.sales.count == order.donuts.count)
    #expect(order.sales.values.allSatisfy { 1...5 ~= $0 })
    #expect(order.grandTotal.tenThousandths == Int64(order.totalSales) * 57_800)
    #expect((order.city, order.parkingSpot) == ("Cupertino", "Apple Park"))
    #expect(order.temperature == 72 && !order.wasRaining)
  }

  /// Another machine or version of Swift must generate the same order.
  @Test func theOrdersOfASeedAreFixed() {
    var generator = OrderGenerator(seed: 1)
    let order = generator.generateOrder(number: 7, date: Timestamp(milliseconds: 1_000))
    #expect(order.id == "Order#1207")
    #expect(order.donuts.map(\.id) == [13, 8, 0])
    #expect(order.sales == [13: 4, 8: 5, 0: 1])
  }

  @Test func withoutDonuts() {
    var generator = OrderGenerator(seed: 1, donuts: [])
    let order = generator.generateOrder(number: -3, date: Timestamp(milliseconds: .min))
    #expect(order.donuts.isEmpty && order.sales.isEmpty && order.totalSales == 0)
    #expect(generator.todaysOrders(now: Timestamp(milliseconds: .min)).count == 24)
  }

  @Test func previewOrders() {
    let orders = Order.previewArray(date: Self.now)
    #expect(orders.map(\.id) == ["Order#1203", "Order#1204", "Order#1205", "Order#1206"])
    #expect(orders.map { $0.donuts.map(\.id) } == [[0], [7, 14], [0], [13, 12, 15]])
    #expect(orders[1].sales == [7: 2, 14: 1])
    #expect(orders.allSatisfy { $0.status == .ready && $0.grandTotal.description == "4.78" })
  }

  @Test func theMenu() {
    #expect(Donut.all.map(\.id) == Array(0...16))
    #expect(
      Donut.all.map(\.name) == [
        "The Classic", "Blueberry Frosted", "Strawberry Drizzle", "Cosmos", "Strawberry Sprinkles",
        "Lemon Chocolate", "Rainbow", "Picnic Basket", "Figure Skater", "Powdered Chocolate",
        "Powdered Strawberry", "Custard", "Super Lemon", "Fire Zest", "Black Raspberry", "Daytime",
        "Nighttime",
      ])
    let raw = Donut.all.map {
      "\($0.dough)/\($0.glaze?.rawValue ?? "–")/\($0.topping?.rawValue ?? "–")"
    }
    #expect(
      raw == [
        "plain/chocolate/sprinkles", "blueberry/blueberry/sugarLattice",
        "strawberry/strawberry/sugarDrizzle", "chocolate/chocolate/starSprinkles",
        "plain/strawberry/starSprinkles", "plain/chocolate/lemonLines", "plain/rainbow/–",
        "chocolate/strawberry/blueberryLattice", "plain/blueberry/sugarDrizzle",
        "chocolate/–/powderedSugar", "strawberry/–/powderedSugar", "lemonade/spicy/lemonLines",
        "lemonade/lemon/sprinkles", "lemonade/spicy/spicySauceDrizzle",
        "plain/chocolate/blueberryDrizzle", "lemonade/rainbow/–",
        "chocolate/chocolate/chocolateDrizzle",
      ])
  }

  @Test func displayNames() {
    #expect(
      Dough.allCases.map(\.displayName) == [
        "Blueberry Dough", "Chocolate Dough", "Sour Candy", "Strawberry Dough", "Plain",
        "Powdered Dough", "Lemonade",
      ])
    #expect(
      Glaze.allCases.map(\.displayName) == [
        "Blueberry Spread", "Chocolate Glaze", "Sour Candy Glaze", "Spicy Spread",
        "Strawberry Glaze", "Lemon Spread", "Rainbow Glaze",
      ])
    let flavors = [
      "Blueberry", "Chocolate", "Sour Apple", "Spicy Sauce", "Strawberry", "Sugar", "Lemon",
    ]
    #expect(
      Topping.allCases.map(\.displayName)
        == ["Powdered Sugar", "Sprinkles", "Star Sprinkles"]
        + ["Lattice", "Lines", "Drizzle"].flatMap { kind in flavors.map { "\($0) \(kind)" } })
  }
}
