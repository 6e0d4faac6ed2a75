import FoodTruckData
import ImmutableJSON
import ProductSupport
import TestSupport
import Testing

@Suite struct RecordTests {
  @Test func recordsCompareAllTheirFieldsAsJSON() throws {
    let order = Order(
      id: "a", status: .placed, donuts: [], sales: [:], grandTotal: Money(tenThousandths: 0),
      city: "", parkingSpot: "", creationDate: Timestamp(milliseconds: 0), temperature: 72,
      wasRaining: false)
    #expect(try inexactMembers(Order.self, Value(encoding: order)) == [])
    let donut = Donut(id: 1, name: "The Classic", dough: .plain)
    #expect(try inexactMembers(Donut.self, Value(encoding: donut)) == [])
  }

  @Test func aRecordIsPrintedByItsFields() {
    let donut = Donut(id: 1, name: "The Classic", dough: .plain, glaze: .chocolate)
    #expect(
      "\(donut)"
        == #"Donut(id: 1, name: "The Classic", dough: FoodTruckData.Dough.plain, "#
        + "glaze: Optional(FoodTruckData.Glaze.chocolate), topping: nil)")
    let order = Order(
      id: "a", status: .placed, donuts: [], sales: [1: 2],
      grandTotal: Money(tenThousandths: 115_600), city: "London",
      parkingSpot: "Park", creationDate: Timestamp(milliseconds: 0), temperature: 72,
      wasRaining: false)
    #expect(
      "\(order)"
        == #"Order(id: "a", status: FoodTruckData.OrderStatus.placed, donuts: [], sales: [1: 2], "#
        + #"grandTotal: 11.56, city: "London", parkingSpot: "Park", "#
        + "creationDate: 0, completionDate: nil, temperature: 72.0, "
        + "wasRaining: false)")
  }
}
