import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

/// A domain that asks a server.
enum QuestionsDomain: Domain {
  struct State: Codable, Sendable, Equatable {
    var asked: [String] = []
    var answers: [String: String] = [:]
  }

  enum Action: Codable, Sendable {
    case ask(question: String)
    case ui(UI)
    case data(Data)

    enum UI: Codable, Sendable { case forget }
    enum Data: Codable, Sendable { case didAnswer(question: String, answer: String) }
  }

  struct Session: Effects {
    let fetcher: Fetcher

    func effect(
      of action: Action, from oldState: State, to newState: State
    ) -> Effect<State, Action>? {
      guard case .ask(let question) = action, newState.asked.count > oldState.asked.count else {
        return nil
      }
      return { context in
        let request = FetchRequest(url: "http://host/\(question)")
        do {
          let response = try self.fetcher.response(to: request, within: 5_000)
          let answer = String(decoding: response.body, as: UTF8.self)
          try context.dispatch(.data(.didAnswer(question: question, answer: answer)))
        } catch let error as ProgramTaskError {
          try context.dispatch(.data(.didAnswer(question: question, answer: "\(error)")))
          throw error
        }
      }
    }
  }

  static let name = "questions"
  static let summary = "Questions to a server."
  static let initialState = State()
  static var stateSchema: Schema { .any }

  static var actions: [ActionDescription<Action>] {
    [
      .init("ask", "Asks.", payload: [.init("question", .string, "What.")]),
      .init("ui/forget", "Forgets all."),
      .init(
        "data/didAnswer", "The server answered.",
        payload: [.init("question", .string, "What."), .init("answer", .string, "Its answer.")]),
    ]
  }

  static var selectors: [SelectorDescription<State>] {
    [.init("selectAnswers", "By question.", output: .any) { $0.answers }]
  }

  static func reduce(_ state: State, _ action: Action) throws -> State {
    var state = state
    switch action {
    case .ask(let question):
      if !state.asked.contains(question) { state.asked.append(question) }
    case .ui(.forget): state = State()
    case .data(.didAnswer(let question, let answer)): state.answers[question] = answer
    }
    return state
  }

  static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<State, Action>)? {
    Session(fetcher: fetcher)
  }
}

/// A domain that counts how often its effects end.
private enum EndingDomain: Domain {
  struct State: Codable, Sendable {}
  enum Action: Codable, Sendable { case nothing }

  struct Session: Effects {
    func effect(of action: Action, from old: State, to new: State) -> Effect<State, Action>? { nil }

    func end() {
      EndingDomain.ends.withLock { $0 += 1 }
    }
  }

  static let ends = Mutex(0)
  static let name = "ending"
  static let summary = "Nothing but effects."
  static let initialState = State()
  static var stateSchema: Schema { .object([]) }
  static var actions: [ActionDescription<Action>] { [.init("nothing", "Does nothing.")] }
  static var selectors: [SelectorDescription<State>] { [] }
  static func reduce(_ state: State, _ action: Action) -> State { state }

  static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<State, Action>)? {
    Session()
  }
}

@Suite struct EffectTests {
  private let store: AnyStore

  init() throws {
    self.store = try AnyStore(QuestionsDomain.self)
  }

  private func ask(_ question: String) throws {
    try self.store.dispatch(["type": "ask", "payload": ["question": .string(question)]])
  }

  private func answerAtOnce() throws {
    try self.store.setFetch { call in
      try? call.resolve(status: 200, headers: [], Array("answer to \(call.request.url)".utf8))
    }
  }

  @Test func anEffectFollowsItsAction() throws {
    try self.answerAtOnce()
    try self.ask("a")
    try self.ask("a")
    try self.store.settle()
    #expect(try self.store.select("selectAnswers") == ["a": "answer to http://host/a"])
    let statistics = try self.store.statistics()
    #expect(statistics["effects"] == 1)
    #expect(statistics["failedEffects"] == 0)
  }

