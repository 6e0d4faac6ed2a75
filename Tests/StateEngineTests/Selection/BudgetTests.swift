import CounterData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// The budget of work as an option of a store, a select, a query and an observation.
@Suite struct BudgetTests {
  private static let sums = "let $all = @ in length([*].[sum($all)])"
  private static let numbers = Value.array(JSONArray((0..<100).map { .integer($0) }))

  /// A store whose actions are `{"type": "set", "payload": STATE}`.
  private func makeStore(_ options: Value = [:]) throws -> AnyStore {
    try AnyStore(state: Self.numbers, options: options) { $1["payload"] ?? $0 }
  }

  private func set(_ count: Int64, in store: AnyStore) throws {
    let numbers = Value.array(JSONArray((0..<count).map { .integer($0) }))
    try store.dispatch(["type": "set", "payload": numbers])
  }

  /// - Parameter limit: The budget that `body` exceeds; `nil` if it succeeds.
  private func check(
    _ limit: Int?, _ message: String = "sum(): ", sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws(EngineError) -> Value
  ) {
    let result = Result(catching: body)
    guard let limit else {
      #expect(result == .success(100), sourceLocation: sourceLocation)
      return
    }
    guard case .failure(let error) = result else {
      Issue.record("no budget was exceeded", sourceLocation: sourceLocation)
      return
    }
    #expect(error.code == .limit, sourceLocation: sourceLocation)
    #expect(
      error.message == """
        \(message)the evaluation takes more than \(limit) units of work, which is its budget; \
        simplify the expression, or raise "budget"
          let $all = @ in length([*].[sum($all)])
                                      ^
        """, sourceLocation: sourceLocation)
    #expect(error.column == 29, sourceLocation: sourceLocation)
  }

  @Test func budgetOfACall() throws {
    let store = try self.makeStore()
    try store.define("sums", Self.sums)
    self.check(1000) { () throws(EngineError) in
      try store.query(Self.sums, [:], EvaluationOptions(budget: 1000))
    }
    self.check(1000) { () throws(EngineError) in
      try store.select("sums", [:], EvaluationOptions(budget: 1000))
    }
    self.check(nil) { () throws(EngineError) in try store.query(Self.sums) }
    // A cached output takes no work.
    self.check(nil) { () throws(EngineError) in
      try store.select("sums", [:], EvaluationOptions(budget: 1))
    }
    #expect(try store.statistics()["evaluations"] == 1)
  }

  @Test func budgetOfAStore() throws {
    let store = try self.makeStore(["budget": 1000])
    self.check(1000) { () throws(EngineError) in try store.query(Self.sums) }
    self.check(2000) { () throws(EngineError) in
      try store.query(Self.sums, [:], EvaluationOptions(budget: 2000))
    }
    self.check(nil) { () throws(EngineError) in
      try store.query(Self.sums, [:], EvaluationOptions(budget: 100_000))
    }
  }

  @Test func budgetOfADomainStore() throws {
    let store = try AnyStore(CounterDomain.self, options: ["budget": 2])
    #expect(throws: Never.self) { try store.query("value") }
    let error = #expect(throws: EngineError.self) { try store.query("[value]") }
    #expect(error?.code == .limit)
    // The selectors of a domain are not expressions.
    #expect(throws: Never.self) { try store.select("selectValue") }
  }

  /// An observer gets the failure, and the output of the next state for which the budget suffices.
  @Test func budgetOfAnObservation() throws {
    let store = try self.makeStore()
    try store.define("sums", Self.sums)
    let options = try ObservationOptions(["budget": 20_000, "label": "sums"])
    nonisolated(unsafe) var deliveries: [String] = []
    try store.observe("sums", [:], options) { delivery in
      switch delivery.content {
      case .value(let value): deliveries.append(value.json)
      case .failure(let error): deliveries.append("\(error.code) \(error.message.prefix(11))")
      case .patch: deliveries.append("patch")
      }
    }
    try self.set(1000, in: store)
    try self.set(1001, in: store)
    try self.set(10, in: store)
    #expect(deliveries == ["100", "limit sums: sum()", "10"])
    // The budget of the store suffices.
    try self.set(200, in: store)
    #expect(try store.select("sums") == 200)
    #expect(deliveries.last == "limit sums: sum()")
  }

  /// `observe` throws if the first output exceeds the budget.
  @Test func budgetOfAFirstOutput() throws {
    let store = try self.makeStore(["budget": 1000])
    try store.define("sums", Self.sums)
    for initial in [true, false] {
      var options = ObservationOptions()
      options.initial = initial
      self.check(1000) { () throws(EngineError) in
        try store.observe("sums", [:], options) { _ in Issue.record("an output was delivered") }
        return .null
      }
    }
    #expect(try store.statistics()["observations"] == 0)
    try self.set(101, in: store)
  }

  /// A cached first output takes no work.
  @Test(arguments: [true, false])
  func budgetOfACachedFirstOutput(_ initial: Bool) throws {
    let store = try self.makeStore()
    try store.define("sums", Self.sums)
    try store.define("first", "[0]")
    #expect(try store.select("sums") == 100)
    #expect(try store.select("first") == 0)
    var options = ObservationOptions()
    (options.budget, options.initial) = (1, initial)
    let deliveries = DeliveryRecorder()
    try store.observe("sums", [:], options) { deliveries.append($0) }
    options.dependencies = ["first"]
    try store.observe("sums", [:], options) { deliveries.append($0) }
    #expect(deliveries.texts == (initial ? ["100", "100"] : []))
    #expect(try store.statistics()["selects"] == 2)
    // The dependency of the second observation is unchanged.
    try self.set(101, in: store)
    #expect(deliveries.texts.dropFirst(initial ? 2 : 0) == ["limit"])
    // The cached output belongs to another state.
    #expect(throws: EngineError.self) { try store.observe("sums", [:], options) { _ in } }
    #expect(try store.select("sums") == 101)
    options.dependencies = []
    #expect(throws: Never.self) { try store.observe("sums", [:], options) { _ in } }
  }

  @Test func budgetOfAnObservationOfADomain() throws {
    let store = try AnyStore(CounterDomain.self, options: ["budget": 2])
    try store.define("list", "[value, value]")
    #expect(throws: EngineError.self) { try store.observe("list") { _ in } }
    #expect(try store.select("list", [:], EvaluationOptions(budget: 100)) == [0, 0])
    let deliveries = DeliveryRecorder()
    try store.observe("list") { deliveries.append($0) }
    #expect(deliveries.texts == ["[0,0]"])
  }

  @Test func anObservationBeginsWithTheCachedOutputOfADomain() throws {
    let store = try AnyStore(NotesDomain.self)
    #expect(try store.select("selectNote", ["id": "1"]) == .null)
    let deliveries = DeliveryRecorder()
    try store.observe("selectNote", ["id": "1"]) { deliveries.append($0) }
    try store.dispatch(["type": "ui/editor/didSave", "payload": ["id": "1", "text": "a"]])
    try store.observe("selectNote", ["id": "1"]) { deliveries.append($0) }
    #expect(deliveries.texts == ["null", #""a""#, #""a""#])
  }

  /// A cached output stays valid after an evaluation that exceeded its budget.
  @Test func budgetOfACachedOutput() throws {
    let store = try self.makeStore()
    self.check(nil) { () throws(EngineError) in try store.query(Self.sums) }
    try self.set(101, in: store)
    #expect(throws: EngineError.self) {
      try store.query(Self.sums, [:], EvaluationOptions(budget: 1000))
    }
    #expect(try store.query(Self.sums) == 101)
    #expect(try store.query(Self.sums, [:], EvaluationOptions(budget: 1)) == 101)
  }

  @Test(arguments: [
    (#"{"budget":0}"#, "options/budget: 0 is not 1 or more"),
    (#"{"budget":-1}"#, "options/budget: -1 is not 1 or more"),
    (#"{"budget":"1"}"#, "options/budget: expected an integer, found a string"),
    (#"{"budgt":1}"#, #"unknown option "budgt"; did you mean "budget"?"#),
  ])
  func invalidBudgetsAreRejected(_ json: String, _ message: String) throws {
    let options = try Value(json: json)
    let calls: [() throws -> Void] = [
      { _ = try EvaluationOptions(options) }, { _ = try ObservationOptions(options) },
      { _ = try self.makeStore(options) },
      { _ = try AnyStore(CounterDomain.self, options: options) },
    ]
    for call in calls {
      let error = #expect(throws: EngineError.self) { try call() }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == message)
    }
  }
}
