import ImmutableData
import TestSupport
import Testing
import Threading

@testable import FoodTruckData

/// A clock that stands still, and whose timers fire when a test says so.
final class ManualClock: ModelClock {
  private let timers = Mutex<[(delay: Int32, work: @Sendable () -> Void)]>([])
  private let time = Timestamp(milliseconds: 1_000_000_000)

  func now() -> Timestamp {
    self.time
  }

  func schedule(after milliseconds: Int32, _ work: @escaping @Sendable () -> Void) {
    self.timers.withLock { $0.append((milliseconds, work)) }
  }

  var delays: [Int32] {
    self.timers.withLock { $0.map(\.delay) }
  }

  /// Fires the next timer.
  func fire() {
    self.timers.withLock { $0.removeFirst() }.work()
  }
}

@Suite struct ModelTests {
  private func model(_ orders: [Order]) -> FoodTruckModel {
    FoodTruckModel(orders: orders, clock: ManualClock())
  }

  // MARK: Orders

  @Test(arguments: [
    (OrderStatus.placed, OrderStatus.preparing), (.preparing, .completed), (.ready, .ready),
    (.completed, .completed),
  ])
  func nextSteps(_ status: OrderStatus, _ next: OrderStatus) {
    let others = OrderStatus.allCases.map { Order("\($0)", $0) }
    let model = self.model(others + [Order("a", status)])
    model.markOrderAsNextStep(id: "a")
    #expect(model.orders == others + [Order("a", next)])
    model.markOrderAsNextStep(id: "none")
    #expect(model.orders == others + [Order("a", next)])
  }

  @Test(arguments: OrderStatus.allCases)
  func completion(_ status: OrderStatus) {
    let others = OrderStatus.allCases.map { Order("\($0)", $0) }
    let model = self.model(others + [Order("a", status)])
    model.markOrderAsCompleted(id: "a")
    // The date of completion is not set.
    #expect(model.orders == others + [Order("a", .completed)])
    model.markOrderAsCompleted(id: "none")
    #expect(model.orders == others + [Order("a", .completed)])
  }

  @Test func theFirstOfSeveralOrdersWithOneIdChanges() {
    let model = self.model([Order("a"), Order("a")])
    model.markOrderAsNextStep(id: "a")
    #expect(model.orders == [Order("a", .preparing), Order("a")])
  }

  @Test func addedOrdersHaveTheNextFreeNumber() {
    let model = self.model([])
    (0..<101).forEach { _ in model.addOrder() }
    let ids = model.orders.map(\.id)
    #expect(ids.prefix(3) == ["Order#1201", "Order#1202", "Order#1203"])
    #expect(ids.suffix(3) == ["Order#1299", "Order#12100", "Order#12101"])
    #expect(model.orders.allSatisfy { $0.status == .placed && $0.completionDate == nil })
    // The number after the count is in use.
    let preview = self.model(Order.previewArray(date: Timestamp(milliseconds: 0)))
    preview.addOrder()
    #expect(preview.orders.last?.id == "Order#1207")
  }

  @Test func ordersComeInOverTime() {
    let clock = ManualClock()
    let model = FoodTruckModel(clock: clock)
    #expect(clock.delays == [])
    model.addOrdersOverTime()
    for count in 24..<44 {
      #expect(model.orders.count == count)
      #expect(clock.delays.count == 1 && clock.delays.allSatisfy { 3_000...8_000 ~= $0 })
      clock.fire()
    }
    #expect(model.orders.count == 44 && clock.delays == [])
    #expect(Set(model.orders.map(\.id)).count == 44)
  }

  @Test func timersDoNotRetainTheModel() {
    let clock = ManualClock()
    FoodTruckModel(clock: clock).addOrdersOverTime()
    clock.fire()
    #expect(clock.delays == [])
  }

  // MARK: Donuts

  @Test func donuts() {
    let model = FoodTruckModel(orders: [], donuts: [Donut(3), Donut(5)], clock: ManualClock())
    model.updateDonut(id: 5, to: Donut(5, name: "New"))
    model.updateDonut(id: 4, to: Donut(4))
    #expect(model.donuts == [Donut(3), Donut(5, name: "New")])
  }

  // MARK: Publishing

  @Test func subscribersReceiveChangesInOrder() {
    let model = FoodTruckModel(orders: [], donuts: [], clock: ManualClock())
    let changes = Recorder<FoodTruckModel.Change>()
    let subscription = model.subscribe { changes.append($0) }
    model.orders = [Order("a")]
    model.donuts = [Donut(0)]
    model.markOrderAsNextStep(id: "a")
    // As with a published property, a call that changes nothing publishes, too.
    model.markOrderAsNextStep(id: "none")
    subscription.cancel()
    model.orders = []
    #expect(
      changes.all == [
        .donuts([]), .orders([]), .orders([Order("a")]), .donuts([Donut(0)]),
        .orders([Order("a", .preparing)]), .orders([Order("a", .preparing)]),
      ])
  }

  @Test func aSubscriberMayChangeTheModel() {
    let model = FoodTruckModel(orders: [Order("a")], donuts: [], clock: ManualClock())
    let statuses = Recorder<OrderStatus>()
    let subscription = model.subscribe { change in
      guard case .orders(let orders) = change else { return }
      orders.forEach { statuses.append($0.status) }
      if orders.first?.status != .completed { model.markOrderAsNextStep(id: "a") }
    }
    #expect(statuses.all == [.placed, .preparing, .completed])
    subscription.cancel()
  }

  @Test func changesOfSeveralThreadsArePublishedInOrder() {
    let model = FoodTruckModel(orders: [], donuts: [], clock: ManualClock())
    let counts = Recorder<Int>()
    let subscription = model.subscribe { change in
      if case .orders(let orders) = change { counts.append(orders.count) }
    }
    onThreads(4) { _ in
      for _ in 0..<25 { model.addOrder() }
    }
    // Another thread may be publishing when a call returns.
    counts.wait(for: 101)
    #expect(counts.all == Array(0...100))
    subscription.cancel()
  }
}
