import ImmutableData
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

  private let traits: Traits
  let number: Int
  private let details: Details

  /// - Parameters:
  ///   - output: Returns the output of a selector for the current state.
  ///   - release: Called once, when no function will be called again. Not called if this throws.
  /// - Throws: The error of `output` for the selector.
  init(
    number: Int, start: Int, _ selector: BoundSelector, dependencies: [BoundSelector],
    options: ObservationOptions, filter: CommitFilter?, functions: ObserverFunctions,
    output: (BoundSelector) throws(EngineError) -> Value,
    release: @escaping @Sendable () -> Void,
    onCancel: @escaping @Sendable (StoreObservation) -> Void
  ) throws(EngineError) {
    self.details = Details(
      selector: selector, dependencies: dependencies, options: options, filter: filter,
      onCancel: onCancel, functions: functions, release: release,
      lastDependencies: dependencies.map { dependency in
        ObservationOutput { () throws(EngineError) in try output(dependency) }
      })
    self.traits = Traits(
      selector, dependencies: dependencies, options, hasFilter: filter != nil, functions)
    self.number = number
    self.start = start
    self.published = .value(try output(selector))
    self.observer = functions.observer
  }
}

extension StoreObservation {
  /// The options that most deliveries need.
  private struct Traits {
    /// Whether the output is the value at the path that triggers an evaluation.
    let isPath: Bool
    let hasDependencies: Bool
    let hasComparison: Bool
    let hasFilterFunction: Bool
    let mayExcludeActions: Bool
    let deliversPatches: Bool
    let isQueued: Bool
    let isCoalesced: Bool

    init(
      _ selector: BoundSelector, dependencies: [BoundSelector], _ options: ObservationOptions,
      hasFilter: Bool, _ functions: ObserverFunctions
    ) {
      self.isPath = dependencies.isEmpty && selector.isPath
      self.hasDependencies = !dependencies.isEmpty
      self.hasComparison = functions.didChange != nil
      self.hasFilterFunction = functions.filter != nil
      self.mayExcludeActions = !options.ignored.isEmpty || hasFilter || functions.filter != nil
      self.deliversPatches = options.deliver == .patch
      self.isQueued = options.when == .queued
      self.isCoalesced = options.coalesce
    }
  }

  /// The properties that few deliveries need.
  private final class Details: Sendable {
    let selector: BoundSelector
    let dependencies: [BoundSelector]
    let options: ObservationOptions
    /// A filter of the domain.
    let filter: CommitFilter?
    let onCancel: @Sendable (StoreObservation) -> Void

    // `nil` once the context is released:

    nonisolated(unsafe) var didChange: ObserverFunctions.Comparison?
    nonisolated(unsafe) var filterFunction: ObserverFunctions.Filter?
    nonisolated(unsafe) var release: (@Sendable () -> Void)?

    /// Used only by the notifying thread.
    nonisolated(unsafe) var lastDependencies: [ObservationOutput]

    /// The output that was delivered last; `nil` unless patches are delivered. Used only by the
    /// delivering thread, which notifies or polls.
    nonisolated(unsafe) var delivered: Value?

    init(
      selector: BoundSelector, dependencies: [BoundSelector], options: ObservationOptions,
      filter: CommitFilter?, onCancel: @escaping @Sendable (StoreObservation) -> Void,
      functions: ObserverFunctions, release: @escaping @Sendable () -> Void,
      lastDependencies: [ObservationOutput]
    ) {
      self.selector = selector
      self.dependencies = dependencies
      self.options = options
      self.filter = filter
      self.onCancel = onCancel
      self.didChange = functions.didChange
      self.filterFunction = functions.filter
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

  /// Prevents further calls of the functions, and waits for those in progress except inside a
  /// callback.
  func cancelCalls() {
    self.gate.cancel(release: self.releaseContext)
  }

  private func releaseContext() {
    self.observer = nil
    self.details.didChange = nil
    self.details.filterFunction = nil
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

  /// The selectors that trigger an evaluation when a change affects what they read.
  var triggers: [BoundSelector] {
    self.traits.hasDependencies ? self.details.dependencies : [self.details.selector]
  }
}

// MARK: Evaluating

extension StoreObservation {
  /// The output that was published last.
  var output: ObservationOutput {
    self.published
  }

  /// Whether actions can be ignored, or not pass the filter.
  var mayExcludeActions: Bool {
    self.traits.mayExcludeActions
  }

  /// Whether none of the commits can change the output, because each action is ignored or does not
  /// pass the filter.
  func excludes(
    _ commits: [AnyCommit], _ implementation: any AnyStore.Implementation, in scope: CallScope
  ) -> Bool {
    !commits.contains { !self.excludes($0, implementation, in: scope) }
  }

  private func excludes(
    _ commit: AnyCommit, _ implementation: any AnyStore.Implementation, in scope: CallScope
  ) -> Bool {
    let encoding = type(of: implementation)
    let ignored = self.details.options.ignored
    if !ignored.isEmpty, let action = try? encoding.action(of: commit),
      ActionPattern.any(of: ignored, matches: action)
    {
      return true
    }
    // A roll-back may change anything, so it passes every filter.
    if implementation.isOptimisticUpdate(commit) { return false }
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
  func begin(_ snapshot: any Snapshot, _ number: Int) {
    guard number != self.start else { return }
    self.start = number
    self.details.lastDependencies = self.dependencyOutputs(in: snapshot)
    self.published = ObservationOutput(of: self.details.selector, in: snapshot)
  }

  /// Evaluates the dependencies for a state and, if one of them changed, the selector.
  ///
  /// - Parameter value: The value in the state at a path that the triggers read, if it is known.
  /// - Returns: The output, if it differs from the one that was published last.
  func update(
    _ snapshot: @autoclosure () -> any Snapshot, valueAtPath value: Value?, in scope: CallScope
  ) -> ObservationOutput? {
    let output: ObservationOutput
    if self.traits.isPath, let value {
      output = .value(value)
    } else {
      // Once: the dependencies and the output are those of one state.
      let snapshot = snapshot()
      if self.traits.hasDependencies {
        let dependencies = self.dependencyOutputs(in: snapshot)
        defer { self.details.lastDependencies = dependencies }
        guard dependencies != self.details.lastDependencies else { return nil }
      }
      output = ObservationOutput(of: self.details.selector, in: snapshot)
    }
    guard self.hasChanged(output, in: scope) else { return nil }
    self.published = output
    return output
  }

  private func dependencyOutputs(in snapshot: any Snapshot) -> [ObservationOutput] {
    self.details.dependencies.map { ObservationOutput(of: $0, in: snapshot) }
  }

  /// Whether an output differs from the one that was published last.
  private func hasChanged(_ output: ObservationOutput, in scope: CallScope) -> Bool {
    guard output != self.published else { return false }
    guard self.traits.hasComparison, case .value(let old) = self.published,
      case .value(let new) = output
    else { return true }
    return self.decide(.comparison, in: scope) { self.details.didChange?(old, new) ?? true }
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
  func deliver(_ output: ObservationOutput, skipped: Int, in scope: CallScope) -> Bool {
    let content: Delivery.Content
    switch output {
    case .failure(let error):
      content = .failure(self.labeled(error))
    case .value(let value):
      content = self.traits.deliversPatches ? self.patch(to: value) : .value(value)
    }
    let delivery = Delivery(content: content, skipped: skipped)
    return self.gate.call(in: scope) {
      self.observer?(delivery)
    } release: {
      self.releaseContext()
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
