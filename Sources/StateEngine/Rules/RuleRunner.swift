import ImmutableData
import ImmutableJSON
import Threading

/// Runs the effects that a rule of the program asks for. A store without a rule pays nothing: the
/// runner subscribes to it with the first rule.
final class RuleRunner: Sendable {
  private struct State {
    var runner: EffectRunner?
    var hasEnded = false
  }

  private let rule = CallbackSlot<RuleCall>()
  private let scheduler = EffectScheduler()
  private let state = Mutex(State())
  private let makeRunner: @Sendable () -> EffectRunner?

  init(
    of store: Store<Value, ValueAction>, _ schema: StoreSchema?, _ functions: EffectFunctions,
    _ failures: EffectFailures
  ) {
    self.makeRunner = { [weak store, rule, scheduler] in
      guard let store else { return nil }
      return EffectRunner(
        nil, of: store, functions: functions, failures: failures
      ) { (action: ValueAction, store) in
        let envelope = try ActionEnvelope(action.value, example: "added")
        try schema?.check(envelope.type, envelope.payload, isNamed: false)
        try store.dispatch(action: action)
      } react: { commit, context in
        guard let action = commit.action else { return }
        Self.ask(rule, RuleCall(commit, action.value), schema, scheduler, context)
      }
    }
  }

  deinit {
    self.rule.close()
  }
}

/// A call of a rule, and what it asked for.
final class RuleCall: @unchecked Sendable {
  let commit: Commit<Value, ValueAction>
  let action: Value
  /// Written by the rule and read after it, on the same thread.
  var effects: Result<[RequestedEffect], any Error> = .success([])

  init(_ commit: Commit<Value, ValueAction>, _ action: Value) {
    self.commit = commit
    self.action = action
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
    _ rule: CallbackSlot<RuleCall>, _ call: RuleCall, _ schema: StoreSchema?,
    _ scheduler: EffectScheduler, _ context: EffectContext<Value, ValueAction>
  ) {
    guard rule.call(call) else { return }
    do {
      let effects = try call.effects.get()
      try RequestedEffect.requireCount(effects.count)
      if let schema {
        for (index, effect) in effects.enumerated() { try effect.check(schema, "effects/\(index)") }
      }
      for effect in effects {
        if let key = effect.cancelledKey {
          scheduler.cancel(key)
        } else if let schedule = effect.schedule {
          scheduler.add(effect, schedule, in: context)
        } else {
          context.perform(effect.name, effect.arguments, then: effect.completion)
        }
      }
    } catch {
      context.recordFailure(error)
    }
  }

  /// What ``AnyStore/statistics()`` says of the effects of a rule; nothing until one has been set.
  var statistics: [(String, Value)] {
    self.runner == nil ? [] : self.scheduler.statistics
  }

  /// `nil` until a rule has been set.
  var runner: EffectRunner? {
    self.state.withLock { $0.runner }
  }

  func end() {
    self.rule.close()
    self.state.withLock { $0.hasEnded = true }
    self.runner?.end()
    self.scheduler.end()
  }
}
