import FoodTruckData
import HashTreeCollections
import ImmutableData
import ImmutableJSON
import StateEngine
import Synchronization

private typealias FoodTruckStore = Store<FoodTruckState, FoodTruckAction>

/// Receives 65,536 orders, one of which changed, compared with building a dictionary of them.
func measureReceive() {
  let orders = orders(count: 65_536)
  var changed = orders
  changed[40_000].status = .completed
  let store = FoodTruckStore(
    initialState: FoodTruckState(orders: orders), reducer: FoodTruckReducer.reduce)
  let dispatches = 10
  var counts = (0, 0)
  let times = measureInTurns(
    operations: dispatches,
    [
      {
        for round in 0..<dispatches {
          let list = round % 2 == 0 ? changed : orders
          do {
            try store.dispatch(action: .data(.modelListener(.didReceiveOrders(orders: list))))
          } catch {
            fatalError("\(error)")
          }
        }
      },
      {
        for _ in 0..<dispatches {
          counts.0 += Dictionary(uniqueKeysWithValues: changed.map { ($0.id, $0) }).count
        }
      },
      {
        for _ in 0..<dispatches {
          counts.1 += TreeDictionary(uniqueKeysWithValues: changed.map { ($0.id, $0) }).count
        }
      },
    ])
  precondition(counts.0 == counts.1 && counts.0 > 0)
  let job = "receive 65,536 orders, one changed"
  printRow(job, times[0], "build a Dictionary", times[1], "s", goal: "ratio <= 0.2")
  printRow(job, times[0], "build a TreeDictionary", times[2], "s", goal: "ratio <= 0.2")
}

private final class Counter: Sendable {
  let value = Atomic(0)
}

/// Receives the same orders as JSON, with observers of 1,024 orders, of which exactly one is
/// called.
func measureObservedOrders() throws {
  let orders = orders(count: 65_536)
  var changed = orders
  changed[40_000].status = .completed
  let store = try AnyStore(
    FoodTruckDomain.self, options: ["state": Value(encoding: FoodTruckState(orders: orders))])
  let calls = Counter()
  let observations = try stride(from: 0, to: 65_536, by: 64).map { number in
    try store.observe("selectOrder", ["orderID": .string("Order#\(number)")]) { _ in
      calls.value.add(1, ordering: .relaxed)
    }
  }
  let lists = try [changed, orders].map { try Value(encoding: $0) }
  let initial = calls.value.load(ordering: .relaxed)
  var dispatches = 0
  let times = measureInTurns(
    operations: 1,
    [
      {
        do {
          try store.dispatch([
            "type": "data/modelListener/didReceiveOrders",
            "payload": ["orders": lists[dispatches % 2]],
          ])
        } catch {
          fatalError("\(error)")
        }
        dispatches += 1
      }
    ])
  precondition(calls.value.load(ordering: .relaxed) == initial + dispatches)
  printRow("receive 65,536 orders as JSON, 1,024 observed", times[0], "", 0, "s")
  observations.forEach { $0.cancel() }
}

/// Selects the first 5 of 65,536 orders, compared with sorting all of them.
func measureFirst() {
  let state = FoodTruckState(orders: orders(count: 65_536))
  for sort in [[OrderSort(.creationDate, .reverse)], [OrderSort(.status), OrderSort(.city)]] {
    let first = FoodTruckState.selectOrdersValues(min: 5, sort: sort)
    let all = FoodTruckState.selectOrdersValues(sort: sort)
    var (ours, theirs): ([Order], [Order]) = ([], [])
    let times = measureInTurns(operations: 1, [{ ours = first(state) }, { theirs = all(state) }])
    precondition(ours == Array(theirs.prefix(5)))
    let keys = sort.map(\.key.rawValue).joined(separator: ", ")
    printRow(
      "first 5 of 65,536 orders by \(keys)", times[0], "sort all", times[1], "s",
      goal: "ratio <= 0.1")
  }
}

/// Orders whose dates and cities are not in the order of the ids.
private func orders(count: Int) -> [Order] {
  (0..<count).map { number in
    Order(
      id: "Order#\(number)", status: OrderStatus.allCases[number % 4],
      donuts: [Donut.all[number % 17]], sales: [number % 17: 1],
      grandTotal: Money(tenThousandths: 57_800), city: "City \(number * 7919 % 100)",
      parkingSpot: "Park", creationDate: Timestamp(milliseconds: Int64(number * 7919 % 65_537)),
      temperature: 72, wasRaining: false)
  }
}
