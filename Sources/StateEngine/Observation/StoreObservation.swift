import ImmutableData
import ImmutableJSON
import Threading

/// A selector and the observer that is called when its output changes.
///
/// Created by
/// ``AnyStore/observe(_:_:_:announcing:release:filter:didChange:dependencyDidChange:_:)``. It ends
/// when it is cancelled or its store is closed, not when its last reference is released.
///
/// A public type named `Observation` would hide the module of that name, which the macro
/// `@Observable` refers to.
public final class StoreObservation: Sendable {
  // A store may have many observations, so those that an action affects are rarely in a CPU cache.
  // What most deliveries need is therefore in this object, and the rest in another one.

  private let gate = CallGate()

  /// `nil` once the context is released, which the gate lets one thread do after the last call.
  nonisolated(unsafe) private var observer: (@Sendable (Delivery) -> Void)?

  // Used only by the notifying thread:

  nonisolated(unsafe) private var published: ObservationOutput
  /// The number of the last change before the first output.
  nonisolated(unsafe) private(set) var start: Int
  /// Whether an ignored action could have changed the output.
  nonisolated(unsafe) var isStale = false
  nonisolated(unsafe) private(set) var hasBegun = false
  /// Whether the output is the value at the path that triggers an evaluation.
  nonisolated(unsafe) private var isPath: Bool

  private let traits: Traits
  let number: Int
  private let details: Details

  /// - Parameters:
  ///   - output: Returns the output of a selector for the current state.
  ///   - release: Called once, when no function will be called again. Not called if this throws.
  /// - Throws: The error of `output` for the selector.
  init(
    number: Int, start: Int, _ source: ObservationSource, _ selectors: ObservationSelectors,
    options: ObservationOptions, filter: CommitFilter?, functions: ObserverFunctions,
    output: (BoundSelector) throws(EngineError) -> Value,
    release: @escaping @Sendable () -> Void,
    onCancel: @escaping @Sendable (StoreObservation) -> Void
  ) throws(EngineError) {
    self.details = Details(
      source: source, selectors: selectors, options: options, filter: filter,
      onCancel: onCancel, functions: functions, release: release,
      lastDependencies: selectors.dependencies.map { dependency in
        ObservationOutput { () throws(EngineError) in try output(dependency) }
      })
    self.traits = Traits(
      hasDependencies: !selectors.dependencies.isEmpty, options, hasFilter: filter != nil, functions
    )
    self.isPath = selectors.isPath
    self.number = number
    self.start = start
    self.published = .value(try output(selectors.selector))
    self.observer = functions.observer
  }
}

extension StoreObservation {
  /// The options that most deliveries need.
  private struct Traits {
    let hasDependencies: Bool
    let hasComparison: Bool
    let hasDependencyComparison: Bool
    let hasFilterFunction: Bool
    let mayExcludeActions: Bool
    let deliversPatches: Bool
    let isQueued: Bool
    let isCoalesced: Bool

    init(
      hasDependencies: Bool, _ options: ObservationOptions, hasFilter: Bool,
      _ functions: ObserverFunctions
    ) {
      self.hasDependencies = hasDependencies
      self.hasComparison = functions.didChange != nil
      self.hasDependencyComparison = functions.dependencyDidChange != nil
      self.hasFilterFunction = functions.filter != nil
      self.mayExcludeActions = !options.ignored.isEmpty || hasFilter || functions.filter != nil
      self.deliversPatches = options.deliver == .patch
      self.isQueued = options.when == .queued
      self.isCoalesced = options.coalesce
    }
  }

  /// The properties that few deliveries need.
  private final class Details: Sendable {
    let source: ObservationSource
    let options: ObservationOptions
    /// A filter of the domain.
    let filter: CommitFilter?
    let onCancel: @Sendable (StoreObservation) -> Void

    // `nil` once the context is released:

    nonisolated(unsafe) var didChange: ObserverFunctions.Comparison?
    nonisolated(unsafe) var filterFunction: ObserverFunctions.Filter?
    nonisolated(unsafe) var dependencyDidChange: ObserverFunctions.DependencyComparison?
    nonisolated(unsafe) var release: (@Sendable () -> Void)?

    // Used only by the notifying thread, except that the index reads the selectors under its lock:

    nonisolated(unsafe) var selectors: ObservationSelectors
    nonisolated(unsafe) var lastDependencies: [ObservationOutput]

    /// The output that was delivered last; `nil` unless patches are delivered. Used only by the
    /// delivering thread, which notifies or polls.
    nonisolated(unsafe) var delivered: Value?

    init(
      source: ObservationSource, selectors: ObservationSelectors, options: ObservationOptions,
      filter: CommitFilter?, onCancel: @escaping @Sendable (StoreObservation) -> Void,
      functions: ObserverFunctions, release: @escaping @Sendable () -> Void,
      lastDependencies: [ObservationOutput]
    ) {
      self.source = source
      self.selectors = selectors
      self.options = options
      self.filter = filter
      self.onCancel = onCancel
      self.didChange = functions.didChange
      self.filterFunction = functions.filter
      self.dependencyDidChange = functions.dependencyDidChange
      self.release = release
      self.lastDependencies = lastDependencies
    }
  }
}

