import ImmutableJSON
import TestSupport
import Testing
import Threading

@testable import StateEngine

/// A store whose reducer returns edits, beside one whose reducer makes them.
@Suite struct EditingReducerTests {
  private static let paths = [
    "a", "a.b", "a.b.x", "a.c", "list", "n", "n.x", "a.b || n", "length(list)",
  ]

  /// Observers begin and end, also inside each other; some ignore actions, some are queued.
  @Test(arguments: seeds(12))
  func observersGetTheSame(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    let stores = (try Self.makeStore(returnsEdits: true), try Self.makeStore(returnsEdits: false))
    let recorders = (DeliveryRecorder(), DeliveryRecorder())
    var observations: [(StoreObservation, StoreObservation)] = []
    for step in 0..<300 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0 where observations.count < 12:
        let path = Self.paths.randomElement(using: &random) ?? "a"
        let options = Self.options(&random)
        let isNested = Bool.random(using: &random)
        observations.append(
          (
            try Self.observe(stores.0, path, options, isNested, to: recorders.0),
            try Self.observe(stores.1, path, options, isNested, to: recorders.1)
          ))
      case 1 where !observations.isEmpty:
        let removed = observations.remove(at: .random(in: observations.indices, using: &random))
        removed.0.cancel()
        removed.1.cancel()
      case 2:
        #expect(try stores.0.poll() == stores.1.poll())
      default:
        let action = Self.action(step, &random)
        try stores.0.dispatch(action)
        try stores.1.dispatch(action)
      }
      #expect(recorders.0.texts == recorders.1.texts)
    }
    #expect(try stores.0.state() == stores.1.state())
  }

  @Test func aChangeThatConcernsNobodyIsNoVisit() throws {
    let store = try Self.makeStore(returnsEdits: true)
    let recorder = DeliveryRecorder()
    try store.observe(expression: "a.b", to: recorder)
    try store.dispatch(Self.set("/a/c", 5))
    #expect(try store.statistics()["visits"] == 0)
    try store.dispatch(Self.set("/a/b/x", 5))
    #expect(try store.statistics()["visits"] == 1)
    #expect(recorder.texts == [#"{"x":1,"y":"text"}"#, #"{"x":5,"y":"text"}"#])
  }

  @Test func aScalarInPlaceOfAnotherVisitsNothingBelowUnlessOneIsNull() throws {
    let store = try Self.makeStore(returnsEdits: true)
    try store.observe(expression: "n.x", to: DeliveryRecorder())
    try store.dispatch(Self.set("/n", 5))
    #expect(try store.statistics()["visits"] == 0)
    try store.dispatch(Self.set("/n", .null))
    #expect(try store.statistics()["visits"] == 1)
    try store.dispatch(Self.set("/n", 6))
    #expect(try store.statistics()["visits"] == 2)
  }

  @Test func editsThatRestoreAValueDeliverNothing() throws {
    let store = try Self.makeStore(returnsEdits: true)
    let recorder = DeliveryRecorder()
    try store.observe(expression: "n", to: recorder)
    try store.dispatch(Self.set("/n", 5, then: 1))
    #expect(recorder.texts == ["1"])
    try store.dispatch(Self.set("/n", 5, then: 6))
    #expect(recorder.texts == ["1", "6"])
  }

  @Test func aValueThatWasDeliveredBeforeEqualOnesIsNotDeliveredAgain() throws {
    let store = try Self.makeStore(returnsEdits: true)
    let recorder = DeliveryRecorder()
    try store.define("n", "n")
    try store.observe("n", didChange: { _, output in output != 2 }) { recorder.append($0) }
    for number: Int64 in [2, 1, 3] { try store.dispatch(Self.set("/n", .integer(number))) }
    #expect(recorder.texts == ["1", "3"])
  }

  @Test func aSelectorCanBeReplacedBeforeItsObserverIsCalled() throws {
    let store = try Self.makeStore(returnsEdits: true)
    let recorder = DeliveryRecorder()
    try store.define("first", "n")
    try store.define("second", "n")
    try store.observe("first", [:], ObservationOptions(["initial": false])) { _ in
      try? store.define("second", "length(list)")
    }
    try store.observe("second") { recorder.append($0) }
    for number: Int64 in [2, 4] { try store.dispatch(Self.set("/n", .integer(number))) }
    #expect(recorder.texts == ["1", "3"])
  }

  @Test func whatAnObserverDispatchesReachesThoseThatIgnoredAnAction() throws {
    let store = try Self.makeStore(returnsEdits: true)
    let recorder = DeliveryRecorder()
    try store.define("n", "n")
    try store.define("x", "a.b.x")
    try store.observe("n", [:], ObservationOptions(["ignore": ["ignored"]])) { recorder.append($0) }
    try store.observe("x", [:], ObservationOptions(["initial": false])) { _ in
      try? store.dispatch(Self.set("/n", 5, type: "ignored"))
      try? store.dispatch(Self.set("/a/c", 9))
    }
    try store.dispatch(Self.set("/a/b/x", 2))
    #expect(recorder.texts == ["1", "5"])
  }

  /// While another thread changes everything, observers begin. None misses the last change.
  @Test func anObserverThatBeginsMeanwhileMissesNothing() throws {
    let store = try Self.makeStore(returnsEdits: true)
    let recorders = (0..<200).map { _ in DeliveryRecorder() }
    let done = Recorder<Bool>()
    let writer = try #require(
      Thread.start {
        var value: Int64 = 0
        while done.all.isEmpty {
          value += 1
          for pointer in ["/a/b/x", "/a/c", "/n"] {
            try? store.dispatch(Self.set(pointer, .integer(value)))
          }
        }
      })
    let names = ["a.b.x", "a.c", "n", "a.b"]
    for (index, recorder) in recorders.enumerated() {
      try store.observe(expression: names[index % names.count], to: recorder)
    }
    done.append(true)
    writer.join()
    for (index, recorder) in recorders.enumerated() {
      #expect(recorder.texts.last == (try store.query(names[index % names.count])).json)
    }
  }
}