  /// Streams get the actions of effects as JSON, like all others.
  @Test func aDispatchOfAnEffectReachesStreamsAsJSON() throws {
    try self.answerAtOnce()
    let stream = try self.store.makeStream()
    try self.ask("a")
    try self.store.settle()
    _ = try stream.next()
    guard case .element(let element) = try stream.next() else {
      Issue.record("no element")
      return
    }
    let action = try element.action
    #expect(
      action == [
        "type": "data/didAnswer",
        "payload": ["question": "a", "answer": "answer to http://host/a"],
      ])
    // It can be dispatched again.
    try self.store.dispatch(action)
  }

  @Test func effectsRunInTheOrderOfTheirActions() throws {
    let asked = Recorder<String>()
    try self.store.setFetch { call in
      asked.append(call.request.url)
      try? call.resolve(status: 200, headers: [], [])
    }
    let names = (0..<100).map { "q\($0)" }
    for name in names { try self.ask(name) }
    try self.store.settle()
    #expect(asked.all == names.map { "http://host/\($0)" })
  }

  /// The effect of an action in a batch depends on the states right before and after the action.
  @Test func eachActionOfABatchCanHaveAnEffect() throws {
    try self.answerAtOnce()
    let ask: Value = ["type": "ask", "payload": ["question": "a"]]
    let other: Value = ["type": "ask", "payload": ["question": "b"]]
    try self.store.dispatch(batch: [ask, ask, other, ["type": "ui/forget"], ask])
    try self.store.settle()
    #expect(try self.store.statistics()["effects"] == 3)
  }

  @Test func aRequestWithoutAFetchFunctionFails() throws {
    try self.ask("a")
    try self.store.settle()
    #expect(
      try self.store.select("selectAnswers") == ["a": .string(ProgramTaskError.noFetch.description)]
    )
    #expect(try self.store.statistics()["failedEffects"] == 1)
  }

  @Test func settleTimesOut() throws {
    let calls = Recorder<FetchTask>()
    try self.store.setFetch { calls.append($0) }
    try self.ask("a")
    #expect(
      failure { () throws(EngineError) in try self.store.settle(milliseconds: 20) }?.code
        == .timeout)
    try #require(calls.first()).reject("no")
    try self.store.settle()
    #expect(try self.store.select("selectAnswers") == ["a": "no"])
  }

  @Test func settleInsideAnObserverThrows() throws {
    try self.answerAtOnce()
    let codes = Recorder<EngineError.Code?>()
    let store = self.store
    var options = ObservationOptions()
    options.initial = false
    try self.store.observe("selectAnswers", [:], options) {
      [weak store] _ in
      codes.append(failure { () throws(EngineError) in try store?.settle() }?.code)
    }
    try self.ask("a")
    try self.store.settle()
    #expect(codes.all == [.reentrant])
  }

  @Test func closeCancelsEffects() throws {
    let calls = Recorder<FetchTask>()
    let released = Recorder<Bool>()
    try self.store.setFetch(release: { released.append(true) }) { calls.append($0) }
    try self.ask("a")
    try self.ask("b")
    let call = try #require(calls.first())
    self.store.close()
    #expect(released.all == [true])
    let error = failure { () throws(EngineError) in
      try call.resolve(status: 200, headers: [], [])
    }
    #expect(error?.code == .closed)
    #expect(calls.all.count == 1)
  }

  @Test func effectsEndOnceIfThreadsCloseTheStore() throws {
    for _ in 0..<1_000 {
      let store = try AnyStore(EndingDomain.self)
      onThreads(2) { _ in store.close() }
    }
    #expect(EndingDomain.ends.withLock { $0 } == 1_000)
  }

  @Test func setFetchReplacesTheFunction() throws {
    let released = Recorder<Int>()
    for number in 1...3 {
      try self.store.setFetch(release: { released.append(number) }) { call in
        try? call.resolve(status: 200, headers: [], [UInt8](String(number).utf8))
      }
    }
    #expect(released.all == [1, 2])
    try self.ask("a")
    try self.store.settle()
    #expect(try self.store.select("selectAnswers") == ["a": "3"])
    try self.store.removeFetch()
    #expect(released.all == [1, 2, 3])
  }

  @Test func releasingTheStoreEndsItsEffects() throws {
    var store: AnyStore? = try AnyStore(QuestionsDomain.self)
    let calls = Recorder<FetchTask>()
    try store?.setFetch { calls.append($0) }
    try store?.dispatch(["type": "ask", "payload": ["question": "a"]])
    let call = try #require(calls.first())
    store = nil
    #expect(failure { () throws(EngineError) in try call.reject("late") }?.code == .closed)
  }
}
