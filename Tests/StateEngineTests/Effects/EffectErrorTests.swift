import ImmutableJSON
import StateEngine
import TestSupport
import Testing
import Threading

/// A domain whose effects fail.
private enum FailingDomain: Domain {
  struct State: Codable, Sendable {}

  enum Action: Codable, Sendable {
    case stop
    case ui(UI)

    enum UI: Codable, Sendable {
      case fail(message: String)
      case failLater
      case failWithoutCause
      case dispatchStop
    }
  }

  struct Broken: Error, CustomStringConvertible {
    var description: String { "broken" }
  }

  final class Session: Effects {
    private let context = Mutex<EffectContext<State, Action>?>(nil)

    func effect(of action: Action, from old: State, to new: State) -> Effect<State, Action>? {
      switch action {
      case .stop: { _ in throw Broken() }
      case .ui(.fail(let message)): { _ in throw EngineError(.io, message) }
      case .ui(.failLater): { $0.perform { $0.schedule { _ in throw Broken() } } }
      case .ui(.failWithoutCause):
        { _ in
          self.context.withLock { $0 }?.perform { _ in throw Broken() }
        }
      case .ui(.dispatchStop): { try $0.dispatch(.stop) }
      }
    }

    func begin(in context: EffectContext<State, Action>) {
      self.context.withLock { $0 = context }
    }

    func end() {
      self.context.withLock { $0 = nil }
    }
  }

  static let name = "failing"
  static let summary = "Nothing but failures."
  static let initialState = State()
  static var stateSchema: Schema { .object([]) }

  static var actions: [ActionDescription<Action>] {
    [
      .init("stop", "Fails."),
      .init("ui/fail", "Fails.", payload: [.init("message", .string, "The message.")]),
      .init("ui/failLater", "Fails in an effect of its effect."),
      .init("ui/failWithoutCause", "Fails in an effect of the context of all actions."),
      .init("ui/dispatchStop", "Fails in an effect of an action of its effect."),
    ]
  }

  static var selectors: [SelectorDescription<State>] { [] }

  static func reduce(_ state: State, _ action: Action) -> State { state }

  static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<State, Action>)? {
    Session()
  }
}

/// The errors of a domain's effects say which action caused the effect.
@Suite struct EffectErrorTests {
  /// Opens a store, dispatches, and checks the first error of an effect.
  private func check(_ action: Value, _ expected: EngineError) throws {
    let store = try AnyStore(FailingDomain.self)
    let errors = Recorder<EngineError>()
    try store.setEffectErrorHandler { errors.append($0) }
    try store.dispatch(action)
    let error = try #require(errors.first())
    #expect(error == expected)
  }

  @Test func theTypeOfTheActionIsNamed() throws {
    try self.check(
      ["type": "stop"], EngineError(.reducerFailed, #"an effect after "stop": broken"#))
    try self.check(
      ["type": "ui/fail", "payload": ["message": "no"]],
      EngineError(.io, #"an effect after "ui/fail": no"#))
  }

  @Test func anErrorWithoutAMessage() throws {
    try self.check(
      ["type": "ui/fail", "payload": ["message": ""]],
      EngineError(.io, #"an effect after "ui/fail": it gave no reason"#))
  }

  @Test func effectsOfEffectsHaveTheSameCause() throws {
    try self.check(
      ["type": "ui/failLater"],
      EngineError(.reducerFailed, #"an effect after "ui/failLater": broken"#))
  }

  @Test func theActionOfAnEffectIsACauseItself() throws {
    try self.check(
      ["type": "ui/dispatchStop"],
      EngineError(.reducerFailed, #"an effect after "stop": broken"#))
  }

  @Test func anEffectWithoutAnAction() throws {
    try self.check(
      ["type": "ui/failWithoutCause"],
      EngineError(.reducerFailed, "an effect that no action caused: broken"))
  }
}
