import Foundation
import ImmutableJSON
import StateEngine
import Testing

/// What an observer was told, from any thread.
final class Told: @unchecked Sendable {
  private let lock = NSLock()
  private var deliveries: [Delivery] = []

  func append(_ delivery: Delivery) {
    self.lock.withLock { self.deliveries.append(delivery) }
  }

  var all: [Delivery] {
    self.lock.withLock { self.deliveries }
  }

  var contents: [Delivery.Content] {
    self.all.map(\.content)
  }

  /// As text: the output, the patch, or the code of the failure.
  var texts: [String] {
    self.contents.map { content -> String in
      switch content {
      case .value(let value): "\(value)"
      case .patch(let patch): "patch \(patch)"
      case .failure(let error): "\(error.code)"
      }
    }
  }
}

/// A store whose actions are merged into its state (RFC 7396).
func makeMergeStore(_ state: Value) throws -> AnyStore {
  try AnyStore(state: state) { state, action in
    guard let payload = action["payload"] else { return state }
    return try state.merging(patch: payload)
  }
}

extension AnyStore {
  func merge(_ payload: Value, type: String = "merge") throws(EngineError) {
    try self.dispatch(["type": .string(type), "payload": payload])
  }

  /// Observes what an expression selects.
  @discardableResult
  func observe(
    expression: String, _ arguments: Value = [:], _ options: Value = [:], to told: Told
  ) throws -> Observation {
    try? self.define(expression, expression)
    return try self.observe(expression, arguments, ObservationOptions(options)) {
      told.append($0)
    }
  }
}

@Suite struct ObservationTests {
  private let store: AnyStore
  private let told = Told()

  init() throws {
    self.store = try makeMergeStore(["a": 1, "b": ["c": 2, "d": 3], "list": [1, 2]])
  }

  @Test func anOutputIsDeliveredWholeWhereThePatchWouldBeBeyondALimit() throws {
    try self.store.observe(expression: "@", [:], ["deliver": "patch"], to: self.told)
    // The operation that has it for its value nests two levels deeper.
    let deep: Value = (0..<Value.maximumDepth - 2).reduce([]) { value, _ in [value] }
    try self.store.merge(["a": 2])
    try self.store.dispatch(["type": "deep", "payload": deep])
    try self.store.merge(["a": 3])
    let texts = self.told.texts.dropFirst()
    #expect(texts.count == 3)
    #expect(texts.first == #"patch [{"op":"replace","path":"/a","value":2}]"#)
    let isWhole = texts.dropFirst().first == deep.json
    #expect(isWhole)
    #expect(texts.last == #"patch [{"op":"replace","path":"","value":{"a":3}}]"#)
  }

  @Test func theCurrentOutputAndThenEachChangeIsDelivered() throws {
    try self.store.observe(expression: "b", to: self.told)
    #expect(self.told.texts == [#"{"c":2,"d":3}"#])
    try self.store.merge(["a": 2])
    try self.store.merge(["b": ["c": 5]])
    try self.store.merge(["b": ["c": 5]])
    #expect(self.told.texts == [#"{"c":2,"d":3}"#, #"{"c":5,"d":3}"#])
  }

  @Test func withoutInitialOnlyChangesAreDelivered() throws {
    try self.store.observe(expression: "a", [:], ["initial": false], to: self.told)
    #expect(self.told.texts == [])
    try self.store.merge(["a": 2])
    #expect(self.told.texts == ["2"])
  }

