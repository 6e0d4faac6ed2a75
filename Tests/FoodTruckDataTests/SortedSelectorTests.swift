import ImmutableJSON
import ProductSupport
import StateEngine
import TestSupport
import Testing

@testable import FoodTruckData

/// The sorted selector of a store updates its previous output. After random actions, the output is
/// that of a plain sort, with the current donuts.
@Suite struct SortedSelectorTests {
  @Test(arguments: seeds(3)) func outputsAreThoseOfAPlainSort(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    let store = try AnyStore.foodTruck()
    var orders: [String: String] = [:]
    for _ in 0..<30 {
      if generator.isOne(in: 8) {
        try store.dispatch(Self.menu(&generator))
      } else {
        for _ in 0..<(generator.isOne(in: 6) ? 40 : 1) {
          let id = "\(Int.random(in: 0..<40, using: &generator))"
          orders[id] = generator.isOne(in: 3) ? nil : Self.order(id, &generator)
        }
        let list = orders.sorted { $0.key < $1.key }.map(\.value).joined(separator: ",")
        try store.dispatch(received(list))
      }
      try Self.expectAgreement(store)
    }
  }

  private static func menu(_ generator: inout SeededGenerator) -> String {
    let donuts = (0..<3).filter { _ in Bool.random(using: &generator) }.map { id in
      donut(id, name: ["x", "y"][Int.random(in: 0..<2, using: &generator)])
    }
    return receivedDonuts(donuts.joined(separator: ","))
  }

  private static func order(_ id: String, _ generator: inout SeededGenerator) -> String {
    func any<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &generator)]
    }
    return FoodTruckDataTests.order(
      id, any(["placed", "preparing"]), donuts: any([[], [donut(0)], [donut(1), donut(2)]]),
      city: any(["Cupertino", "é", "e\u{301}"]), completed: any([nil, 1, 2]))
  }

  private static func expectAgreement(_ store: AnyStore) throws {
    let state = try store.state().decode(FoodTruckState.self)
    for (text, sort) in [
      ("", [OrderSort(.city, .reverse), OrderSort(.status)]), ("x", [OrderSort(.completionDate)]),
      ("1", []),
    ] {
      let arguments: Value = ["searchText": .string(text), "sort": try Value(encoding: sort)]
      let select = FoodTruckState.selectOrdersValues(searchText: text, sort: sort)
      #expect(try store.select("selectOrdersValues", arguments) == Value(encoding: select(state)))
    }
  }
}
