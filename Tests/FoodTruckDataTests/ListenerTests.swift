import ImmutableData
import StateEngine
import TestSupport
import Testing

@testable import FoodTruckData

/// Records calls.
final class RecordingSession: ActivitySession {
  let calls = Recorder<String>()

  func startActivity(order: Order) {
    self.calls.append("start \(order.id) \(order.status) \(order.donuts.map(\.id))")
  }

  func endActivity(order: Order) {
    self.calls.append("end \(order.id) \(order.status) \(order.donuts.map(\.id))")
  }
}

/// A typed store with a model and both listeners.
final class TypedApplication: Sendable {
  let model: FoodTruckModel
  let session = RecordingSession()
  let store = Store(initialState: FoodTruckState(), reducer: FoodTruckReducer.reduce)
  let errors = Recorder<String>()
  let modelListener: ModelListener
  let storeListener: StoreListener

  init(_ orders: [Order], donuts: [Donut] = []) {
    self.model = FoodTruckModel(orders: orders, donuts: donuts, clock: ManualClock())
    let errors = self.errors
    self.modelListener = ModelListener { errors.append("\($0)") }
    self.storeListener = StoreListener(session: self.session)
    self.storeListener.listen(to: self.store, with: self.model)
    self.modelListener.listen(to: self.model, with: self.store)
  }

  func dispatch(_ action: FoodTruckAction) throws {
    try self.store.dispatch(action: action)
    try self.storeListener.settle()
  }
}

extension FoodTruckAction {
  static func tapStatus(_ id: Order.ID) -> Self {
    .ui(.orderDetailView(.onTapStatusButton(orderID: id)))
  }

  static func tapComplete(_ id: Order.ID) -> Self {
    .ui(.ordersView(.onTapCompleteOrderButton(orderID: id)))
  }
}

@Suite struct ListenerTests {
  struct Row: CustomTestStringConvertible {
    let status: OrderStatus
    let next: (status: OrderStatus, calls: [String])
    let completed: [String]

    var testDescription: String {
      "\(self.status)"
    }
  }

  /// The next status and the calls of the session after each tap. Donut 7 is not on the menu: the
  /// session gets the order as it was received.
  static let rows: [Row] = [
    Row(status: .placed, next: (.preparing, ["start a preparing [7]"]), completed: []),
    Row(
      status: .preparing, next: (.completed, ["end a completed [7]"]),
      completed: ["end a completed [7]"]),
    Row(status: .ready, next: (.ready, []), completed: []),
    Row(status: .completed, next: (.completed, []), completed: []),
  ]

  @Test(arguments: rows)
  func taps(_ row: Row) throws {
    let orders = [Order("a", row.status, donuts: [Donut(7)]), Order("b", .preparing)]
    let status = TypedApplication(orders)
    try status.dispatch(.tapStatus("a"))
    #expect(status.store.state.orders["a"]?.status == row.next.status)
    #expect(status.session.calls.all == row.next.calls)
    let complete = TypedApplication(orders)
    try complete.dispatch(.tapComplete("a"))
    #expect(complete.store.state.orders["a"]?.status == .completed)
    #expect(complete.session.calls.all == row.completed)
    for application in [status, complete] {
      #expect(application.store.state.orders["b"]?.status == .preparing)
      try application.dispatch(.tapStatus("none"))
      try application.dispatch(.tapComplete("none"))
      #expect(application.store.state.orders["b"]?.status == .preparing)
    }
    #expect(status.session.calls.all == row.next.calls)
    #expect(complete.session.calls.all == row.completed)
  }

  @Test func addedOrdersReachTheStore() throws {
    let application = TypedApplication([])
    try application.dispatch(.ui(.ordersView(.onTapAddOrderButton)))
    #expect(application.store.state.orders.map(\.key) == ["Order#1201"])
    #expect(application.session.calls.all == [])
  }

