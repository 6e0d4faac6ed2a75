import CounterData
import ImmutableData
import ImmutableJSON
import StateEngine
import Synchronization
import TestSupport
import Testing
import Threading

/// A typed store with a JSON interface. Both share one state.
@Suite struct JSONInterfaceTests {
  private typealias Notes = Store<NotesDomain.State, NotesDomain.Action>

  private let store = Notes(initialState: NotesDomain.State(), reducer: NotesDomain.reduce)
  private let json: AnyStore

  init() throws {
    self.json = try AnyStore(over: self.store, as: NotesDomain.self)
  }

  private static func save(_ id: String, _ text: String) -> NotesDomain.Action {
    .ui(.editor(.didSave(id: id, text: text)))
  }

  private static func saveJSON(_ id: Value, _ text: Value) -> Value {
    ["type": "ui/editor/didSave", "payload": ["id": id, "text": text], "meta": ["by": "me"]]
  }

  private func actions(_ stream: ActionStream) throws -> [String] {
    var texts: [String] = []
    while case .element(let element) = try stream.next(milliseconds: 0) {
      texts.append("\(try element.action) \(try element.oldState) \(try element.newState)")
    }
    return texts
  }

  /// The types of actions without JSON are unknown until they are read.
  @Test func aStreamThatSkipsActionsTimesOut() throws {
    let options = try StreamOptions(["types": ["ui/*"], "overflow": "dropOldest"])
    let stream = try self.json.makeStream(options)
    let (store, dispatches) = (self.store, 1_000_000)
    let isDone = Atomic(false)
    let dispatched = Atomic(0)
    let thread = Thread.start {
      while !isDone.load(ordering: .relaxed), dispatched.load(ordering: .relaxed) < dispatches {
        try? store.dispatch(action: .clear)
        dispatched.add(1, ordering: .relaxed)
      }
    }
    let result = Result { try stream.next(milliseconds: 20) }
    #expect(dispatched.load(ordering: .relaxed) < dispatches)
    isDone.store(true, ordering: .relaxed)
    thread?.join()
    guard case .timedOut = try result.get() else {
      Issue.record("an action of another type")
      return
    }
  }

  // MARK: One state

  @Test func eachReadsWhatTheOtherDispatched() throws {
    #expect(try self.json.select("selectNote", ["id": "a"]) == .null)
    try self.store.dispatch(action: Self.save("a", "x"))
    #expect(try self.json.state() == ["notes": ["a": "x"]])
    #expect(try self.json.select("selectNote", ["id": "a"]) == "x")
    #expect(try self.json.query("notes.a") == "x")
    try self.json.dispatch(Self.saveJSON("b", "y"))
    #expect(self.store.state.notes == ["a": "x", "b": "y"])
    try self.json.dispatch(batch: [["type": "clear"], Self.saveJSON("c", "z")])
    #expect(self.store.state.notes == ["c": "z"])
    #expect(try self.json.select("selectNotes") == ["c": "z"])
  }

  @Test func theStoreMayHaveCommitsBefore() throws {
    try self.store.dispatch(batch: [Self.save("a", "1"), Self.save("a", "2")])
    let late = try AnyStore(over: self.store, as: NotesDomain.self)
    let deliveries = DeliveryRecorder()
    try late.observe("selectNote", ["id": "a"]) { deliveries.append($0) }
    try self.store.dispatch(action: Self.save("a", "3"))
    #expect(deliveries.texts == [#""2""#, #""3""#])
  }

  @Test func readersOfBothGetTheActionsOfBoth() throws {
    let deliveries = DeliveryRecorder()
    try self.json.observe("selectNote", ["id": "a"]) { deliveries.append($0) }
    let functions = DeliveryRecorder()
    try self.json.define("texts", FunctionOptions(inputs: ["values(notes)"])) { inputs, _ in
      inputs[0]
    }
    try self.json.observe("texts") { functions.append($0) }
    let notes = Recorder<[String: String]>()
    let subscription = self.store.subscribe { notes.append($0.newState.notes) }
    let reader = self.store.makeReader()
    let stream = try self.json.makeStream()
    try self.store.dispatch(action: Self.save("a", "x"))
    try self.json.dispatch(Self.saveJSON("a", "y"))
    try self.json.dispatch(batch: [["type": "clear"], ["type": "clear"]])
    subscription.cancel()
    #expect(deliveries.texts == ["null", #""x""#, #""y""#, "null"])
    #expect(functions.texts == ["[]", #"["x"]"#, #"["y"]"#, "[]"])
    #expect(notes.all == [["a": "x"], ["a": "y"], [:], [:]])
    var typed: [[String: String]] = []
    while case .element(let commit) = reader.next(milliseconds: 0) {
      typed.append(commit.newState.notes)
    }
    #expect(typed == notes.all)
    // An action is encoded, so it has no meta.
    func saved(_ text: String) -> String {
      #"{"payload":{"id":"a","text":"\#(text)"},"type":"ui/editor/didSave"}"#
    }
    let (x, y, none) = (#"{"notes":{"a":"x"}}"#, #"{"notes":{"a":"y"}}"#, #"{"notes":{}}"#)
    let clear = #"{"type":"clear"}"#
    #expect(
      try self.actions(stream) == [
        "\(saved("x")) \(none) \(x)", "\(saved("y")) \(x) \(y)", "\(clear) \(y) \(none)",
        "\(clear) \(none) \(none)",
      ])
  }

