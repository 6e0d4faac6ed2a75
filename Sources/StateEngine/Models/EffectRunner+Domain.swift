import ImmutableData

extension EffectRunner {
  /// Runs the effects of a domain's store.
  convenience init<State: Sendable, Action: Codable & Sendable>(
    _ effects: any Effects<State, Action>, of store: Store<State, DomainAction<Action>>,
    _ functions: EffectFunctions, _ failures: EffectFailures
  ) {
    self.init(effects, of: store, functions: functions, failures: failures) {
      action, store in
      let action = DomainAction(action)
      // So that a stream knows its type when it is committed.
      if store.commits.hasStreams { _ = try? action.json }
      try store.dispatch(action: action)
    } react: { commit, context in
      guard let action = commit.action else { return }
      let effect = effects.effect(of: action.action, from: commit.oldState, to: commit.newState)
      if let effect {
        context.caused { try? action.json["type"]?.string }.perform(effect)
      }
    }
  }
}