  @Test func aPatchIsFromTheOutputThatWasDeliveredLast() throws {
    try self.store.observe(expression: "b", [:], ["deliver": "patch"], to: self.told)
    try self.store.merge(["b": ["c": 5]])
    try self.store.merge(["b": ["e": 1]])
    #expect(
      self.told.texts == [
        #"{"c":2,"d":3}"#,
        #"patch [{"op":"replace","path":"/c","value":5}]"#,
        #"patch [{"op":"add","path":"/e","value":1}]"#,
      ])
  }

  @Test func aBatchIsDeliveredOnce() throws {
    try self.store.observe(expression: "a", to: self.told)
    try self.store.dispatch(batch: [
      ["type": "x", "payload": ["a": 5]], ["type": "x", "payload": ["a": 6]],
    ])
    #expect(self.told.texts == ["1", "6"])
  }

  @Test func argumentsAreBound() throws {
    try self.store.observe(expression: "list[?@ > $least]", ["least": 1], to: self.told)
    try self.store.merge(["list": [1, 2, 3]])
    #expect(self.told.texts == ["[2]", "[2,3]"])
  }

  @Test func aSelectorThatFailsIsToldOfAndRecovers() throws {
    try self.store.observe(expression: "max(list)", [:], ["label": "largest"], to: self.told)
    try self.store.merge(["list": ["x", 1]])
    try self.store.merge(["list": ["x", 2]])
    try self.store.merge(["list": [1, 2]])
    #expect(self.told.texts == ["2", "invalidSelector", "2"])
    guard case .failure(let error) = self.told.contents[1] else { return }
    #expect(error.message.hasPrefix("largest: "))
  }

  @Test func whatCannotBeObservedIsRefused() throws {
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
    (#"{"filter":"ui/*"}"#, "options/filter"), (#"{"what":1}"#, "options"),
    (#"{"overflow":"block"}"#, "options/overflow"), ("[]", "options"),
    (#"{"label":""}"#, "options/label"),
  ])
  func optionsThatAreNoneAreRefused(_ text: String, _ place: String) throws {
    let options = try Value(json: text)
    let error = failure { () throws(EngineError) in _ = try ObservationOptions(options) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.hasPrefix("\(place): ") == true)
  }

  @Test func anUnknownDependencyIsRefused() throws {
    #expect(throws: EngineError.self) {
      try self.store.observe(expression: "a", [:], ["dependencies": ["nothing"]], to: self.told)
    }
  }

  @Test func anObserverMayDispatch() throws {
    let store = self.store
    let second = Told()
    try store.define("a", "a")
    let selected = Told()
    try store.observe("a") { [told] delivery in
      told.append(delivery)
      if delivery.content == .value(2) {
        try? store.merge(["a": 3])
        try? selected.append(Delivery(content: .value(store.select("a")), skipped: 0))
      }
    }
    try store.observe(expression: "a", to: second)
    try store.merge(["a": 2])
    #expect(self.told.texts == ["1", "2", "3"])
    #expect(second.texts == ["1", "2", "3"])
    #expect(selected.texts == ["3"])
  }

  @Test func coalescedObserversSeeTheLatestAlone() throws {
    let store = self.store
    try store.define("a", "a")
    try store.observe("a") { delivery in
      if delivery.content == .value(2) { try? store.merge(["a": 3]) }
    }
    try store.observe(expression: "a", [:], ["coalesce": true], to: self.told)
    try store.merge(["a": 2])
    #expect(self.told.texts == ["1", "3"])
  }

  @Test func anObserverMayCancelItselfAndOthers() throws {
    let store = self.store
    let other = Told()
    let observations = Told.Observations()
    try store.define("a", "a")
    try store.observe("a", announcing: { observations.list.append($0) }) { [told] delivery in
      told.append(delivery)
      guard delivery.content == .value(2) else { return }
      observations.list.forEach { $0.cancel() }
    }
    observations.list.append(try store.observe(expression: "a", to: other))
    try store.merge(["a": 2])
    try store.merge(["a": 3])
    #expect(self.told.texts == ["1", "2"])
    #expect(other.texts == ["1"])
    #expect(try store.statistics()["observations"] == 0)
  }

  @Test func anObserverMayObserve() throws {
    let store = self.store
    try store.define("a", "a")
    try store.observe("a") { [told] delivery in
      guard delivery.content == .value(2) else { return }
      _ = try? store.observe("a") { told.append($0) }
    }
    try store.merge(["a": 2])
    #expect(self.told.texts == ["2"])
    try store.merge(["a": 3])
    #expect(self.told.texts == ["2", "3"])
  }

  @Test func contextIsReleasedOnce() throws {
    let released = Told()
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
    let reach = Reach()
    let store = try AnyStore(state: 0) { state, action in
      _ = try? reach.store?.observe("a") { _ in }
      return 1
    }
    reach.store = store
    try store.define("a", "@")
    #expect(failure { () throws(EngineError) in try store.merge(0) }?.code == .reentrant)
    #expect(try store.select("a") == 0)
  }

  private final class Reach: @unchecked Sendable {
    weak var store: AnyStore?
  }

  @Test func aStoreOfADomainIsObservedByWhatItsSelectorsRead() throws {
    let store = try AnyStore(NotesDomain.self)
    try store.observe("selectColor") { [told] in told.append($0) }
    try store.dispatch(["type": "ui/editor/didPick", "payload": ["color": "red"]])
    try store.dispatch(["type": "ui/editor/didSave", "payload": ["id": "1", "text": "x"]])
    #expect(self.told.texts == ["null", #""red""#])
    #expect(try store.statistics()["visits"] == 1)
  }

  @Test func anExpressionOverADomainIsObserved() throws {
    let store = try AnyStore(NotesDomain.self)
    try store.observe(expression: "notes.\"1\"", to: self.told)
    try store.dispatch(["type": "ui/editor/didPick", "payload": ["color": "red"]])
    try store.dispatch(["type": "ui/editor/didSave", "payload": ["id": "1", "text": "x"]])
    #expect(self.told.texts == ["null", #""x""#])
  }
}

