import ImmutableData
import ImmutableJSON
import Threading

/// Runs the effects that a rule of the program asks for. A store without a rule pays nothing: the
/// runner subscribes to it with the first rule.
final class RuleRunner: Sendable {
  typealias ValueStore = Store<Value, ValueAction>

  private struct State {
    var runner: EffectRunner<Value, Value>?
    var hasEnded = false
  }

  private let rule = CallbackSlot<RuleCall>()
  private let state = Mutex(State())
  private let makeRunner: @Sendable () -> EffectRunner<Value, Value>?

  init(of store: ValueStore, _ functions: EffectFunctions, _ failures: EffectFailures) {
    self.makeRunner = { [weak store, rule] in
      guard let store else { return nil }
      return EffectRunner(
        nil, of: store, functions: functions, action: { $0.json }, failures: failures
      ) { action, store in
        _ = try ActionEnvelope(action, example: "added")
        try store.dispatch(action: ValueAction(json: action))
      } rule: { action, old, new, context in
        Self.ask(rule, RuleCall(action: action, oldState: old, newState: new), context)
      }
    }
  }

  deinit {
    self.rule.close()
  }
}

/// A call of a rule, and what it asked for.
final class RuleCall: @unchecked Sendable {
  let action: Value
  let oldState: Value
  let newState: Value
  /// Written by the rule and read after it, on the same thread.
  var effects: Result<[RequestedEffect], any Error> = .success([])

  init(action: Value, oldState: Value, newState: Value) {
    self.action = action
    self.oldState = oldState
    self.newState = newState
  }
}

extension RuleRunner {
  /// Sets the rule for all actions from now on; `nil` removes it. Effects in flight continue.
  func use(_ rule: Callback<RuleCall>?) {
    self.rule.use(rule)
    self.state.withLock { state in
      guard rule != nil, state.runner == nil, !state.hasEnded else { return }
      state.runner = self.makeRunner()
    }
  }

  private static func ask(
    _ rule: CallbackSlot<RuleCall>, _ call: RuleCall, _ context: EffectContext<Value, Value>
  ) {
    guard rule.call(call) else { return }
    do {
      let effects = try call.effects.get()
      try RequestedEffect.requireCount(effects.count)
      for effect in effects {
        context.perform(effect.name, effect.arguments, then: effect.completion)
      }
    } catch {
      context.recordFailure(error)
    }
  }
}

extension RuleRunner: EffectRunning {
  private var runner: EffectRunner<Value, Value>? {
    self.state.withLock { $0.runner }
  }

  var queue: EffectQueue? {
    self.runner?.queue
  }

  var statistics: [(String, Value)] {
    self.runner?.statistics ?? []
  }

  func end() {
    self.rule.close()
    let runner = self.state.withLock { state in
      state.hasEnded = true
      return state.runner
    }
    runner?.end()
  }

  func join() {
    self.runner?.join()
  }

  func backup(to path: String) throws(EngineError) {
    throw .noDatabase
  }
}
