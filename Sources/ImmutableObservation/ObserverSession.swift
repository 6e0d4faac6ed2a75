import ImmutableData

/// The state of an observer in one store: the values that it read last.
///
/// Updated by the store's notifications or by the task that reads its stream, hence by one thread
/// at a time.
final class ObserverSession<State, Action, Output>: @unchecked Sendable
where State: Sendable, Action: Sendable, Output: Sendable {
  typealias Configuration = ObserverConfiguration<State, Action, Output>

  private let configuration: Configuration
  private let publish: @Sendable (Output) -> Void
  /// Reads the current state; `nil` if the observer does not coalesce, or the store was released.
  private let current: @Sendable () -> State?

  private let dependencies: [any Dependency<State>]
  private var published: Output
  /// The state before the batch whose commits are being delivered, and whether one of its actions
  /// so far passes the filter.
  private var batch: (oldState: State, passes: Bool)?

  /// Reads the dependencies and the output, and publishes the output. Ignores the filter.
  init(
    _ configuration: Configuration, _ state: State,
    current: @escaping @Sendable () -> State?,
    publish: @escaping @Sendable (Output) -> Void
  ) {
    self.configuration = configuration
    self.current = current
    self.publish = publish
    self.dependencies = configuration.dependencies.map { $0(state) }
    self.published = configuration.outputSelector.select(state)
    publish(self.published)
  }

  func update(_ commit: Commit<State, Action>) {
    let oldState = self.batch?.oldState ?? commit.oldState
    // The filter decides about actions, not about jumps in the history.
    let passes =
      self.batch?.passes == true
      || (commit.action.map { self.configuration.includes(oldState, $0) } ?? true)
    self.batch = commit.isLast ? nil : (oldState, passes)
    guard commit.isLast, passes else { return }
    self.update(self.current() ?? commit.newState)
  }

  /// Whether an action passes the filter.
  func includes(_ oldState: State, _ action: Action) -> Bool {
    self.configuration.includes(oldState, action)
  }

  /// Publishes the output of a state if a dependency and the output have changed.
  func update(_ state: State) {
    self.dependencies.forEach { $0.read(state) }
    guard self.dependencies.isEmpty || self.dependencies.contains(where: \.didChange) else {
      return
    }
    let output = self.configuration.outputSelector.select(state)
    guard self.configuration.outputSelector.didChange(self.published, output) else { return }
    self.published = output
    self.publish(output)
  }
}