// MARK: Cancelling

extension StoreObservation {
  /// Ends the observation. When this returns, the observer neither runs nor will run. Inside a
  /// callback, this does not wait for a call in progress, which is then the last. Further calls of
  /// `cancel` do nothing. In a reducer of the store this is an error: the dispatch fails, and the
  /// observation continues.
  public func cancel() {
    self.details.onCancel(self)
  }

  /// Whether the observation was cancelled or its store closed.
  public var isCancelled: Bool {
    self.gate.isCancelled
  }

  /// Whether one of the functions runs.
  var isRunning: Bool {
    self.gate.isRunning
  }

  /// Prevents further calls of the functions, and waits for those in progress except inside a
  /// callback.
  func cancelCalls() {
    self.gate.cancel(release: self.releaseContext)
  }

  private func releaseContext() {
    self.observer = nil
    self.details.didChange = nil
    self.details.filterFunction = nil
    self.details.dependencyDidChange = nil
    self.details.release.take()?()
  }
}

// MARK: Options

extension StoreObservation {
  var options: ObservationOptions {
    self.details.options
  }

  var isQueued: Bool {
    self.traits.isQueued
  }

  /// Whether only the latest output is delivered.
  var isCoalesced: Bool {
    self.traits.isCoalesced
  }

  /// Whether it reads the states before commits.
  var hasFilterFunction: Bool {
    self.traits.hasFilterFunction
  }

  /// The selectors that trigger an evaluation when a change affects what they read.
  var triggers: [BoundSelector] {
    let selectors = self.details.selectors
    return self.traits.hasDependencies ? selectors.dependencies : [selectors.selector]
  }

  /// The names of the selector and the dependencies.
  var source: ObservationSource {
    self.details.source
  }

  var selector: BoundSelector {
    self.details.selectors.selector
  }

  /// The outputs of the dependencies that changed last. For the notifying thread.
  var dependencyOutputs: [ObservationOutput] {
    self.details.lastDependencies
  }

  /// The generation of the graph in which the selectors were found.
  var generation: Int {
    self.details.selectors.generation
  }

  /// Finds the selectors again, because one of them was replaced. Called by the notifying thread,
  /// with the lock held that guards the index.
  func rebind(_ selectors: ObservationSelectors) {
    self.details.selectors = selectors
    self.isPath = selectors.isPath
  }
}

// MARK: Evaluating

extension StoreObservation {
  /// The output that was published last.
  var output: ObservationOutput {
    self.published
  }

  /// Whether the output is the value at the path that triggers an evaluation, in the state that
  /// triggers it.
  var takesValue: Bool {
    self.isPath && !self.traits.isCoalesced
  }

  /// Whether actions can be ignored, or not pass the filter.
  var mayExcludeActions: Bool {
    self.traits.mayExcludeActions
  }

  /// Whether none of the commits can change the output, because each action is ignored or does not
  /// pass the filter.
  func excludes(
    _ commits: [AnyCommit], _ store: any ObservedStore, in scope: CallScope
  ) -> Bool {
    !commits.contains { !self.excludes($0, store, in: scope) }
  }

  private func excludes(
    _ commit: AnyCommit, _ store: any ObservedStore, in scope: CallScope
  ) -> Bool {
    let encoding = store.encoding
    let ignored = self.details.options.ignored
    if !ignored.isEmpty, let action = try? encoding.action(of: commit),
      ActionPattern.any(of: ignored, matches: action)
    {
      return true
    }
    // A jump in the history or a roll-back may change anything, so it passes every filter.
    if commit.jump != nil || store.isOptimisticUpdate(commit) { return false }
    if let filter = self.details.filter { return !filter(commit) }
    guard self.traits.hasFilterFunction,
      let action = try? encoding.action(of: commit),
      let oldState = try? encoding.oldState(of: commit).value(),
      let newState = try? encoding.newState(of: commit).value()
    else { return false }
    return !self.decide(.filter, in: scope) {
      self.details.filterFunction?(action, oldState, newState) ?? true
    }
  }

  /// Starts from a later snapshot. Called before the first delivery.
  ///
  /// - Parameter isReplaced: Whether a selector was replaced since the observation was made.
  func begin(_ snapshot: any Snapshot, _ number: Int, isReplaced: Bool) {
    self.hasBegun = true
    guard isReplaced || number != self.start else { return }
    self.start = number
    self.details.lastDependencies = self.dependencyOutputs(in: snapshot)
    self.published = ObservationOutput(of: self.details.selectors.selector, in: snapshot)
  }

  /// Evaluates the selector for a state after it was replaced.
  ///
  /// - Returns: Whether the output differs from the one before.
  func evaluate(_ snapshot: any Snapshot, _ number: Int, in scope: CallScope) -> Bool {
    self.start = number
    self.details.lastDependencies = self.dependencyOutputs(in: snapshot)
    return self.publish(ObservationOutput(of: self.details.selectors.selector, in: snapshot), scope)
  }

