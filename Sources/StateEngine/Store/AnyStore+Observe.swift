import ImmutableJSON
import Threading

extension AnyStore {
  /// Calls `observer` whenever the output of a selector changes.
  ///
  /// An observer is called with the output for the state right after an action. Calls are in the
  /// order of dispatches; for one action, in the order in which the observers were registered.
  ///
  /// An observer may use the store, and may observe and cancel. A dispatch inside an observer takes
  /// effect immediately; observers are notified of it after all have been notified of the previous
  /// action. If observers dispatch in a circle, more than 1,000 dispatches deep (the option `depth`
  /// of the store), the next dispatch throws `limit` in its observer, and its message names them.
  /// An observer must not wait for another thread that dispatches. If this is called inside a
  /// callback while another thread notifies, that thread delivers the initial output.
  ///
  /// An action costs nothing if it does not change what the selector reads or, with dependencies,
  /// what these read. There are two exceptions: a store of a domain evaluates expressions, and
  /// selectors that do not declare what they read, after each action; and an observation that has
  /// ignored such a change examines each action until one passes (``ObservationOptions/ignored``, a
  /// filter).
  ///
  /// - Parameters:
  ///   - selector: The name of a selector of the domain, or of one defined with ``define(_:_:)``.
  ///   - arguments: As for ``select(_:_:_:)``. A dependency gets only those that it declares.
  ///   - options: Which outputs are delivered, in which form, and when.
  ///   - announce: Called with the observation before the observer is called.
  ///   - release: Called once, when none of the functions will be called again. Not called if this
  ///     throws.
  ///   - filter: Whether an action may change the output; by default, every action may. Only for a
  ///     store with a reducer of values: a domain has filters with names
  ///     (``ObservationOptions/filter``).
  ///   - didChange: Whether an output differs from the one that was delivered last or, if outputs
  ///     are queued, queued last; at first from the initial output, even if that is not delivered.
  ///     By default, two outputs differ if their JSON does; only such outputs are passed to this
  ///     function. Like the filter, it must be pure: a dispatch inside throws `reentrant`, and the
  ///     result counts as true.
  ///   - dependencyDidChange: The same for the dependency at an index of
  ///     ``ObservationOptions/dependencies``: whether its output differs from the last one that
  ///     did.
  ///   - observer: Called with the output, on one thread at a time.
  /// - Throws: ``EngineError``, as ``select(_:_:_:)`` does for the current state, even without the
  ///   option `initial`.
  @discardableResult
  public func observe(
    _ selector: String, _ arguments: Value = [:], _ options: ObservationOptions = .init(),
    announcing announce: (StoreObservation) -> Void = { _ in },
    release: @escaping @Sendable () -> Void = {},
    filter: (@Sendable (_ action: Value, _ oldState: Value, _ newState: Value) -> Bool)? = nil,
    didChange: (@Sendable (_ delivered: Value, _ output: Value) -> Bool)? = nil,
    dependencyDidChange: (@Sendable (_ index: Int, _ last: Value, _ output: Value) -> Bool)? = nil,
    _ observer: @escaping @Sendable (Delivery) -> Void
  ) throws(EngineError) -> StoreObservation {
    try self.enter(.subscribe)
    let budget = self.workBudget(options.budget)
    var options = options
    options.budget = budget.isDefault ? nil : budget.limit
    let source = ObservationSource(
      selector: selector, dependencies: options.dependencies, arguments: arguments, budget: budget)
    if filter != nil { try self.implementation.model.requireFilterFunctionSupport() }
    let namedFilter: CommitFilter? =
      if let name = options.filter {
        try self.implementation.model.filter(name, arguments)
      } else {
        nil
      }
    return try self.observations.add(
      source, options, filter: namedFilter, outputs: self.outputs,
      announcing: announce, release: release,
      ObserverFunctions(
        observer: self.strict?.timed("the observer of \(quoted(selector))", observer) ?? observer,
        didChange: didChange, filter: filter,
        dependencyDidChange: dependencyDidChange))
  }

  /// Delivers the queued outputs on this thread. Outputs that are queued meanwhile wait for the
  /// next poll.
  ///
  /// - Returns: The number of deliveries; 0 inside a poll, and while another thread polls.
  public func poll() throws(EngineError) -> Int {
    try self.enter(.subscribe)
    return self.observations.poll()
  }

  /// Waits until everything so far has been handled: observers have been called, queued outputs
  /// delivered, and the readers of streams with the option ``StreamOptions/flush`` have asked for
  /// another action.
  ///
  /// Queued outputs are delivered on the thread that polls: on this one if it polled last or no
  /// thread has; otherwise this waits for the poll of that thread.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  /// - Throws: ``EngineError``: `timeout`; `closed`; `reentrant` inside a callback, which could
  ///   wait for itself.
  public func flush(milliseconds: Int32 = -1) throws(EngineError) {
    try self.enter(.use)
    guard !CallScope.isInsideCallback else {
      throw EngineError(
        .reentrant, "a callback cannot wait until all is handled; flush outside of callbacks")
    }
    let deadline = milliseconds < 0 ? nil : Deadline(milliseconds: milliseconds)
    let number = self.commits.number
    let missing: String
    if !self.commits.waitUntilDelivered(upTo: number, until: deadline) {
      missing = "an observer is still running"
    } else if !self.observations.flush(until: deadline) {
      missing = "outputs still wait for a poll"
    } else if !self.commits.waitUntilRead(upTo: number, until: deadline) {
      missing = "the reader of a stream has not handled all actions"
    } else {
      // What waited was dropped if the store was closed meanwhile.
      guard !self.isClosed.load(ordering: .acquiring) else { throw .closed }
      return
    }
    throw EngineError(.timeout, "\(missing) after \(milliseconds) ms")
  }

  /// A file descriptor that is readable while outputs are queued. It stays open until this store is
  /// released.
  ///
  /// - Throws: ``EngineError``: `limit` if the process has none left; `reentrant` in a reducer of
  ///   this store.
  public var descriptor: Int32 {
    get throws(EngineError) {
      try self.enter(.use)
      guard let descriptor = self.observations.descriptor else { throw .noDescriptor }
      return descriptor
    }
  }
}
