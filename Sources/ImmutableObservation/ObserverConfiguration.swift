/// The configuration of an observer: its filter and selectors.
struct ObserverConfiguration<State, Action, Output>: Sendable {
  typealias Filter = @Sendable (State, Action) -> Bool

  let label: String?
  let filter: Filter?

  /// One function per dependency, which reads it for the first time.
  let dependencies: [@Sendable (State) -> any Dependency<State>]

  let outputSelector: ObserverSelector<State, Output>
  let coalesces: Bool

  init<each Value>(
    _ label: String?, _ filter: Filter?,
    _ dependencySelectors: repeat ObserverSelector<State, each Value>,
    output outputSelector: ObserverSelector<State, Output>, coalesces: Bool
  ) {
    // Not stored as a pack: the runtime does not support classes with such properties.
    var dependencies: [@Sendable (State) -> any Dependency<State>] = []
    for selector in repeat each dependencySelectors {
      dependencies.append { SelectedDependency(selector, in: $0) }
    }
    self.label = label
    self.filter = filter
    self.dependencies = dependencies
    self.outputSelector = outputSelector
    self.coalesces = coalesces
  }

  /// Whether an action passes the filter.
  func includes(_ oldState: State, _ action: Action) -> Bool {
    self.filter?(oldState, action) ?? true
  }
}
