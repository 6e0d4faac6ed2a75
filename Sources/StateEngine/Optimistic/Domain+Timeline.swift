extension Domain {
  /// The reducer of a store.
  static func reducer(isOptimistic: Bool) -> Timeline<State, SentAction<Action>>.Reducer {
    guard isOptimistic else {
      return Timeline.reducer { state, sent in
        try self.reduce(state, sent.action)
      }
    }
    return Timeline.reducer { sent, state in
      self.optimism(of: sent.action, in: state)
    } refusal: {
      $0.refusal
    } reduce: { state, sent, step in
      switch step {
      case .reduce: try self.reduce(state, sent.action)
      case .anticipate: try self.anticipate(state, sent.action)
      case .confirm: try self.confirm(state, sent.action)
      }
    }
  }
}