extension Told {
  final class Observations: @unchecked Sendable {
    var list: [Observation] = []
  }
}

@Suite struct ConcernTests {
  /// Only what reads what changed is visited.
  @Test func onlyTheConcernedAreVisited() throws {
    let keys = (0..<100).map { "k\($0)" }
    let record: Value = ["f": 1, "g": ["h": 2]]
    let store = try makeMergeStore([
      "records": .object(JSONObject(keys.map { ($0, record) })), "other": 1,
    ])
    let told = keys.map { _ in Told() }
    for (key, told) in zip(keys, told) {
      try store.observe(expression: "records.\(key).g", to: told)
    }
    // So too where an argument says what is read.
    let byArgument = Told()
    try store.define("record", "get(records, $key).g")
    try store.observe("record", ["key": "k7"]) { [byArgument] in byArgument.append($0) }
    try store.merge(["records": ["k6": ["g": ["h": 2]]]])
    #expect(try store.statistics()["visits"] == 0)
    try store.merge(["records": ["k7": ["g": ["h": 3]]]])
    #expect(byArgument.texts == [#"{"h":2}"#, #"{"h":3}"#])
    #expect(try store.statistics()["visits"] == 2)
    try store.merge(["records": ["k7": ["f": 3]]])
    try store.merge(["other": 2])
    #expect(try store.statistics()["visits"] == 2)
    #expect(told.map(\.all.count) == keys.map { $0 == "k7" ? 2 : 1 })
    try store.merge(["records": ["k8": .null, "k9": 1, "new": ["g": 1]]])
    #expect(try store.statistics()["visits"] == 4)
    #expect(told[8].texts == [#"{"h":2}"#, "null"])
    #expect(told[9].texts == [#"{"h":2}"#, "null"])
    try store.merge(["records": 1])
    // Of k8 nothing was left to change.
    #expect(try store.statistics()["visits"] == 104)
    #expect(told.map { $0.texts.last } == keys.map { _ in "null" })
  }

  @Test func aCancelledObservationIsVisitedNoMore() throws {
    let store = try makeMergeStore(["a": ["b": 1]])
    let (first, second) = (Told(), Told())
    let observation = try store.observe(expression: "a.b", to: first)
    try store.observe(expression: "a", to: second)
    observation.cancel()
    try store.merge(["a": ["b": 2]])
    #expect(try store.statistics()["visits"] == 1)
    #expect(first.texts == ["1"])
    #expect(second.texts == [#"{"b":1}"#, #"{"b":2}"#])
  }

  @Test func whatAFilterKeptAwayIsSeenWithTheNextActionThatPasses() throws {
    let store = try makeMergeStore(["a": 1, "b": 1])
    let told = Told()
    try store.observe(expression: "a", [:], ["filter": ["ui/*"]], to: told)
    try store.merge(["a": 2], type: "ui/set")
    #expect(told.texts == ["1"])
    try store.merge(["b": 2], type: "data/set")
    #expect(told.texts == ["1", "2"])
  }
}

