import CounterData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

@Suite struct OptimisticUpdateTests {
  struct Row: CustomTestStringConvertible {
    /// The actions, such as `begin b key dog needs a`. The reducer refuses those that begin with
    /// `refused`.
    let actions: [String]

    /// The outputs that an observer gets, from the first action on.
    let deliveries: [String]

    init(_ actions: [String], _ deliveries: [String]) {
      self.actions = actions
      self.deliveries = deliveries
    }

    var testDescription: String {
      self.actions.joined(separator: ", ")
    }
  }

  static let rows: [Row] = [
    // A change is shown while it is in flight, and then stays or is removed.
    Row(["begin a key dog", "succeed b key dog"], ["a?", "a? b!"]),
    Row(["begin a key dog", "fail b key dog"], ["a?", "b"]),
    // Other actions keep their order.
    Row(
      ["write a", "begin b key dog", "write c", "succeed d key dog", "write e"],
      ["a", "a b?", "a b? c", "a b? c d!", "a b? c d! e"]),
    Row(
      ["write a", "begin b key dog", "write c", "fail d key dog", "write e"],
      ["a", "a b?", "a b? c", "a c d", "a c d e"]),
    // Several changes are in flight, and end in any order.
    Row(
      ["begin a key dog", "begin b key cat", "fail c key dog", "fail d key cat"],
      ["a?", "a? b?", "b? c", "c d"]),
    Row(
      ["begin a key dog", "begin b key cat", "fail c key cat", "fail d key dog"],
      ["a?", "a? b?", "a? c", "c d"]),
    Row(
      ["begin a key dog", "begin b key cat", "succeed c key cat", "fail d key dog"],
      ["a?", "a? b?", "a? b? c!", "b? c! d"]),
    Row(
      ["begin a key dog", "begin b key cat", "succeed c key dog", "fail d key cat"],
      ["a?", "a? b?", "a? b? c!", "a? c! d"]),
    // Actions that depend on a removed one are removed too, also changes in flight.
    Row(
      ["begin a key dog", "write b needs a", "write c", "fail d key dog"],
      ["a?", "a? b", "a? b c", "c d"]),
    Row(
      [
        "begin a key dog", "begin b key cat needs a", "fail c key dog", "fail d key cat",
        "succeed e key cat",
      ],
      ["a?", "a? b?", "c", "c d", "c d e!"]),
    // Several changes with one key: an outcome ends the oldest.
    Row(
      ["begin a key dog", "begin b key dog", "fail c key dog", "succeed d key dog"],
      ["a?", "a? b?", "b? c", "b? c d!"]),
    Row(
      ["begin a key dog", "begin b key dog", "succeed c key dog", "fail d key dog"],
      ["a?", "a? b?", "a? b? c!", "a? c! d"]),
    Row(
      [
        "begin a key dog", "fail b key dog", "begin c key dog", "fail d key dog",
      ],
      ["a?", "b", "b c?", "b d"]),
    // Outcomes without a change in flight.
    Row(["succeed a key dog", "fail b key dog"], ["a!", "a! b"]),
    Row(
      ["begin a key dog", "fail b key cat", "fail c key dog", "fail d key dog"],
      ["a?", "a? b", "b c", "b c d"]),
    // Keys are compared by bytes.
    Row(["begin a key \u{E9}", "fail b key e\u{301}"], ["a?", "a? b"]),
    Row(["begin a key ", "fail b key "], ["a?", "b"]),
    // A refused action changes nothing, but a refused outcome ends its change.
    Row(
      [
        "begin a key dog", "write b", "refused begin c key cat needs z",
        "refused succeed c key cow needs z", "refused fail c key cow needs z",
        "refused fail c key dog needs a", "fail d key dog needs b",
      ],
      ["a?", "a? b", "b", "b d"]),
    Row(
      [
        "begin a key dog", "write b", "refused succeed c key dog needs z",
        "refused fail d key dog needs z", "fail e key dog",
      ],
      ["a?", "a? b", "a? b e"]),
    // It does not end the next change with the same key.
    Row(
      [
        "begin a key dog", "begin b key dog", "refused fail c key dog needs z", "fail d key dog",
      ],
      ["a?", "a? b?", "b?", "d"]),
  ]