  /// Whatever changes the model, each transition is reported once.
  @Test func activitiesFollowTransitions() throws {
    let application = TypedApplication([Order("a"), Order("b", .preparing), Order("c", .ready)])
    let model = application.model
    func calls(_ change: () throws -> Void) throws -> [String] {
      let count = application.session.calls.all.count
      try change()
      try application.storeListener.settle()
      return Array(application.session.calls.all.dropFirst(count))
    }
    // Nothing for the orders that were there first.
    #expect(try calls {} == [])
    #expect(try calls { model.markOrderAsNextStep(id: "a") } == ["start a preparing []"])
    #expect(try calls { model.orders = model.orders.reversed() } == [])
    // Ordered by id, in one change. An order that went back is prepared again.
    #expect(
      try calls {
        model.orders = [Order("c", .preparing), Order("b", .placed), Order("a", .ready)]
      } == ["end a ready []", "end b placed []", "start c preparing []"])
    // Removed, and received again.
    #expect(
      try calls { model.orders = [Order("d", .preparing)] } == ["end c preparing []"])
    #expect(try calls { model.orders = [Order("c", .preparing), Order("d", .preparing)] } == [])
    #expect(try calls { model.markOrderAsCompleted(id: "d") } == ["end d completed []"])
    #expect(try calls { try application.dispatch(.tapComplete("c")) } == ["end c completed []"])
    #expect(application.errors.all == [])
  }

  @Test func theSameModelIsListenedToOnce() throws {
    let application = TypedApplication([Order("a")])
    let count = Recorder<Int>()
    let subscription = application.store.subscribe { _ in count.append(1) }
    application.modelListener.listen(to: application.model, with: application.store)
    #expect(count.all == [])
    application.model.markOrderAsNextStep(id: "a")
    #expect(count.all == [1])
    // Another model replaces it.
    let other = FoodTruckModel(orders: [Order("z")], donuts: [], clock: ManualClock())
    application.modelListener.listen(to: other, with: application.store)
    #expect(application.store.state.orders.map(\.key) == ["z"])
    application.model.markOrderAsNextStep(id: "a")
    #expect(application.store.state.orders.map(\.key) == ["z"])
    application.modelListener.cancel()
    other.markOrderAsNextStep(id: "z")
    #expect(application.store.state.orders["z"]?.status == .placed)
    application.modelListener.listen(to: other, with: application.store)
    #expect(application.store.state.orders["z"]?.status == .preparing)
    subscription.cancel()
  }

  @Test func theStoreListenerCallsItsLatestModel() throws {
    let application = TypedApplication([Order("a")])
    let other = FoodTruckModel(orders: [Order("a")], donuts: [], clock: ManualClock())
    application.storeListener.listen(to: application.store, with: other)
    try application.dispatch(.tapStatus("a"))
    #expect(application.model.orders == [Order("a")])
    #expect(other.orders == [Order("a", .preparing)])
    application.storeListener.cancel()
    try application.dispatch(.tapStatus("a"))
    #expect(other.orders == [Order("a", .preparing)])
  }

  @Test func ordersThatTheReducerRefuses() throws {
    let application = TypedApplication([Order("a")])
    application.model.orders = [Order("a"), Order("b"), Order("b")]
    #expect(
      application.errors.all
        == [#"several orders have the id "b"; each order needs an id of its own"#])
    #expect(application.store.state.orders.map(\.key) == ["a"])
    application.model.orders = [Order("b")]
    #expect(application.store.state.orders.map(\.key) == ["b"])
  }

  @Test func editedDonutsReachShownOrders() throws {
    let application = TypedApplication(
      [Order("a", donuts: [Donut(0), Donut(1)])], donuts: [Donut(0), Donut(1)])
    let shown = FoodTruckState.selectOrder(orderID: "a")
    application.model.updateDonut(id: 1, to: Donut(1, name: "New"))
    #expect(
      application.store.select(shown)?.donuts == [Donut(0), Donut(1, name: "New")])
    #expect(application.store.state.orders["a"]?.donuts == [Donut(0), Donut(1)])
  }

  /// The actions of one tap, in order.
  @Test func theOrderOfEvents() throws {
    let application = TypedApplication([Order("a")])
    let reader = application.store.makeReader()
    try application.dispatch(.tapStatus("a"))
    let changed = [Order("a", .preparing)]
    var actions: [FoodTruckAction] = []
    while actions.count < 2, case .element(let element) = reader.next() {
      if let action = element.action { actions.append(action) }
    }
    #expect(
      actions == [
        .tapStatus("a"), .data(.modelListener(.didReceiveOrders(orders: changed))),
      ])
  }
}