extension EditingReducerTests {
  private static func makeStore(returnsEdits: Bool) throws -> AnyStore {
    let state: Value = [
      "a": ["b": ["x": 1, "y": "text"], "c": 2], "list": [1, 2, ["z": 3]], "n": 1,
    ]
    let reducer: ValueReducer = { state, action in
      guard case .string(var pointer) = action.value["payload"]?["at"],
        let value = action.value["payload"]?["value"]
      else { return nil }
      let last = action.value["payload"]?["then"]
      let change = pointer.withUTF8 {
        let pointer = UnsafeRawBufferPointer($0)
        let first = ValueEdits.replacing(pointer, by: value, in: state, after: nil)
        guard let first, let last else { return first }
        return ValueEdits.replacing(pointer, by: last, in: state, after: first)
      }
      if returnsEdits, let change { return change }
      state = try state.setting(JSONPointer(pointer), last ?? value)
      return nil
    }
    return try AnyStore(state: state, options: nil, valueReducer: reducer)
  }

  private static func set(_ pointer: String, _ value: Value, type: String = "set") -> Value {
    ["type": .string(type), "payload": ["at": .string(pointer), "value": value]]
  }

  private static func set(_ pointer: String, _ value: Value, then last: Value) -> Value {
    ["type": "set", "payload": ["at": .string(pointer), "value": value, "then": last]]
  }

  private static func action(_ step: Int, _ random: inout SeededGenerator) -> Value {
    let pointers = ["/a/b/x", "/a/b/y", "/a/c", "/list/1", "/list/2/z", "/n", "/a/b", "/list"]
    let pointer = pointers.randomElement(using: &random) ?? "/n"
    let type = Bool.random(using: &random) ? "set" : "ignored"
    let isContainer = pointer == "/a/b" || pointer == "/list"
    if isContainer, !random.isOne(in: 4) { return self.set("/n", .null, type: type) }
    switch pointer {
    case "/a/b": return self.set(pointer, ["x": .integer(Int64(step)), "y": "new"], type: type)
    case "/list": return self.set(pointer, [1, 2, ["z": .integer(Int64(step))]], type: type)
    default:
      let values: [Value] = [.null, true, 1.5, "text", .integer(Int64(step))]
      return self.set(pointer, values.randomElement(using: &random) ?? .null, type: type)
    }
  }

  private static func options(_ random: inout SeededGenerator) -> Value {
    let options: [Value] = [
      [:], [:], ["ignore": ["ignored"]], ["when": "queued"], ["coalesce": true],
      ["initial": false], ["deliver": "patch"],
    ]
    return options.randomElement(using: &random) ?? [:]
  }

  /// - Parameter isNested: Whether it changes the state itself, and observes for one change, when
  ///   it is first called.
  private static func observe(
    _ store: AnyStore, _ path: String, _ options: Value, _ isNested: Bool,
    to recorder: DeliveryRecorder
  ) throws -> StoreObservation {
    let calls = Recorder<Bool>()
    try? store.define(path, path)
    return try store.observe(path, [:], ObservationOptions(options)) { delivery in
      recorder.append(delivery)
      calls.append(true)
      guard isNested, calls.all.count == 1 else { return }
      try? store.dispatch(self.set("/n", 7))
      try? store.observe(expression: "n", to: recorder).cancel()
    }
  }
}