  /// Evaluates the dependencies for a state and, if one of them changed, the selector.
  ///
  /// - Returns: Whether the output differs from the one before.
  func update(_ snapshot: any Snapshot, in scope: CallScope) -> Bool {
    if self.traits.hasDependencies {
      guard self.haveDependenciesChanged(self.dependencyOutputs(in: snapshot), in: scope) else {
        return false
      }
    }
    return self.publish(ObservationOutput(of: self.details.selectors.selector, in: snapshot), scope)
  }

  /// Takes the value in a state at the path that the selector reads, if ``takesValue``.
  ///
  /// - Parameter isNew: Whether it differs from the value in the state before.
  /// - Returns: Whether the output differs from the one before.
  func update(to value: consuming Value, isNew: Bool, in scope: CallScope) -> Bool {
    // The output before is that of another state if a change was excluded, or compared as equal.
    guard isNew, !self.traits.mayExcludeActions, !self.traits.hasComparison else {
      return self.publish(.value(value), scope)
    }
    self.published = .value(value)
    return true
  }

  private func publish(_ output: ObservationOutput, _ scope: CallScope) -> Bool {
    guard self.hasChanged(output, in: scope) else { return false }
    self.published = output
    return true
  }

  private func dependencyOutputs(in snapshot: any Snapshot) -> [ObservationOutput] {
    self.details.selectors.dependencies.map { ObservationOutput(of: $0, in: snapshot) }
  }

  /// Whether an output of a dependency differs from the last one that did. Those that do are
  /// recorded.
  private func haveDependenciesChanged(
    _ outputs: [ObservationOutput], in scope: CallScope
  ) -> Bool {
    var haveChanged = false
    for (index, output) in outputs.enumerated() {
      let differs = self.differs(
        output, from: self.details.lastDependencies[index],
        isCompared: self.traits.hasDependencyComparison, in: scope
      ) { self.details.dependencyDidChange?(index, $0, $1) ?? true }
      guard differs else { continue }
      self.details.lastDependencies[index] = output
      haveChanged = true
    }
    return haveChanged
  }

  /// Whether an output differs from the one that was published last.
  private func hasChanged(_ output: ObservationOutput, in scope: CallScope) -> Bool {
    self.differs(
      output, from: self.published, isCompared: self.traits.hasComparison, in: scope
    ) { self.details.didChange?($0, $1) ?? true }
  }

  /// - Parameter isCompared: Whether the program has a function that compares two values.
  @inline(__always)
  private func differs(
    _ output: ObservationOutput, from last: ObservationOutput, isCompared: Bool,
    in scope: CallScope, _ compare: (_ last: Value, _ output: Value) -> Bool
  ) -> Bool {
    guard output != last else { return false }
    guard isCompared, case .value(let old) = last, case .value(let new) = output else {
      return true
    }
    return self.decide(.comparison, in: scope) { compare(old, new) }
  }

  /// Calls the comparison or the filter. They are called by the notifying thread, one at a time;
  /// the observer may run on another thread meanwhile, if it is queued.
  ///
  /// - Returns: `true` unless the function says otherwise, so that one that fails drops no output.
  private func decide(
    _ function: CallScope.Function, in scope: CallScope, _ body: () -> Bool
  ) -> Bool {
    var answer = true
    _ = self.gate.call(in: scope) {
      answer = (try? scope.pureFunction(function, body)) ?? true
    } release: {
      self.releaseContext()
    }
    return answer
  }
}

// MARK: Delivering

extension StoreObservation {
  /// Calls the observer.
  ///
  /// - Returns: Whether it was called; `false` if the observation is cancelled.
  func deliver(_ output: consuming ObservationOutput, skipped: Int, in scope: CallScope) -> Bool {
    let delivery = Delivery(content: self.content(of: output), skipped: skipped)
    return self.gate.call(in: scope) {
      self.observer?(delivery)
    } release: {
      self.releaseContext()
    }
  }

  private func content(of output: consuming ObservationOutput) -> Delivery.Content {
    switch consume output {
    case .failure(let error): .failure(self.labeled(error))
    case .value(let value): self.traits.deliversPatches ? self.patch(to: value) : .value(value)
    }
  }

  /// The difference from the last delivery; the value for the first delivery, or if the difference
  /// exceeds the budget.
  private func patch(to value: Value) -> Delivery.Content {
    defer { self.details.delivered = value }
    guard let delivered = self.details.delivered else { return .value(value) }
    var budget = WorkBudget(self.details.options.budget ?? ValueLimits.work)
    return (try? delivered.diff(to: value, &budget)).map { .patch($0) } ?? .value(value)
  }

  private func labeled(_ error: EngineError) -> EngineError {
    var error = error
    if let label = self.details.options.label {
      error.message = "\(label): \(error.message)"
    }
    return error
  }
}