  @Test(arguments: Self.rows)
  func observersSeeChangesInFlight(_ row: Row) throws {
    let store = try AnyStore(PenDomain.self, options: ["optimistic": true])
    let deliveries = DeliveryRecorder()
    try store.observe("selectText", [:], ObservationOptions(["initial": false])) {
      deliveries.append($0)
    }
    for line in row.actions {
      let (action, isRefused) = try parse(line)
      let error = failure { () throws(EngineError) in try store.dispatch(action) }
      #expect((error != nil) == isRefused, "\(line)")
    }
    #expect(deliveries.texts == row.deliveries.map { "\"\($0)\"" })
  }

  /// A limit that was lowered since does not reject an action that was accepted. An outcome that
  /// exceeds it itself ends its change.
  @Test func aLimitInterruptsARollBack() throws {
    let refused = Mutex("")
    let store = try AnyStore(state: [], options: ["optimistic": true]) { state, action in
      guard case .array(let elements) = state, let type = action["type"] else { return state }
      if type == .string(refused.withLock { $0 }) { throw EngineError(.limit, "too large") }
      return .array(JSONArray(elements + [type]))
    }
    func send(_ type: Value, _ meta: Value = [:]) throws {
      try store.dispatch(["type": type, "meta": ["optimistic": meta]])
    }
    try send("a", ["begin": "17"])
    try store.dispatch(["type": "b"])
    try store.dispatch(["type": "c"])
    refused.withLock { $0 = "b" }
    let message =
      "the change \"17\" was not rolled back, because a later action cannot be reduced again: too "
      + "large"
    for _ in 0..<2 {
      #expect(throws: EngineError(.limit, message)) { try send("d", ["fail": "17"]) }
      #expect(try store.state() == ["a", "b", "c"])
    }
    refused.withLock { $0 = "" }
    try send("d", ["fail": "17"])
    #expect(try store.state() == ["b", "c", "d"])

    try send("a", ["begin": "17"])
    refused.withLock { $0 = "d" }
    let rejection =
      "the change \"17\" was rolled back, but the reducer rejected its outcome: too large"
    #expect(throws: EngineError(.limit, rejection)) { try send("d", ["fail": "17"]) }
    #expect(try store.state() == ["b", "c", "d"])
  }

  /// An action that the reducer rejects only after some of the rollbacks stays.
  @Test(arguments: [[:], ["history": true]] as [Value])
  func openingALogGivesTheConfirmedState(_ others: Value) throws {
    let folder = try TemporaryFolder()
    guard case .object(var options) = others else { return }
    options["log"] = .string(folder.file("x.imd"))
    options["optimistic"] = true
    func open() throws -> AnyStore {
      try AnyStore(state: 3, options: .object(options)) { state, action in
        guard case .integer(let sum) = state, case .integer(let change)? = action["payload"],
          sum + change >= 0
        else { throw EngineError(.reducerFailed, "too little") }
        return .integer(sum + change)
      }
    }
    let store = try open()
    for (change, meta) in [
      (-3, ["optimistic": ["begin": "a"]]), (5, ["optimistic": ["begin": "b"]]), (-1, [:]),
    ] as [(Value, Value)] {
      try store.dispatch(["type": "added", "payload": change, "meta": meta])
    }
    #expect(try store.confirmedState() == 2)
    store.close()
    #expect(try open().state() == 2)
  }

  @Test func withoutTheOptionEachActionIsReduced() throws {
    for options: Value in [[:], ["optimistic": false]] {
      let store = try AnyStore(PenDomain.self, options: options)
      for line in ["begin a key dog", "succeed b key dog", "begin c key dog", "fail d key dog"] {
        try store.dispatch(parse(line).action)
      }
      #expect(try store.select("selectText") == "a b c d")
    }
  }