  @Test func severalInterfacesShareOneStore() throws {
    let other = try AnyStore(over: self.store, as: NotesDomain.self)
    let (first, second) = (DeliveryRecorder(), DeliveryRecorder())
    try self.json.observe("selectColor") { first.append($0) }
    try other.observe("selectColor") { second.append($0) }
    let stream = try other.makeStream()
    self.json.close()
    try other.dispatch(["type": "ui/editor/didPick", "payload": ["color": "red"]])
    #expect(first.texts == ["null"])
    #expect(second.texts == ["null", #""red""#])
    #expect(try self.actions(stream).count == 1)
  }

  // MARK: Actions

  @Test func anActionIsCheckedAgainstTheDomain() throws {
    #expect(
      throws: EngineError(
        .invalidAction, #"unknown action type "clera"; did you mean "clear"?"#)
    ) { try self.json.dispatch(["type": "clera"]) }
    #expect(
      throws: EngineError(
        .reducerFailed,
        "action 2 of 2: a note has at most 10 letters; shorten it; the batch was not applied")
    ) {
      try self.json.dispatch(batch: [Self.saveJSON("a", "x"), Self.saveJSON("a", "12345678901")])
    }
    #expect(self.store.state.notes == [:])
  }

  @Test func theReducerIsThatOfTheStore() throws {
    struct Refusal: Error, CustomStringConvertible { let description = "closed today" }
    let store = Store<CounterState, CounterAction>(initialState: CounterState(5)) { _, action in
      guard action == .didTapIncrementButton else { throw Refusal() }
      return CounterState(50)
    }
    let json = try AnyStore(over: store, as: CounterDomain.self)
    try json.dispatch(["type": "didTapIncrementButton"])
    #expect(store.state == CounterState(50))
    #expect(throws: EngineError(.reducerFailed, "closed today")) {
      try json.dispatch(["type": "didTapDecrementButton"])
    }
  }

  @Test func typesLimitStreamsAndObservations() throws {
    let stream = try self.json.makeStream(StreamOptions(["types": ["clear"]]))
    let deliveries = DeliveryRecorder()
    try self.json.observe(
      "selectNotes", [:], ObservationOptions(["ignore": ["ui/editor/didSave"], "initial": false])
    ) { deliveries.append($0) }
    try self.store.dispatch(action: Self.save("a", "x"))
    try self.json.dispatch(Self.saveJSON("b", "y"))
    #expect(deliveries.texts == [])
    try self.store.dispatch(action: .ui(.editor(.didPick(color: .red))))
    try self.store.dispatch(action: .clear)
    #expect(try self.actions(stream).count == 1)
    #expect(deliveries.texts == [#"{"a":"x","b":"y"}"#, "{}"])
  }

  @Test func namedFiltersGetTypedActions() throws {
    let store = Store(initialState: ShelfDomain.State(), reducer: ShelfDomain.reduce)
    let json = try AnyStore(over: store, as: ShelfDomain.self)
    let deliveries = DeliveryRecorder()
    try json.observe(
      "selectBooks", ["shelf": "a"], ObservationOptions(["filter": "filterShelf"])
    ) { deliveries.append($0) }
    try store.dispatch(action: .put(book: "1", shelf: "a"))
    try json.dispatch(["type": "put", "payload": ["book": "2", "shelf": "b"]])
    try json.dispatch(["type": "move", "payload": ["book": "1", "shelf": "c"]])
    #expect(deliveries.texts == ["[]", #"["1"]"#, "[]"])
  }

  @Test func aBudgetBoundsItsEvaluations() throws {
    let small = try AnyStore(over: self.store, as: NotesDomain.self, budget: 2)
    try self.store.dispatch(batch: ["a", "b", "c", "d"].map { Self.save($0, $0) })
    let lengths = "values(notes)[*].length(@)"
    let error = failure { () throws(EngineError) in _ = try small.query(lengths) }
    #expect(error?.code == .limit)
    #expect(try self.json.query(lengths) == [1, 1, 1, 1])
  }

  // MARK: Ends

  @Test func closingItLeavesTheStoreOpen() throws {
    let deliveries = DeliveryRecorder()
    try self.json.observe("selectNotes") { deliveries.append($0) }
    let stream = try self.json.makeStream(StreamOptions(["capacity": 1, "overflow": "block"]))
    let reader = self.store.makeReader()
    let notes = Recorder<[String: String]>()
    let subscription = self.store.subscribe { notes.append($0.newState.notes) }
    try self.store.dispatch(action: Self.save("a", "x"))
    self.json.close()
    // The stream is full, and would make the store wait.
    try self.store.dispatch(action: Self.save("b", "y"))
    subscription.cancel()
    #expect(deliveries.texts == ["{}", #"{"a":"x"}"#])
    #expect(try self.actions(stream).count == 1)
    guard case .ended = try stream.next(milliseconds: 0) else {
      Issue.record("the stream did not end")
      return
    }
    #expect(notes.all.count == 2)
    for number in 1...2 {
      guard case .element(let commit) = reader.next(milliseconds: 0) else {
        Issue.record("no commit \(number)")
        return
      }
      #expect(commit.number == number)
    }
    #expect(try self.json.state() == ["notes": ["a": "x", "b": "y"]])
    #expect(throws: EngineError(.closed, "the store was closed; open another one")) {
      try self.json.dispatch(["type": "clear"])
    }
    #expect(self.store.state.notes.count == 2)
  }

  @Test func releasingItEndsItsReaders() throws {
    let deliveries = DeliveryRecorder()
    var json: AnyStore? = try AnyStore(over: self.store, as: NotesDomain.self)
    weak let released = json
    try json?.observe("selectNotes") { deliveries.append($0) }
    let stream = try json?.makeStream()
    json = nil
    #expect(released == nil)
    try self.store.dispatch(action: Self.save("a", "x"))
    #expect(deliveries.texts == ["{}"])
    guard case .ended = try stream?.next(milliseconds: 0) else {
      Issue.record("the stream did not end")
      return
    }
  }

  @Test func itRetainsTheStore() throws {
    weak var released: Store<CounterState, CounterAction>?
    var json: AnyStore?
    do {
      let store = Store(initialState: CounterState(7), reducer: CounterReducer.reduce)
      json = try AnyStore(over: store, as: CounterDomain.self)
      try json?.observe("selectValue") { _ in }
      released = store
    }
    #expect(try json?.select("selectValue") == 7)
    #expect(released != nil)
    json = nil
    #expect(released == nil)
  }

  // MARK: Re-entrancy and effects

  @Test func aReducerThatUsesItFails() throws {
    let own = Mutex<AnyStore?>(nil)
    let errors = Recorder<EngineError?>()
    let store = Store<CounterState, CounterAction>(initialState: CounterState()) { state, action in
      let json = own.withLock { $0 }
      errors.append(
        failure { () throws(EngineError) in
          if action == .didTapIncrementButton {
            _ = try json?.state()
          } else {
            try json?.dispatch(["type": "didTapIncrementButton"])
          }
        })
      return CounterState(state.value + 1)
    }
    let json = try AnyStore(over: store, as: CounterDomain.self)
    own.withLock { $0 = json }
    #expect(throws: ReentrancyError.self) { try store.dispatch(action: .didTapIncrementButton) }
    for type: Value in ["didTapIncrementButton", "didTapDecrementButton"] {
      #expect(
        failure { () throws(EngineError) in try json.dispatch(["type": type]) }?.code == .reentrant)
    }
    #expect(errors.all.map(\.?.code) == [.reentrant, .reentrant, .reentrant])
    #expect(store.state == CounterState())
    own.withLock { $0 = nil }
  }

  private struct Doubling: Effects {
    func effect(
      of action: CounterAction, from old: CounterState, to new: CounterState
    ) -> Effect<CounterState, CounterAction>? {
      guard new.value < 3 else { return nil }
      return { try $0.dispatch(.didTapIncrementButton) }
    }
  }

  @Test func effectsOfAListenerFollowItsActions() throws {
    let store = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
    let json = try AnyStore(over: store, as: CounterDomain.self)
    let listener = EffectListener { Doubling() }
    listener.listen(to: store)
    try json.dispatch(["type": "didTapIncrementButton"])
    try listener.settle()
    #expect(try json.select("selectValue") == 3)
  }

  @Test func itHasNoEffects() throws {
    try self.json.settle()
    #expect(
      throws: EngineError(
        .invalidArgument,
        #"unknown effect "roll": this store asks the program for no effects"#)
    ) { try self.json.setEffect("roll") { _ in } }
    #expect(
      throws: EngineError(
        .invalidArgument,
        "the effects of a domain are part of the domain; set a rule for a store with your own "
          + "reducer")
    ) { try self.json.setRule { _, _, _ in [] } }
    #expect(
      throws: EngineError(
        .invalidArgument, "the store has no database to back up; save its state instead")
    ) { try self.json.backup(to: "/nonexistent") }
    #expect(try self.json.statistics()["effects"] == nil)
  }

  /// Threads dispatch to both, and no action is lost.
  @Test func bothMayBeUsedByManyThreads() throws {
    let store = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
    let json = try AnyStore(over: store, as: CounterDomain.self)
    let deliveries = DeliveryRecorder()
    try json.observe("selectValue") { deliveries.append($0) }
    onThreads(4) { index in
      for _ in 0..<250 {
        if index % 2 == 0 {
          try? store.dispatch(action: .didTapIncrementButton)
        } else {
          try? json.dispatch(["type": "didTapIncrementButton"])
        }
      }
    }
    #expect(deliveries.contents == (0...1_000).map { .value(.integer($0)) })
  }
}
