import ImmutableJSON
import Threading

extension AnyStore {
  /// Calls `observer` whenever the output of a selector changes.
  ///
  /// Observers are called in the order of dispatches, each with the output for the state right after
  /// an action; for one action in the order in which they began. An observer may use the store, also
  /// observe and cancel: what it dispatches takes effect at once, and observers are notified of it
  /// when all were notified of the action before. It may not wait for another thread that dispatches.
  /// Inside a callback, while another thread notifies, that thread delivers the initial output.
  ///
  /// What it costs an action: nothing, unless the action changed what the selector reads (or, where
  /// there are some, what the dependencies read).
  ///
  /// - Parameters:
  ///   - selector: The name of one of the domain's, or of one that was defined.
  ///   - arguments: As ``select(_:_:_:)`` takes them. Dependencies get those that they have.
  ///   - announce: Called with the observation before the observer is called.
  ///   - release: Called once, when the observer will not be called any more.
  ///   - observer: Called with the output, on one thread at a time.
  /// - Throws: ``EngineError``, as ``select(_:_:_:)`` does for the current state, also if the current
  ///   output is not delivered; then `release` is not called.
  @discardableResult
  public func observe(
    _ selector: String, _ arguments: Value = [:], _ options: ObservationOptions = .init(),
    announcing announce: (Observation) -> Void = { _ in },
    release: @escaping @Sendable () -> Void = {},
    _ observer: @escaping @Sendable (Delivery) -> Void
  ) throws(EngineError) -> Observation {
    try self.refuseReentrancy(.subscribe)
    let budget = self.workBudget(options.budget)
    var options = options
    options.budget = budget.limit
    let bound = try self.bind(selector, arguments, budget)
    var dependencies: [BoundSelector] = []
    for name in options.dependencies {
      dependencies.append(try self.bind(name, self.arguments(arguments, knownTo: name), budget))
    }
    return try self.observations.add(
      bound, dependencies: dependencies, options, outputs: self.outputs, announcing: announce,
      release: release, observer)
  }

  /// Tells observers of what is queued for them, on this thread. What is queued meanwhile is left
  /// for the next time.
  ///
  /// - Returns: How many deliveries there were; 0 inside an observer that is polled for, and while
  ///   another thread polls.
  public func poll() throws(EngineError) -> Int {
    try self.refuseReentrancy(.subscribe)
    return self.observations.poll()
  }

  /// A file descriptor that is readable while something is queued; it is closed with this store.
  ///
  /// - Throws: ``EngineError``: `limit` if the system has none left; `reentrant` in a reducer of this
  ///   store.
  public var descriptor: Int32 {
    get throws(EngineError) {
      try self.refuseReentrancy(.use)
      guard let descriptor = self.observations.descriptor else { throw .noDescriptor }
      return descriptor
    }
  }

  /// Begins a stream of the actions that are dispatched from now on.
  public func makeStream(_ options: StreamOptions = .init()) throws(EngineError) -> ActionStream {
    let reader = try EngineError.catching { try self.implementation.makeReader(options) }
    return ActionStream(reader) { [weak self] in
      try self?.implementation.refuseReentrancy(.makeStream)
    }
  }

  /// Ends all observations, streams and effects.
  ///
  /// When this returns, neither observers nor the function that makes requests run or will run. Inside
  /// a callback this does not wait for those that are running. Threads that wait in a stream continue.
  /// Effects that were not begun are given up; ``settle(milliseconds:)`` before waits for them. In a
  /// reducer of this store, it takes effect when the reducer has returned.
  public func close() {
    guard !self.implementation.isReducing else {
      return CallScope.closeAfterReduction { self.close() }
    }
    let process = ProcessGeneration.current
    self.observations.close()
    guard process.isCurrent else { return }
    self.implementation.finishStreams()
    self.implementation.effects?.end()
    self.fetcher.close()
    // An effect that waits for a request goes on since that was cancelled.
    self.implementation.effects?.join()
  }
}

extension AnyStore {
  /// Those of the arguments that a selector has.
  private func arguments(_ arguments: Value, knownTo selector: String) -> Value {
    guard case .object(let members) = arguments else { return arguments }
    let names =
      self.selectors[selector]?.argumentNames ?? self.expressions.named(selector)?.variables ?? []
    return .object(JSONObject(members.filter { names.contains($0.key) }.map { ($0.key, $0.value) }))
  }
}
