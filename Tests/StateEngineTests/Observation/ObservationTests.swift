import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@Suite struct ObservationTests {
  private let store: AnyStore
  private let deliveries = DeliveryRecorder()

  init() throws {
    self.store = try makeMergeStore(["a": 1, "b": ["c": 2, "d": 3], "list": [1, 2]])
  }

  /// The dependency alternates. The last delivery may be older than the last state, but then their
  /// dependencies are equal.
  @Test func aCoalescedOutputBelongsToTheStateOfItsDependencies() throws {
    let numbers = Value.array(JSONArray((0..<400).map { .integer($0) }))
    let store = try AnyStore(state: ["side": false, "n": 0, "numbers": numbers]) { state, _ in
      guard case .integer(let number) = state["n"] else { return state }
      return try state.merging(patch: ["side": .bool(number % 2 == 0), "n": .integer(number + 1)])
    }
    try store.define("dependency", "[side, sum(numbers), length(numbers[?@ > `5`])]")
    try store.define("n", "n")
    let options = try ObservationOptions(["coalesce": true, "dependencies": ["dependency"]])
    try store.observe("n", [:], options) { self.deliveries.append($0) }
    for _ in 0..<100 {
      onThreads(3) { _ in try? store.dispatch(["type": "step"]) }
      guard case .value(.integer(let delivered)) = self.deliveries.contents.last,
        case .integer(let last) = try store.query("n")
      else {
        Issue.record("no number")
        return
      }
      #expect(delivered % 2 == last % 2)
    }
  }

  @Test func aPatchBeyondALimitIsDeliveredAsTheOutput() throws {
    let store = try AnyStore(state: .null) { _, action in action["payload"] ?? .null }
    try store.observe(expression: "@", [:], ["deliver": "patch"], to: self.deliveries)
    // The operation with this value nests two levels deeper.
    let deep: Value = (0..<ValueLimits.depth - 2).reduce([]) { value, _ in [value] }
    try store.dispatch(["type": "set", "payload": deep])
    try store.dispatch(["type": "set", "payload": []])
    let texts = self.deliveries.texts.dropFirst()
    #expect(texts.count == 2)
    let isWhole = texts.first == deep.json
    #expect(isWhole)
    #expect(texts.last == #"patch [{"op":"remove","path":"/0"}]"#)
  }

  @Test func theCurrentOutputAndEachChangeAreDelivered() throws {
    try self.store.observe(expression: "b", to: self.deliveries)
    #expect(self.deliveries.texts == [#"{"c":2,"d":3}"#])
    try self.store.merge(["a": 2])
    try self.store.merge(["b": ["c": 5]])
    try self.store.merge(["b": ["c": 5]])
    #expect(self.deliveries.texts == [#"{"c":2,"d":3}"#, #"{"c":5,"d":3}"#])
  }

  @Test func withoutInitialOnlyChangesAreDelivered() throws {
    try self.store.observe(expression: "a", [:], ["initial": false], to: self.deliveries)
    #expect(self.deliveries.texts == [])
    try self.store.merge(["a": 2])
    #expect(self.deliveries.texts == ["2"])
  }

  @Test func aPatchStartsFromTheLastDeliveredOutput() throws {
    try self.store.observe(expression: "b", [:], ["deliver": "patch"], to: self.deliveries)
    try self.store.merge(["b": ["c": 5]])
    try self.store.merge(["b": ["e": 1]])
    #expect(
      self.deliveries.texts == [
        #"{"c":2,"d":3}"#,
        #"patch [{"op":"replace","path":"/c","value":5}]"#,
        #"patch [{"op":"add","path":"/e","value":1}]"#,
      ])
  }

  @Test func aBatchIsDeliveredOnce() throws {
    try self.store.observe(expression: "a", to: self.deliveries)
    try self.store.dispatch(batch: [
      ["type": "x", "payload": ["a": 5]], ["type": "x", "payload": ["a": 6]],
    ])
    #expect(self.deliveries.texts == ["1", "6"])
  }

  @Test func argumentsAreBound() throws {
    try self.store.observe(expression: "list[?@ > $least]", ["least": 1], to: self.deliveries)
    try self.store.merge(["list": [1, 2, 3]])
    #expect(self.deliveries.texts == ["[2]", "[2,3]"])
  }

  @Test func aFailureIsDeliveredAndTheNextOutputFollows() throws {
    try self.store.observe(expression: "max(list)", [:], ["label": "largest"], to: self.deliveries)
    try self.store.merge(["list": ["x", 1]])
    try self.store.merge(["list": ["x", 2]])
    try self.store.merge(["list": [1, 2]])
    #expect(self.deliveries.texts == ["2", "invalidSelector", "2"])
    guard case .failure(let error) = self.deliveries.contents[1] else {
      Issue.record("no failure")
      return
    }
    #expect(error.message.hasPrefix("largest: "))
  }

  @Test func observeThrows() throws {
    let options = ObservationOptions()
    try self.store.define("max", "max(a)")
    for (selector, arguments, code): (String, Value, EngineError.Code) in [
      ("nothing", [:], .unknownSelector),
      ("max", ["x": 1], .invalidArgument),
      ("max", [], .invalidArgument),
      ("max", [:], .invalidSelector),
    ] {
      let error = failure {
        () throws(EngineError) in
        try self.store.observe(selector, arguments, options) { _ in }
      }
      #expect(error?.code == code)
    }
    #expect(try self.store.statistics()["observations"] == 0)
  }

  @Test(arguments: [
    (#"{"when":"later"}"#, "options/when"), (#"{"initial":1}"#, "options/initial"),
    (#"{"capacity":0}"#, "options/capacity"), (#"{"capacity":1048577}"#, "options/capacity"),
    (#"{"ignore":"ui/*"}"#, "options/ignore"),
    (#"{"overflow":"block"}"#, "options/overflow"), ("[]", "options"),
    (#"{"label":""}"#, "options/label"),
  ])
  func invalidOptionsThrow(_ text: String, _ path: String) throws {
    let options = try Value(json: text)
    let error = failure { () throws(EngineError) in _ = try ObservationOptions(options) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.hasPrefix("\(path): ") == true)
  }

  @Test func anUnknownDependencyThrows() throws {
    #expect(throws: EngineError.self) {
      try self.store.observe(
        expression: "a", [:], ["dependencies": ["nothing"]], to: self.deliveries)
    }
  }

  @Test func anObserverMayDispatch() throws {
    let store = self.store
    let second = DeliveryRecorder()
    try store.define("a", "a")
    let selected = DeliveryRecorder()
    try store.observe("a") { [deliveries] delivery in
      deliveries.append(delivery)
      if delivery.content == .value(2) {
        try? store.merge(["a": 3])
        try? selected.append(Delivery(content: .value(store.select("a")), skipped: 0))
      }
    }
    try store.observe(expression: "a", to: second)
    try store.merge(["a": 2])
    #expect(self.deliveries.texts == ["1", "2", "3"])
    #expect(second.texts == ["1", "2", "3"])
    #expect(selected.texts == ["3"])
  }

  @Test func aCoalescedObserverGetsOnlyTheLatestOutput() throws {
    let store = self.store
    try store.define("a", "a")
    try store.observe("a") { delivery in
      if delivery.content == .value(2) { try? store.merge(["a": 3]) }
    }
    try store.observe(expression: "a", [:], ["coalesce": true], to: self.deliveries)
    try store.merge(["a": 2])
    #expect(self.deliveries.texts == ["1", "3"])
  }

  @Test func anObserverMayCancelItselfAndOthers() throws {
    let store = self.store
    let other = DeliveryRecorder()
    let observations = Recorder<StoreObservation>()
    try store.define("a", "a")
    try store.observe("a", announcing: { observations.append($0) }) { [deliveries] delivery in
      deliveries.append(delivery)
      guard delivery.content == .value(2) else { return }
      observations.all.forEach { $0.cancel() }
    }
    observations.append(try store.observe(expression: "a", to: other))
    try store.merge(["a": 2])
    try store.merge(["a": 3])
    #expect(self.deliveries.texts == ["1", "2"])
    #expect(other.texts == ["1"])
    #expect(try store.statistics()["observations"] == 0)
  }

  @Test func anObserverMayObserve() throws {
    let store = self.store
    try store.define("a", "a")
    try store.observe("a") { [deliveries] delivery in
      guard delivery.content == .value(2) else { return }
      _ = try? store.observe("a") { deliveries.append($0) }
    }
    try store.merge(["a": 2])
    #expect(self.deliveries.texts == ["2"])
    try store.merge(["a": 3])
    #expect(self.deliveries.texts == ["2", "3"])
  }

  @Test func releaseIsCalledOnce() throws {
    let released = DeliveryRecorder()
    let mark = Delivery(content: .value(0), skipped: 0)
    try self.store.define("a", "a")
    let observation = try self.store.observe("a", release: { released.append(mark) }) { _ in }
    observation.cancel()
    #expect(released.all.count == 1)
    observation.cancel()
    try self.store.observe("a", release: { released.append(mark) }) { _ in }
    self.store.close()
    #expect(released.all.count == 2)
    #expect(throws: EngineError.self) {
      try self.store.observe("a", release: { released.append(mark) }) { _ in }
    }
    #expect(released.all.count == 2)
  }

  @Test func aReducerMayNotObserveItsStore() throws {
    let reference = StoreReference()
    let store = try AnyStore(state: 0) { state, action in
      _ = try? reference.store?.observe("a") { _ in }
      return 1
    }
    reference.store = store
    try store.define("a", "@")
    #expect(failure { () throws(EngineError) in try store.merge(0) }?.code == .reentrant)
    #expect(try store.select("a") == 0)
  }

  @Test func aReducerMayNotCloseItsStore() throws {
    let reference = StoreReference()
    let store = try AnyStore(state: 0) { state, action in
      reference.store?.close()
      return 1
    }
    reference.store = store
    try store.define("a", "@")
    #expect(failure { () throws(EngineError) in try store.merge(0) }?.code == .reentrant)
    #expect(try store.select("a") == 0)
    try store.observe("a") { _ in }  // It is open.
  }

  private final class StoreReference: @unchecked Sendable {
    weak var store: AnyStore?
  }

  @Test func aDomainSelectorIsVisitedOnlyWhenItsPartsChange() throws {
    let store = try AnyStore(NotesDomain.self)
    try store.observe("selectColor") { [deliveries] in deliveries.append($0) }
    try store.dispatch(["type": "ui/editor/didPick", "payload": ["color": "red"]])
    try store.dispatch(["type": "ui/editor/didSave", "payload": ["id": "1", "text": "x"]])
    #expect(self.deliveries.texts == ["null", #""red""#])
    #expect(try store.statistics()["visits"] == 1)
  }

  @Test func anExpressionOverADomainStoreCanBeObserved() throws {
    let store = try AnyStore(NotesDomain.self)
    try store.observe(expression: "notes.\"1\"", to: self.deliveries)
    try store.dispatch(["type": "ui/editor/didPick", "payload": ["color": "red"]])
    try store.dispatch(["type": "ui/editor/didSave", "payload": ["id": "1", "text": "x"]])
    #expect(self.deliveries.texts == ["null", #""x""#])
  }
}