@Suite struct TruthTableTests {
  struct Case: CustomTestStringConvertible {
    let filter: Bool?
    let changed: [Bool]
    let output: Bool
    let isTold: Bool

    var testDescription: String {
      "filter \(self.filter.map(String.init) ?? "none"), dependencies \(self.changed), "
        + "output \(self.output)"
    }
  }

  static var cases: [Case] {
    [nil, false, true].flatMap { filter in
      [[], [false], [true], [false, false], [true, true], [false, true]].flatMap { changed in
        [false, true].map { output in
          let isConcerned = filter != false && (changed.isEmpty || changed.contains(true))
          return Case(
            filter: filter, changed: changed, output: output, isTold: isConcerned && output)
        }
      }
    }
  }

  @Test(arguments: Self.cases)
  func anObserverIsTold(_ row: Case) throws {
    let store = try makeMergeStore(["d0": 0, "d1": 0, "out": 0])
    for name in ["d0", "d1", "out"] {
      try store.define(name, name)
    }
    var options = ObservationOptions()
    options.dependencies = row.changed.indices.map { "d\($0)" }
    options.filter = row.filter == nil ? [] : [ActionPattern("skip/*")]
    let told = Told()
    try store.observe("out", [:], options) { told.append($0) }
    var payload = row.changed.enumerated().map { ("d\($0)", Value.integer($1 ? 1 : 0)) }
    payload.append(("out", row.output ? 1 : 0))
    try store.merge(
      .object(JSONObject(payload)), type: row.filter == false ? "skip/this" : "keep/this")
    #expect(told.texts == (row.isTold ? ["0", "1"] : ["0"]))
  }
}

@Suite struct QueueTests {
  private let store: AnyStore
  private let told = Told()

  init() throws {
    self.store = try makeMergeStore(["a": 0, "b": 0])
  }

  @Test func nothingIsDeliveredBeforeThePoll() throws {
    let other = Told()
    try self.store.observe(expression: "a", [:], ["when": "queued"], to: self.told)
    try self.store.observe(expression: "b", [:], ["when": "queued"], to: other)
    try self.store.merge(["a": 1])
    try self.store.merge(["a": 2, "b": 2])
    #expect(self.told.texts == [])
    #expect(try self.store.poll() == 5)
    #expect(self.told.texts == ["0", "1", "2"])
    #expect(other.texts == ["0", "2"])
    #expect(try self.store.poll() == 0)
  }

  @Test(arguments: [
    ("dropOldest", ["3", "4"], [3, 0]), ("coalesce", ["4"], [4]),
  ])
  func aQueueIsBoundedAndTells(_ overflow: String, _ texts: [String], _ skipped: [Int]) throws {
    let options: Value = [
      "when": "queued", "capacity": 2, "overflow": .string(overflow),
    ]
    try self.store.observe(expression: "a", [:], options, to: self.told)
    for value in 1...4 {
      try self.store.merge(["a": .integer(Int64(value))])
    }
    _ = try self.store.poll()
    #expect(self.told.texts == texts)
    #expect(self.told.all.map(\.skipped) == skipped)
  }

  @Test func coalescingKeepsTheLatestHoweverLongNoOnePolls() throws {
    let options: Value = ["when": "queued", "coalesce": true, "deliver": "patch"]
    try self.store.observe(expression: "@", [:], options, to: self.told)
    _ = try self.store.poll()
    for value in 1...1_000 {
      try self.store.merge(["a": .integer(Int64(value))])
    }
    #expect(try self.store.poll() == 1)
    #expect(
      self.told.texts.last == #"patch [{"op":"replace","path":"/a","value":1000}]"#)
    #expect(self.told.all.last?.skipped == 999)
    try self.store.merge(["a": 1])
    try self.store.merge(["a": 1_000])
    #expect(try self.store.poll() == 0)
  }

