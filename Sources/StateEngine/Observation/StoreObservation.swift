import ImmutableJSON
import Threading

/// A selector and the observer that is called when its output changes.
///
/// Created by ``AnyStore/observe(_:_:_:announcing:release:filter:didChange:_:)``. It ends when it
/// is cancelled or its store is closed, not when its last reference is released.
///
/// A public type named `Observation` would hide the module of that name, which the macro
/// `@Observable` refers to.
public final class StoreObservation: Sendable {
  typealias Output = Result<Value, EngineError>

  let number: Int
  let options: ObservationOptions
  let callback: Callback<ObserverCall>

  private let selector: BoundSelector
  private let dependencies: [BoundSelector]
  /// Whether the output is the value at the path that triggers an evaluation.
  private let isPath: Bool
  /// A filter of the domain.
  private let filter: ActionFilter?
  private let hasFilterFunction: Bool
  private let hasComparison: Bool
  private let onCancel: @Sendable (StoreObservation) -> Void

  // Used only by the notifying thread:

  /// The number of the last change before the first output.
  nonisolated(unsafe) private(set) var start: Int
  nonisolated(unsafe) private var published: Output
  nonisolated(unsafe) private var lastDependencies: [Output]
  /// Whether an ignored action could have changed the output.
  nonisolated(unsafe) var isStale = false

  // Used only by the delivering thread, which notifies or polls:

  nonisolated(unsafe) private var delivered: Value?

  /// - Parameter output: Returns the output of a selector for the current state.
  /// - Throws: The error of `output` for the selector.
  init(
    number: Int, start: Int, _ selector: BoundSelector, dependencies: [BoundSelector],
    options: ObservationOptions, filter: ActionFilter?, functions: ObserverFunctions,
    callback: Callback<ObserverCall>,
    output: (BoundSelector) throws(EngineError) -> Value,
    onCancel: @escaping @Sendable (StoreObservation) -> Void
  ) throws(EngineError) {
    self.number = number
    self.start = start
    self.selector = selector
    self.dependencies = dependencies
    self.isPath = dependencies.isEmpty && selector.isPath
    self.options = options
    self.filter = filter
    self.hasFilterFunction = functions.filter != nil
    self.hasComparison = functions.didChange != nil
    self.callback = callback
    self.onCancel = onCancel
    self.lastDependencies = dependencies.map { dependency in
      Result { () throws(EngineError) in try output(dependency) }
    }
    self.published = .success(try output(selector))
  }
}

extension StoreObservation {
  /// Ends the observation. When this returns, the observer neither runs nor will run. Inside a
  /// callback, this does not wait for a call in progress, which is then the last. Further calls of
  /// `cancel` do nothing. In a reducer of the store this is an error: the dispatch fails, and the
  /// observation continues.
  public func cancel() {
    self.onCancel(self)
  }

  /// Whether the observation was cancelled or its store closed.
  public var isCancelled: Bool {
    self.callback.isCancelled
  }
}

extension StoreObservation {
  /// The selectors that trigger an evaluation when a change affects what they read.
  var triggers: [BoundSelector] {
    self.dependencies.isEmpty ? [self.selector] : self.dependencies
  }

  /// The output that was published last.
  var output: Output {
    self.published
  }

  /// Whether none of the actions can change the output, because each is ignored or does not pass
  /// the filter.
  func excludes(_ steps: @autoclosure () -> [StateChange.Step]) -> Bool {
    let ignored = self.options.ignored
    if ignored.isEmpty, self.filter == nil, !self.hasFilterFunction { return false }
    return !steps().contains { step in
      !ActionPattern.any(of: ignored, matches: step.action.json) && self.passes(step)
    }
  }

  private func passes(_ step: StateChange.Step) -> Bool {
    if step.isOptimisticUpdate { return true }
    if let filter { return filter(step) }
    guard self.hasFilterFunction, let oldState = try? step.oldState.value() else { return true }
    return self.callback.decide(.passes(oldState: oldState, action: step.action.json))
  }

  /// Starts from a later snapshot. Called before the first delivery.
  func begin(_ snapshot: any Snapshot, _ number: Int) {
    guard number != self.start else { return }
    self.start = number
    self.lastDependencies = self.dependencies.map { $0.result(in: snapshot) }
    self.published = self.selector.result(in: snapshot)
  }

  /// Evaluates the dependencies for a state and, if one of them changed, the selector.
  ///
  /// - Parameter value: The value in the state at a path that the triggers read, if it is known.
  /// - Returns: The output, if it differs from the one that was published last.
  func update(_ snapshot: any Snapshot, valueAtPath value: Value?) -> Output? {
    if !self.dependencies.isEmpty {
      let dependencies = self.dependencies.map { $0.result(in: snapshot) }
      defer { self.lastDependencies = dependencies }
      guard dependencies != self.lastDependencies else { return nil }
    }
    let output: Output =
      if self.isPath, let value { .success(value) } else { self.selector.result(in: snapshot) }
    guard self.hasChanged(output) else { return nil }
    self.published = output
    return output
  }

  /// Whether an output differs from the one that was published last.
  private func hasChanged(_ output: Output) -> Bool {
    switch (self.published, output) {
    case (.success(let old), .success(let new)):
      guard old != new else { return false }
      return !self.hasComparison || self.callback.decide(.hasChanged(delivered: old, output: new))
    case (.failure(let old), .failure(let new)):
      return old != new
    case (.success, .failure), (.failure, .success):
      return true
    }
  }

  /// Calls the observer.
  ///
  /// - Returns: Whether it was called; `false` if the observation is cancelled.
  func deliver(_ output: Output, skipped: Int) -> Bool {
    let content: Delivery.Content
    switch output {
    case .failure(let error):
      content = .failure(self.labeled(error))
    case .success(let value):
      content = self.patch(to: value).map { .patch($0) } ?? .value(value)
      self.delivered = value
    }
    return self.callback.call(.deliver(Delivery(content: content, skipped: skipped)))
  }

  /// The difference from the last delivery; `nil` without the option, for the first delivery, or if
  /// the difference exceeds the budget.
  private func patch(to value: Value) -> Value? {
    guard self.options.deliver == .patch, let delivered else { return nil }
    var budget = WorkBudget(self.options.budget ?? ValueLimits.work)
    return try? delivered.diff(to: value, &budget)
  }

  private func labeled(_ error: EngineError) -> EngineError {
    var error = error
    if let label = self.options.label {
      error.message = "\(label): \(error.message)"
    }
    return error
  }
}

extension BoundSelector {
  fileprivate func result(in snapshot: any Snapshot) -> StoreObservation.Output {
    Result { () throws(EngineError) in try self.output(for: snapshot) }
  }
}
