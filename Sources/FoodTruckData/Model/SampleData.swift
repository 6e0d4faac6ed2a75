extension Donut {
  /// The menu of a new model.
  public static let all = [
    Donut(id: 0, name: "The Classic", dough: .plain, glaze: .chocolate, topping: .sprinkles),
    Donut(
      id: 1, name: "Blueberry Frosted", dough: .blueberry, glaze: .blueberry,
      topping: .sugarLattice),
    Donut(
      id: 2, name: "Strawberry Drizzle", dough: .strawberry, glaze: .strawberry,
      topping: .sugarDrizzle),
    Donut(id: 3, name: "Cosmos", dough: .chocolate, glaze: .chocolate, topping: .starSprinkles),
    Donut(
      id: 4, name: "Strawberry Sprinkles", dough: .plain, glaze: .strawberry,
      topping: .starSprinkles),
    Donut(id: 5, name: "Lemon Chocolate", dough: .plain, glaze: .chocolate, topping: .lemonLines),
    Donut(id: 6, name: "Rainbow", dough: .plain, glaze: .rainbow),
    Donut(
      id: 7, name: "Picnic Basket", dough: .chocolate, glaze: .strawberry,
      topping: .blueberryLattice),
    Donut(id: 8, name: "Figure Skater", dough: .plain, glaze: .blueberry, topping: .sugarDrizzle),
    Donut(id: 9, name: "Powdered Chocolate", dough: .chocolate, topping: .powderedSugar),
    Donut(id: 10, name: "Powdered Strawberry", dough: .strawberry, topping: .powderedSugar),
    Donut(id: 11, name: "Custard", dough: .lemonade, glaze: .spicy, topping: .lemonLines),
    Donut(id: 12, name: "Super Lemon", dough: .lemonade, glaze: .lemon, topping: .sprinkles),
    Donut(id: 13, name: "Fire Zest", dough: .lemonade, glaze: .spicy, topping: .spicySauceDrizzle),
    Donut(
      id: 14, name: "Black Raspberry", dough: .plain, glaze: .chocolate,
      topping: .blueberryDrizzle),
    Donut(id: 15, name: "Daytime", dough: .lemonade, glaze: .rainbow),
    Donut(
      id: 16, name: "Nighttime", dough: .chocolate, glaze: .chocolate, topping: .chocolateDrizzle),
  ]
}

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