  @Test func whatAnObserverQueuesIsLeftForTheNextPoll() throws {
    let store = self.store
    try store.define("a", "a")
    var options = ObservationOptions()
    options.when = .queued
    try store.observe("a", [:], options) { [told] delivery in
      told.append(delivery)
      try? store.merge(["a": .integer(Int64(told.all.count))])
      #expect((try? store.poll()) == 0)
    }
    #expect(try store.poll() == 1)
    #expect(try store.poll() == 1)
    #expect(self.told.texts == ["0", "1"])
  }

  @Test func aCancelledObserverIsNotDelivered() throws {
    let observation = try self.store.observe(
      expression: "a", [:], ["when": "queued"], to: self.told)
    observation.cancel()
    #expect(try self.store.poll() == 0)
    #expect(self.told.texts == [])
  }

  @Test func theDescriptorIsReadableWhileDeliveriesWait() throws {
    let descriptor = try self.store.descriptor
    #expect(!isReadable(descriptor))
    try self.store.observe(expression: "a", [:], ["when": "queued"], to: self.told)
    #expect(isReadable(descriptor))
    _ = try self.store.poll()
    #expect(!isReadable(descriptor))
    try self.store.merge(["a": 1])
    #expect(isReadable(descriptor))
    self.store.close()
    #expect(!isReadable(descriptor))
  }
}

@Suite struct ActionStreamTests {
  private let store: AnyStore

  init() throws {
    self.store = try makeMergeStore(["a": 0])
  }

  private func next(_ stream: ActionStream) throws -> String {
    switch try stream.next(milliseconds: 0) {
    case .element(let element): "\(element.oldState) \(element.action)"
    case .timedOut: "timed out"
    case .ended: "ended"
    case .overflowed(let capacity): "overflowed at \(capacity)"
    }
  }

  @Test func elementsAreTheOldStateAndTheWholeAction() throws {
    let stream = try self.store.makeStream()
    try self.store.dispatch(["type": "x", "payload": ["a": 1], "meta": 7])
    #expect(try self.next(stream) == #"{"a":0} {"meta":7,"payload":{"a":1},"type":"x"}"#)
    #expect(try self.next(stream) == "timed out")
    self.store.close()
    #expect(try self.next(stream) == "ended")
  }

  @Test func elementsOfADomainAreJSON() throws {
    let store = try AnyStore(NotesDomain.self)
    let stream = try store.makeStream()
    try store.dispatch(["type": "clear", "meta": ["by": "me"]])
    #expect(try self.next(stream) == #"{"notes":{}} {"meta":{"by":"me"},"type":"clear"}"#)
  }

  @Test func typesAndCapacityAreOptions() throws {
    let options = try StreamOptions(["types": ["ui/*"], "capacity": 1, "overflow": "dropOldest"])
    let stream = try self.store.makeStream(options)
    for type in ["ui/a", "data/a", "ui/b"] {
      try self.store.dispatch(["type": .string(type)])
    }
    #expect(try stream.dropped == 1)
    #expect(try self.next(stream) == #"{"a":0} {"type":"ui/b"}"#)
    #expect(throws: EngineError.self) { try StreamOptions(["overflow": "wait"]) }
    #expect(throws: EngineError.self) { try StreamOptions(["capacity": 0]) }
  }
}

@Suite struct ActionPatternTests {
  @Test(arguments: [
    ("ui/*", "ui/a/b", true), ("ui/*", "ui/", true), ("ui/*", "ui", false), ("*", "", true),
    ("a", "a", true), ("a", "ab", false), ("", "", true), ("", "a", false),
    ("*/add", "todos/add", true), ("*/add", "todos/added", false), ("a*b*c", "abc", true),
    ("a*b*c", "axbxbxc", true), ("a*b*c", "acb", false), ("a*a", "a", false), ("**", "x", true),
    ("é*", "éa", true), ("*b*b", "b", false),
  ])
  func aStarStandsForAnyText(_ pattern: String, _ type: String, _ isMatch: Bool) {
    #expect(ActionPattern(pattern).matches(type) == isMatch)
  }
}

func isReadable(_ descriptor: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return poll(&entry, 1, 0) == 1
}
