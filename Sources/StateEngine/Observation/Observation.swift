import ImmutableJSON
import Threading

/// A selector whose output someone is told of when it changes, until it is cancelled.
///
/// Made by ``AnyStore/observe(_:_:_:announcing:_:)``. Goes on for as long as its store is there,
/// whether or not it is held.
public final class Observation: Sendable {
  typealias Output = Result<Value, EngineError>

  let number: Int
  let options: ObservationOptions
  let callback: Callback<Delivery>

  private let selector: BoundSelector
  private let dependencies: [BoundSelector]
  private let onCancel: @Sendable (Observation) -> Void

  // Used only by the notifying thread:

  /// The number of the last change that the output before the first delivery takes into account.
  nonisolated(unsafe) private(set) var start: Int
  nonisolated(unsafe) private var published: Output
  nonisolated(unsafe) private var lastDependencies: [Output]
  /// Whether an action that the filter excluded may have changed the output.
  nonisolated(unsafe) var isStale = false

  // Used only by the thread that delivers: the same one, or the one that polls.
  nonisolated(unsafe) private var delivered: Value?

  /// Begins with the outputs of the selectors for some state.
  ///
  /// - Parameter output: Gives the output of a selector for that state.
  /// - Throws: What `output` throws for the selector.
  init(
    number: Int, start: Int, _ selector: BoundSelector, dependencies: [BoundSelector],
    options: ObservationOptions, callback: Callback<Delivery>,
    output: (BoundSelector) throws(EngineError) -> Value,
    onCancel: @escaping @Sendable (Observation) -> Void
  ) throws(EngineError) {
    self.number = number
    self.start = start
    self.selector = selector
    self.dependencies = dependencies
    self.options = options
    self.callback = callback
    self.onCancel = onCancel
    self.lastDependencies = dependencies.map { dependency in
      Result { () throws(EngineError) in try output(dependency) }
    }
    self.published = .success(try output(selector))
  }
}

extension Observation {
  /// Ends it. When this returns, the observer neither runs nor will run. Inside a callback this
  /// does not wait for a run that is under way, which is then the last. A second call does nothing.
  /// In a reducer of the store it is a mistake that fails the dispatch, and the observation goes
  /// on.
  public func cancel() {
    self.onCancel(self)
  }

  /// Whether it was ended, or its store was.
  public var isCancelled: Bool {
    self.callback.isCancelled
  }
}

extension Observation {
  /// The selectors without a change of which there is nothing to do.
  var reads: [BoundSelector] {
    self.dependencies.isEmpty ? [self.selector] : self.dependencies
  }

  /// The output that was published last.
  var output: Output {
    self.published
  }

  /// Whether none of some actions can concern it.
  func isFilteredOut(_ actions: [Value]) -> Bool {
    let filter = self.options.filter
    return !filter.isEmpty && actions.allSatisfy { ActionPattern.any(of: filter, matches: $0) }
  }

  /// Moves the beginning to a later snapshot, before anything is delivered.
  func begin(_ snapshot: any Snapshot, _ number: Int) {
    guard number != self.start else { return }
    self.start = number
    self.lastDependencies = self.dependencies.map { $0.result(in: snapshot) }
    self.published = self.selector.result(in: snapshot)
  }

  /// Looks at a state: the dependencies, and if one of them changed, the output.
  ///
  /// - Returns: The output, if it is not the one that was published last. Then it is published.
  func update(_ snapshot: any Snapshot) -> Output? {
    if !self.dependencies.isEmpty {
      let dependencies = self.dependencies.map { $0.result(in: snapshot) }
      defer { self.lastDependencies = dependencies }
      guard dependencies != self.lastDependencies else { return nil }
    }
    let output = self.selector.result(in: snapshot)
    guard output != self.published else { return nil }
    self.published = output
    return output
  }

  /// Calls the observer.
  ///
  /// - Returns: Whether it ran: not if it is cancelled.
  func deliver(_ output: Output, skipped: Int) -> Bool {
    let content: Delivery.Content
    switch output {
    case .failure(let error):
      content = .failure(self.labelled(error))
    case .success(let value):
      content = self.patch(to: value).map { .patch($0) } ?? .value(value)
      self.delivered = value
    }
    return self.callback.call(Delivery(content: content, skipped: skipped))
  }

  /// What changed since the last delivery; `nil` if that is not wanted, there was none, or to find
  /// it out takes too much work.
  private func patch(to value: Value) -> Value? {
    guard self.options.deliver == .patch, let delivered else { return nil }
    var budget = WorkBudget(self.options.budget ?? ValueLimits.work)
    return try? delivered.diff(to: value, &budget)
  }

  private func labelled(_ error: EngineError) -> EngineError {
    var error = error
    if let label = self.options.label {
      error.message = "\(label): \(error.message)"
    }
    return error
  }
}

extension BoundSelector {
  fileprivate func result(in snapshot: any Snapshot) -> Observation.Output {
    Result { () throws(EngineError) in try self.output(for: snapshot) }
  }
}
