import ImmutableJSON
import TestSupport
import Testing

@testable import FoodTruckData
@testable import StateEngine

/// The domain with its effects, through JSON.
@Suite struct DomainTests {
  private func open(_ options: String) throws -> AnyStore {
    let store = try AnyStore(FoodTruckDomain.self, options: Value(json: options))
    try store.settle()
    return store
  }

  /// Sets functions that record their arguments.
  private func record(_ names: [String], of store: AnyStore) throws -> Recorder<String> {
    let calls = Recorder<String>()
    for name in names {
      try store.setEffect(name) { task in
        calls.append("\(name) \(task.arguments.json)")
        try? task.resolve()
      }
    }
    return calls
  }

  // MARK: A model in the library

  @Test(arguments: ["timed", "seeded"])
  func aModelPublishesItsOrdersAndItsMenu(_ kind: String) throws {
    let store = try self.open(#"{"model":"\#(kind)"}"#)
    let state = try store.state().decode(FoodTruckState.self)
    #expect(state.orders.count == 24)
    #expect(state.donuts.values.sorted { $0.id < $1.id } == Donut.all)
    store.close()
  }

  @Test func theSameSeedHasTheSameOrders() throws {
    func state(_ seed: String) throws -> String {
      let store = try self.open(#"{"model":"seeded"\#(seed)}"#)
      for action in [tapAdd, tapAdd, tapStatus("Order#1224"), tapComplete("Order#1225")] {
        try store.dispatch(action)
      }
      try store.settle()
      return try store.state().json
    }
    #expect(try state("") == state(#","seed":1"#))
    #expect(try state(#","seed":-1"#) == state(#","seed":-1"#))
    #expect(try state(#","seed":2"#) != state(""))
  }

  @Test func tapsReachTheModel() throws {
    let store = try self.open(#"{"model":"seeded"}"#)
    let activities = try self.record(["startActivity", "endActivity"], of: store)
    for action in [
      tapAdd, tapStatus("Order#1225"), tapStatus("Order#1225"), tapStatus("none"),
      tapComplete("Order#1203"),
    ] {
      try store.dispatch(action)
    }
    try store.settle()
    let statuses = try store.select(
      "selectOrdersStatuses", ["orderIDs": ["Order#1225", "Order#1203", "Order#1224"]])
    #expect(
      statuses.json
        == #"{"Order#1203":"completed","Order#1224":"placed","Order#1225":"completed"}"#)
    #expect(
      activities.all.map { $0.prefix(while: { $0 != " " }) } == ["startActivity", "endActivity"])
    #expect(try store.statistics()["failedEffects"] == 0)
  }

  /// A model continues with the orders and the menu of a saved state.
  @Test func aModelStartsFromTheState() throws {
    let saved = state(
      ["a": order("a"), "b": order("b", "preparing", donuts: [donut(3)])],
      donuts: ["3": donut(3), "10": donut(10)])
    let store = try self.open(#"{"model":"seeded","state":\#(saved)}"#)
    #expect(try store.state().json == saved)
    try store.dispatch(tapStatus("b"))
    try store.dispatch(tapAdd)
    try store.settle()
    let statuses = try store.select(
      "selectOrdersStatuses", ["orderIDs": ["a", "b", "Order#1203"]])
    #expect(statuses.json == #"{"Order#1203":"placed","a":"placed","b":"completed"}"#)
  }

  /// The domain with a timed model whose clock a test controls.
  private enum TimedDomain: Domain {
    static let name = FoodTruckDomain.name
    static let summary = FoodTruckDomain.summary
    static let clock = ManualClock()
    static var initialState: FoodTruckState { FoodTruckDomain.initialState }
    static var stateSchema: Schema { FoodTruckDomain.stateSchema }
    static var actions: [ActionDescription<Action>] { FoodTruckDomain.actions }
    static var selectors: [SelectorDescription<FoodTruckState>] { FoodTruckDomain.selectors }
    static var programEffects: [ProgramEffectDescription] { FoodTruckDomain.programEffects }

    static func reduce(
      _ state: FoodTruckState, _ action: FoodTruckAction
    ) throws -> FoodTruckState {
      try FoodTruckDomain.reduce(state, action)
    }

    static func makeEffects(
      _ options: Value, _ fetcher: Fetcher
    ) throws -> (any Effects<FoodTruckState, FoodTruckAction>)? {
      DomainEffects { _ in
        let model = FoodTruckModel(orders: [], clock: self.clock)
        model.addOrdersOverTime()
        return model
      }
    }
  }

  @Test func aTimedModelStopsWithItsStore() throws {
    let store = try AnyStore(TimedDomain.self)
    try store.settle()
    TimedDomain.clock.fire()
    TimedDomain.clock.fire()
    try store.settle()
    guard case .array(let orders) = try store.select("selectOrdersValues") else {
      Issue.record("the orders are not an array")
      return
    }
    #expect(orders.map { $0["id"] } == ["Order#1201", "Order#1202"])
    store.close()
    TimedDomain.clock.fire()
    #expect(try store.statistics()["failedEffects"] == 0)
  }

  // MARK: A model of the program

  @Test func effectsReachTheProgram() throws {
    let store = try self.open(#"{"state":\#(state(["a": order("a", donuts: [donut(7)])]))}"#)
    let calls = try self.record(
      [
        "startActivity", "endActivity", "markOrderAsNextStep", "markOrderAsCompleted", "addOrder",
      ], of: store)
    let preparing = order("a", "preparing", donuts: [donut(7)])
    for action in [
      tapStatus("a"), tapComplete("none"), tapAdd, received(preparing), received(preparing),
      receivedDonuts(donut(7)), received(),
    ] {
      try store.dispatch(action)
    }
    try store.settle()
    #expect(
      calls.all == [
        #"markOrderAsNextStep {"orderID":"a"}"#, #"markOrderAsCompleted {"orderID":"none"}"#,
        "addOrder null", #"startActivity {"order":\#(preparing)}"#,
        #"endActivity {"order":\#(preparing)}"#,
      ])
  }

  /// The transitions between the actions of a batch.
  @Test func eachActionOfABatchHasItsEffects() throws {
    let store = try self.open(#"{"state":\#(state(["a": order("a")]))}"#)
    let calls = try self.record(["startActivity", "endActivity"], of: store)
    let (preparing, completed) = (order("a", "preparing"), order("a", "completed"))
    try store.dispatch(
      batch: Value(json: "[\(received(preparing)),\(received(completed)),\(received())]"))
    try store.settle()
    #expect(
      calls.all == [
        #"startActivity {"order":\#(preparing)}"#, #"endActivity {"order":\#(completed)}"#,
      ])
  }

  @Test func effectsWithoutAFunctionDoNothing() throws {
    let store = try self.open(#"{"state":\#(state(["a": order("a")]))}"#)
    let errors = Recorder<EngineError>()
    try store.setEffectErrorHandler { errors.append($0) }
    for action in [tapStatus("a"), tapComplete("a"), tapAdd, received(order("a", "preparing"))] {
      try store.dispatch(action)
    }
    try store.settle()
    #expect(errors.all == [])
    #expect(try store.statistics()["failedEffects"] == 0)
  }

  @Test func aRejectedEffectFails() throws {
    let store = try self.open("{}")
    let errors = Recorder<EngineError>()
    try store.setEffectErrorHandler { errors.append($0) }
    try store.setEffect("addOrder") { try? $0.reject("closed") }
    try store.dispatch(tapAdd)
    try store.settle()
    #expect(errors.all == [EngineError(.io, #"the effect "addOrder": closed"#)])
  }

  // MARK: Observers

  @Test func onlyObserversOfChangedOrdersAreCalled() throws {
    let store = try self.open("{}")
    let orders = (0..<200).map { order("\($0)", donuts: [donut($0 % 2)]) }
    func publish(_ orders: [String]) throws {
      try store.dispatch(
        #"{"payload":{"orders":[\#(orders.joined(separator: ","))]},"#
          + #""type":"data/modelListener/didReceiveOrders"}"#)
    }
    try publish(orders)
    try store.dispatch(receivedDonuts(donut(0), donut(1)))
    let called = Recorder<String>()
    let observations = try (0..<200).map { index in
      try store.observe("selectOrder", ["orderID": .string("\(index)")]) { _ in
        called.append("\(index)")
      }
    }
    let initial = called.all.count
    var changed = orders
    changed[17] = order("17", "preparing", donuts: [donut(1)])
    try publish(changed)
    #expect(called.all.dropFirst(initial) == ["17"])
    #expect(try store.statistics()["visits"] == 1)
    // An edited donut changes the orders that have it.
    try store.dispatch(receivedDonuts(donut(0), donut(1, name: "New")))
    let odd = stride(from: 1, to: 200, by: 2).map { "\($0)" }
    #expect(called.all.dropFirst(initial + 1) == odd[...])
    observations.forEach { $0.cancel() }
  }

  @Test(arguments: [
    (true, received()), (true, receivedDonuts()), (false, tapStatus("a")), (false, tapAdd),
    (false, tapComplete("a")),
  ])
  func theFilterOfOrders(_ isIncluded: Bool, _ action: String) throws {
    let action = try ActionDecoder<FoodTruckAction>(FoodTruckDomain.actions)
      .action(from: Value(json: action))
    #expect(FoodTruckState.filterOrders()(FoodTruckState(), action) == isIncluded)
    #expect(FoodTruckDomain.filters.map(\.name) == ["filterOrders"])
  }

  // MARK: Options

  @Test(arguments: [
    (
      #"{"model":"real"}"#,
      #"options/model: invalid value "real"; expected one of: "seeded", "timed""#
    ),
    (
      #"{"seed":1}"#,
      #"options/seed: there is no model to seed; add the option "model""#
    ),
    (#"{"model":"seeded","seed":"x"}"#, "options/seed: expected an integer, found a string"),
    (
      #"{"models":"seeded"}"#, #"unknown option "models"; did you mean "model"?"#
    ),
  ])
  func invalidOptions(_ options: String, _ message: String) {
    #expect(throws: EngineError(.invalidArgument, message)) {
      try AnyStore(FoodTruckDomain.self, options: Value(json: options))
    }
  }

  // MARK: Records

  @Test func otherDecodersReadTheSame() throws {
    let donut = donut(1, glaze: "spicy", topping: "sprinkles")
    let order = order("1", donuts: [donut], sales: #"{"1":2}"#, completed: 2_000)
    #expect(try differences(Donut.self, Value(json: donut)).isEmpty)
    #expect(try differences(Order.self, Value(json: order)).isEmpty)
  }
}
