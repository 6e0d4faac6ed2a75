import ImmutableData
import TestSupport
import Testing

@testable import FoodTruckData

/// Random sequences of taps and of changes of the model, beside a naive model of the application.
@Suite struct InterleavingTests {
  @Test(arguments: seeds(20))
  func theApplicationAgreesWithTheNaiveModel(_ seed: Int) throws {
    let session = Session(seed: seed)
    for _ in 0..<40 {
      try session.step()
      try session.expectAgreement()
    }
  }
}

/// What the application must show, computed from plain arrays.
private struct NaiveApplication {
  var orders: [Order] = []
  var donuts: [Donut] = []
  /// The orders that the store has accepted.
  private(set) var stored: [Order] = []
  private(set) var calls: [String] = []
  private(set) var refused = 0

  mutating func publish() {
    guard Set(self.orders.map(\.id)).count == self.orders.count else { return self.refused += 1 }
    for id in Set((self.stored + self.orders).map(\.id)).sorted() {
      let old = self.stored.first { $0.id == id }
      let new = self.orders.first { $0.id == id }
      guard let old else { continue }
      if old.status != .preparing, new?.status == .preparing {
        self.calls.append("start \(id)")
      } else if old.status == .preparing, new?.status != .preparing {
        self.calls.append("end \(id)")
      }
    }
    self.stored = self.orders
  }

  mutating func mark(_ id: Order.ID, _ next: (OrderStatus) -> OrderStatus) {
    if let index = self.orders.firstIndex(where: { $0.id == id }) {
      self.orders[index].status = next(self.orders[index].status)
    }
    self.publish()
  }

  static func nextStep(_ status: OrderStatus) -> OrderStatus {
    [.placed: .preparing, .preparing: .completed][status] ?? status
  }

  func shown(_ order: Order) -> Order {
    var order = order
    order.donuts = order.donuts.compactMap { own in self.donuts.first { $0.id == own.id } }
    return order
  }

  /// The orders whose id, or a donut that is on the menu, contains a text, the first `count` by
  /// status.
  func shown(_ text: String, count: Int) -> [Order] {
    let found = self.stored.map(self.shown).filter { order in
      order.id.contains(text) || order.donuts.contains { $0.name.contains(text) }
    }
    return Array(
      found.sorted { ($0.status.rank, $0.id) < ($1.status.rank, $1.id) }.prefix(count))
  }
}

private final class Session {
  private let application: TypedApplication
  private var naive = NaiveApplication()
  private var generator: SeededGenerator
  private var log: [String] = []

  private static let ids = ["a", "b", "c", "d", "e"]

  init(seed: Int) {
    self.generator = SeededGenerator(seed)
    self.application = TypedApplication([])
  }

  private func any<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self.generator)]
  }

  private func randomOrder() -> Order {
    let donuts = (0..<Int.random(in: 0...2, using: &self.generator)).map { _ in self.randomDonut() }
    return Order(self.any(Self.ids), self.any(OrderStatus.allCases), donuts: donuts)
  }

  private func randomDonut() -> Donut {
    Donut(self.any([0, 1, 2]), name: self.any(["c", "x", "y"]))
  }

  func step() throws {
    let kind = Int.random(in: 0..<9, using: &self.generator)
    let id = self.any(Self.ids)
    self.log.append("\(kind) \(id)")
    switch kind {
    case 0, 1:
      self.naive.mark(id, NaiveApplication.nextStep)
      try self.application.dispatch(.tapStatus(id))
    case 2:
      self.naive.mark(id) { _ in .completed }
      try self.application.dispatch(.tapComplete(id))
    case 3:
      self.naive.mark(id, NaiveApplication.nextStep)
      self.application.model.markOrderAsNextStep(id: id)
    case 4:
      self.naive.donuts = self.randomDonuts()
      self.application.model.donuts = self.naive.donuts
    default:
      self.changeOrders()
    }
  }

  private func randomDonuts() -> [Donut] {
    [0, 1, 2].filter { _ in Bool.random(using: &self.generator) }.shuffled(using: &self.generator)
      .map { Donut($0, name: self.any(["c", "x", "y"])) }
  }

  /// Inserts, removes, replaces, swaps or duplicates orders of the model.
  private func changeOrders() {
    var orders = self.naive.orders
    for _ in 0...Int.random(in: 0...2, using: &self.generator) {
      let index = Int.random(in: 0...orders.count, using: &self.generator)
      switch Int.random(in: 0..<4, using: &self.generator) {
      case 0: orders.insert(self.randomOrder(), at: index)
      case 1: orders.shuffle(using: &self.generator)
      case 2 where index < orders.count: orders.remove(at: index)
      // An equal order in another box.
      case 3 where index < orders.count: orders[index].city += ""
      default: break
      }
    }
    // Most lists have no id twice.
    if Int.random(in: 0..<4, using: &self.generator) > 0 {
      var seen: Set<Order.ID> = []
      orders.removeAll { !seen.insert($0.id).inserted }
    }
    self.log.append("\(orders.map { "\($0.id) \($0.status)" })")
    self.naive.orders = orders
    self.naive.publish()
    self.application.model.orders = orders
  }

  func expectAgreement() throws {
    try self.application.storeListener.settle()
    let log = Comment(rawValue: self.log.joined(separator: "\n"))
    let state = self.application.store.state
    let stored = Dictionary(uniqueKeysWithValues: self.naive.stored.map { ($0.id, $0) })
    #expect(Dictionary(uniqueKeysWithValues: state.orders.map { ($0, $1) }) == stored, log)
    #expect(self.application.model.orders == self.naive.orders, log)
    #expect(self.application.errors.all.count == self.naive.refused, log)
    let calls = self.application.session.calls.all.map {
      $0.split(separator: " ").prefix(2).joined(separator: " ")
    }
    #expect(calls == self.naive.calls, log)
    // No name of an ingredient contains these.
    for text in ["", "c", "x"] {
      let shown = FoodTruckState.selectOrdersValues(
        searchText: text, min: 3, sort: [OrderSort(.status)])(state)
      #expect(shown == self.naive.shown(text, count: 3), log)
    }
    for id in Self.ids {
      #expect(
        FoodTruckState.selectOrder(orderID: id)(state) == stored[id].map(self.naive.shown), log)
    }
  }
}
