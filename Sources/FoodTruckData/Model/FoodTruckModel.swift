import Threading

/// The orders and the menu of a food truck, in a mutable object: the source of truth of an
/// application that was not written for a store.
///
/// ```swift
/// let model = FoodTruckModel()
/// model.markOrderAsNextStep(id: "Order#1224")
/// model.updateDonut(id: 0, to: Donut(id: 0, name: "The Modern", dough: .plain))
/// ```
///
/// A model may be used from any thread. It owns no thread and no timer: its clock calls it.
public final class FoodTruckModel: Sendable {
  struct State {
    var orders: [Order]
    var donuts: [Donut]
    var generator: OrderGenerator
    var publisher = Publisher()
  }

  let state: Mutex<State>
  let clock: any ModelClock

  /// Creates a model.
  ///
  /// - Parameters:
  ///   - orders: The initial orders; `nil` for generated ones.
  ///   - donuts: The initial menu.
  ///   - seed: Determines the generated orders.
  ///   - clock: The time of new orders.
  public init(
    orders: [Order]? = nil, donuts: [Donut] = Donut.all, seed: UInt64 = 1,
    clock: any ModelClock = WallClock()
  ) {
    var generator = OrderGenerator(seed: seed, donuts: donuts)
    let orders = orders ?? generator.todaysOrders(now: clock.now())
    self.state = Mutex(State(orders: orders, donuts: donuts, generator: generator))
    self.clock = clock
  }
}

extension FoodTruckModel {
  /// All orders. To change one order, prefer the functions below, which are atomic.
  public var orders: [Order] {
    get { self.state.withLock { $0.orders } }
    set { self.updateOrders { $0.orders = newValue } }
  }

  /// The menu. To change one donut, prefer ``updateDonut(id:to:)``, which is atomic.
  public var donuts: [Donut] {
    get { self.state.withLock { $0.donuts } }
    set { self.updateDonuts { $0.donuts = newValue } }
  }
}

// MARK: Orders

extension FoodTruckModel {
  /// Begins to prepare an order that was placed, or completes one that is being prepared. Changes
  /// nothing otherwise.
  public func markOrderAsNextStep(id: Order.ID) {
    self.updateOrder(id) { order in
      switch order.status {
      case .placed: order.status = .preparing
      case .preparing: order.status = .completed
      case .ready, .completed: break
      }
    }
  }

  /// Completes an order. Changes nothing if it is unknown.
  public func markOrderAsCompleted(id: Order.ID) {
    self.updateOrder(id) { $0.status = .completed }
  }

  /// Appends a random order that is placed now.
  public func addOrder() {
    let now = self.clock.now()
    self.updateOrders { state in
      let ids = Set(state.orders.map(\.id))
      var number = state.orders.count + 1
      while ids.contains(Order.id(number)) { number += 1 }
      state.orders.append(state.generator.generateOrder(number: number, date: now))
    }
  }

  private func updateOrder(_ id: Order.ID, _ change: (inout Order) -> Void) {
    self.updateOrders { state in
      guard let index = state.orders.firstIndex(where: { $0.id == id }) else { return }
      let status = state.orders[index].status
      var order = state.orders[index]
      change(&order)
      // Setting a field creates a new record.
      if order.status != status { state.orders[index] = order }
    }
  }
}

// MARK: Donuts

extension FoodTruckModel {
  /// Replaces a donut of the menu. Changes nothing if it is unknown.
  public func updateDonut(id: Donut.ID, to donut: Donut) {
    self.updateDonuts { state in
      guard let index = state.donuts.firstIndex(where: { $0.id == id }) else { return }
      state.donuts[index] = donut
    }
  }
}

// MARK: Orders that come in over time

extension FoodTruckModel {
  /// Adds orders, each 3 to 8 seconds after the previous one, as the timers of the clock fire.
  public func addOrdersOverTime(count: Int = 20) {
    guard count > 0 else { return }
    let interval = self.state.withLock { $0.generator.nextInterval() }
    self.clock.schedule(after: interval) { [weak self] in
      self?.addOrder()
      self?.addOrdersOverTime(count: count - 1)
    }
  }
}