  @Test func onlyAnOptimisticDomainHasTheOption() throws {
    guard
      case .array(let domains) = try DomainRegistry([PenDomain.self, CounterDomain.self])
        .descriptions
    else {
      Issue.record("no array")
      return
    }
    #expect(
      domains.map { $0["options"]?["properties"]?["optimistic"]?["type"] } == [nil, "boolean"])
    let error = failure { () throws(EngineError) in
      _ = try AnyStore(CounterDomain.self, options: ["optimistic": true])
    }
    #expect(
      error?.message
        == #"unknown option "optimistic"; expected one of: "budget", "clock", "depth", "history", "#
        + #""inspect" and 4 more"#
    )
  }

  @Test func aBatchIsAtomic() throws {
    let store = try AnyStore(PenDomain.self, options: ["optimistic": true])
    let deliveries = DeliveryRecorder()
    try store.observe("selectText") { deliveries.append($0) }
    let first = ["write a", "begin b key dog", "write c needs b", "begin d key cat"]
    try store.dispatch(batch: .array(JSONArray(first.map { try parse($0).action })))
    let refused = ["fail e key dog", "fail f key cat", "write g needs b"]
    #expect(throws: EngineError.self) {
      try store.dispatch(batch: .array(JSONArray(refused.map { try parse($0).action })))
    }
    let last = ["fail h key dog", "succeed i key cat"]
    try store.dispatch(batch: .array(JSONArray(last.map { try parse($0).action })))
    #expect(deliveries.texts == [#""""#, #""a b? c d?""#, #""a d? h i!""#])
  }

  @Test func streamsHaveTheStatesThatWereShown() throws {
    let store = try AnyStore(PenDomain.self, options: ["optimistic": true])
    let stream = try store.makeStream()
    for line in ["begin a key dog", "write b", "fail c key dog", "write d"] {
      try store.dispatch(parse(line).action)
    }
    let shown = [[], ["a?"], ["a?", "b"], ["b", "c"], ["b", "c", "d"]]
    for (old, new) in zip(shown, shown.dropFirst()) {
      guard case .element(let element) = try stream.next(milliseconds: 0) else {
        Issue.record("no element")
        return
      }
      #expect(try element.oldState == Value(encoding: PenDomain.State(written: old)))
      #expect(try element.newState == Value(encoding: PenDomain.State(written: new)))
    }
  }

  /// The log drops the oldest change in flight when it is full.
  @Test(arguments: [(1022, "fails"), (1023, "stays")])
  func theLogIsBounded(_ others: Int, _ outcome: String) throws {
    let store = try AnyStore(PenDomain.self, options: ["optimistic": true])
    try store.dispatch(parse("begin a key dog").action)
    try store.dispatch(parse("begin b key cat").action)
    try store.dispatch(
      batch: .array(JSONArray((0..<others).map { _ in try parse("write -").action })))
    try store.dispatch(parse("fail c key cat").action)
    try store.dispatch(parse("fail d key dog").action)
    guard case .string(let text) = try store.select("selectText") else {
      Issue.record("no string")
      return
    }
    #expect(text.hasPrefix("a? ") == (outcome == "stays"))
    #expect(!text.contains("b?"))
    #expect(text.hasSuffix("- c d"))
  }
}

/// The action of a line, and whether the reducer refuses it.
private func parse(_ line: String) throws -> (action: Value, isRefused: Bool) {
  var words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)[...]
  let isRefused = words.first == "refused"
  words = words.drop { $0 == "refused" }
  let type = words.popFirst() ?? ""
  var mark = PenDomain.Mark(text: words.popFirst() ?? "")
  var key = ""
  while let name = words.popFirst(), let word = words.popFirst() {
    switch name {
    case "key": key = word
    case "needs": mark.needs = word
    default: mark.clashes = word
    }
  }
  let action: PenDomain.Action =
    switch type {
    case "begin": .begin(mark: mark, key: key)
    case "succeed": .succeed(mark: mark, key: key)
    case "fail": .fail(mark: mark, key: key)
    default: .write(mark: mark)
    }
  return (try action.json, isRefused)
}
