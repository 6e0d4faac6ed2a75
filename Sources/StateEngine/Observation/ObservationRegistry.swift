import ImmutableData
import ImmutableJSON
import struct Synchronization.Atomic
import Threading

/// The observations of one store.
///
/// Processes every change of the store in order, and updates the observations that it may affect:
/// an index finds those that read something that changed. Observations that ignored an earlier
/// change are stale, and updated too.
final class ObservationRegistry: Sendable {
  fileprivate struct State {
    var index: any ObservationIndex
    var byNumber: [Int: StoreObservation] = [:]
    /// Cancelled observations whose observer may still be running or has not been released.
    var cancelled: [Int: StoreObservation] = [:]
    var stale: [Int: StoreObservation] = [:]
    var lastNumber = 0
    var visits = 0
    var isClosed = false
    var subscription: Subscription?
  }

  private let store: any ObservedStore
  private let encoding: any CommitEncoding.Type
  private let graph: SelectorGraph
  private let tracer: Tracer
  private let state: Mutex<State>
  private let queue = DeliveryQueue()

  // Used only by the notifying thread:

  /// The number of the last commit that was read.
  nonisolated(unsafe) private var lastRead = 0
  /// The commits of a batch so far.
  nonisolated(unsafe) private var batch: [AnyCommit] = []
  private let deliveries = Atomic(0)

  init(
    of store: any ObservedStore, _ graph: SelectorGraph, _ tracer: Tracer
  ) {
    self.tracer = tracer
    self.store = store
    self.graph = graph
    self.encoding = store.encoding
    self.state = Mutex(State(index: store.makeIndex()))
  }
}

extension ObservationRegistry.State {
  /// Adds the stale observations to the affected ones, and sorts them. Those that were added first
  /// are last.
  fileprivate mutating func completeVisits(_ visits: inout [AffectedObservation]) {
    if !self.stale.isEmpty {
      visits += self.stale.values.lazy.map { AffectedObservation(observation: $0) }
    }
    if visits.count > 1 {
      visits.sort { $0.observation.number > $1.observation.number }
      var last = 0
      visits.removeAll { visit in
        defer { last = visit.observation.number }
        return visit.observation.number == last
      }
    }
    self.visits += visits.count
  }
}

// MARK: Adding and removing

extension ObservationRegistry {
  /// Adds an observation, and delivers the current output if the options say so.
  ///
  /// - Parameters:
  ///   - filter: A filter of the domain, with its arguments.
  ///   - outputs: The cached outputs of the store.
  ///   - announce: Called with the observation before the first delivery.
  ///   - release: Called once, when no function will be called again. Not called if this
  ///     throws.
  func add(
    _ source: ObservationSource, _ options: ObservationOptions,
    filter: CommitFilter?, outputs: OutputCache, announcing announce: (StoreObservation) -> Void,
    release: @escaping @Sendable () -> Void, _ functions: ObserverFunctions
  ) throws(EngineError) -> StoreObservation {
    self.subscribe()
    let hasFilter = functions.filter != nil
    // Before the snapshot at which it begins.
    if hasFilter { self.store.commits.needOldStates(true) }
    var isAdded = false
    defer {
      if hasFilter, !isAdded { self.store.commits.needOldStates(false) }
    }
    let number = self.nextNumber()
    let start = self.tracer.shows(.selectors) ? Clock.uptimeNanoseconds : nil
    // Evaluated before it is registered, because the evaluation may fail or take long.
    let observation = try self.graph.retryIfReplaced { () throws(EngineError) in
      let selectors = try self.graph.bind(source)
      let (snapshot, start) = self.store.snapshot()
      return try StoreObservation(
        number: number, start: start, source, selectors, options: options, filter: filter,
        functions: functions,
        output: { selector throws(EngineError) in
          if let output = outputs.cachedOutput(of: selector, version: start, snapshot: snapshot) {
            return output
          }
          return try selector.output(for: snapshot)
        },
        release: { [weak self] in
          release()
          self?.didRelease(number)
        },
        onCancel: { [weak self] in self?.cancel($0) })
    }
    if let start { self.tracer.beginning(observation, since: start) }
    try self.register(observation)
    isAdded = true
    announce(observation)
    self.store.withNotificationsPaused(isNested: true) { [weak self] in
      self?.begin(observation, $0, $1)
    }
    return observation
  }

  private func register(_ observation: StoreObservation) throws(EngineError) {
    let isClosed = self.state.withLock { state in
      guard !state.isClosed else { return true }
      state.byNumber[observation.number] = observation
      return false
    }
    guard !isClosed else { throw .closed }
  }

  /// Starts deliveries to an observation, unless it was cancelled meanwhile.
  private func begin(_ observation: StoreObservation, _ snapshot: any Snapshot, _ number: Int) {
    let isReplaced = observation.generation != self.graph.generation
    if isReplaced {
      let selectors = self.graph.rebind(observation.source)
      // Another thread that cancels the observation reads its selectors.
      self.state.withLock { _ in observation.rebind(selectors) }
    }
    observation.begin(snapshot, number, isReplaced: isReplaced)
    let isRegistered = self.state.withLock { state in
      guard state.byNumber[observation.number] != nil else { return false }
      state.index.insert(observation)
      return true
    }
    if isRegistered, observation.options.initial {
      self.publish(observation, in: .current)
    }
  }

  /// Evaluates the observations of selectors that were replaced, while no observer runs on another
  /// thread.
  ///
  /// - Parameters:
  ///   - isNested: Whether this happens at once inside an observer; otherwise, after all observers
  ///     have been called.
  ///   - complete: Called afterwards.
  func rebind(
    _ names: Set<StringKey>, isNested: Bool = true, then complete: @escaping () -> Void = {}
  ) {
    self.store.withNotificationsPaused(isNested: isNested) {
      [weak self] snapshot, number in
      self?.rebind(names, snapshot, number)
      complete()
    }
  }

  private func rebind(_ names: Set<StringKey>, _ snapshot: any Snapshot, _ number: Int) {
    let observations = self.state.withLock { Array($0.byNumber.values) }
    // One that has not begun yet will find the new selectors. One that began at a later commit, in
    // a callback before this was called, has found them.
    for observation in observations.sorted(by: { $0.number < $1.number })
    where observation.hasBegun && observation.start <= number && observation.source.names(names) {
      let selectors = self.graph.rebind(observation.source)
      self.state.withLock { state in
        guard state.byNumber[observation.number] != nil else { return }
        state.index.remove(observation)
        observation.rebind(selectors)
        state.index.insert(observation)
      }
      func evaluate() -> Bool {
        observation.evaluate(snapshot, number, in: .current)
      }
      let hasChanged =
        self.tracer.shows(.selectors)
        ? self.tracer.evaluating(observation, after: number, in: .current, evaluate) : evaluate()
      if hasChanged { self.publish(observation, in: .current) }
    }
  }

  /// Ends all observations, in the order in which they were added. No more can be added.
  func close() {
    let (observations, subscription) = self.state.withLock { state in
      state.isClosed = true
      let observations = Array(state.cancelled.values) + Array(state.byNumber.values)
      return (observations, state.subscription.take())
    }
    for observation in observations.sorted(by: { $0.number < $1.number }) {
      self.remove(observation)
    }
    subscription?.cancel()
  }

  private func cancel(_ observation: StoreObservation) {
    // In a reducer this does not cancel the observation: it makes the dispatch fail.
    guard self.store.commits.forbid(.subscribe, in: .current) == nil else { return }
    self.remove(observation)
  }

  private func remove(_ observation: StoreObservation) {
    self.state.withLock { state in
      guard state.byNumber.removeValue(forKey: observation.number) != nil else { return }
      state.cancelled[observation.number] = observation
      state.index.remove(observation)
      state.stale[observation.number] = nil
      if observation.hasFilterFunction { self.store.commits.needOldStates(false) }
    }
    // Cancel first, so that no output is queued after the removal.
    observation.cancelCalls()
    self.queue.remove(observation)
  }

  private func didRelease(_ number: Int) {
    let observation = self.state.withLock { $0.cancelled.removeValue(forKey: number) }
    // Destroyed without holding the lock.
    withExtendedLifetime(observation) {}
  }

  private func nextNumber() -> Int {
    self.state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Subscribes to the commits of the store, for the first observation. The subscription retains
  /// this registry until ``close()``.
  private func subscribe() {
    let isSubscribed = self.state.withLock { $0.subscription != nil }
    guard !isSubscribed else { return }
    let subscription = self.store.commits.subscribe(
      .observers,
      describing: { [weak self] in self?.describeRunningObserver(after: $0) },
      concern: { edits, state in self.search(edits, in: state) }
    ) { commit, scope in
      self.read(commit, in: scope)
    }
    let unneeded = self.state.withLock { state -> Subscription? in
      guard state.subscription == nil, !state.isClosed else { return subscription }
      state.subscription = subscription
      return nil
    }
    unneeded?.cancel()
  }
}

// MARK: Notifying

extension ObservationRegistry {
  /// Finds the observations that a change in place may affect; `nil` without any. Called under the
  /// lock of the commits while nobody notifies.
  private func search(_ edits: AnyObject, in state: UnsafeRawPointer) -> AnyObject? {
    var visits: [AffectedObservation] = []
    self.state.withLock {
      $0.index.search(edits, in: state, &visits)
      $0.completeVisits(&visits)
    }
    return visits.isEmpty ? nil : AffectedObservations(visits)
  }

  /// Called by the notifying thread.
  private func describeRunningObserver(after commit: AnyCommit) -> String? {
    let observations = self.state.withLock {
      Array($0.byNumber.values) + Array($0.cancelled.values)
    }
    // An observer that began another one inside it is the one with the lower number.
    let running = observations.filter { !$0.isQueued && $0.isRunning }
    guard let observation = running.max(by: { $0.number < $1.number }) else { return nil }
    let name = observation.options.label ?? observation.source.selector
    let action = try? self.encoding.action(of: commit)["type"]?.string
    return quoted(name) + (action.map { " after \(quoted($0))" } ?? "")
  }

  /// Updates the observations after a commit, or after the last one of a batch.
  private func read(_ commit: AnyCommit, in scope: CallScope) {
    // Two threads that add the first observation subscribe twice for a moment.
    guard commit.number > self.lastRead else { return }
    self.lastRead = commit.number
    if let found = commit.found {
      let visits = unsafeDowncast(found, to: AffectedObservations.self).take()
      return self.update(visits, after: commit, nil, in: scope)
    }
    guard commit.isLast, self.batch.isEmpty else {
      self.batch.append(commit)
      guard commit.isLast else { return }
      let batch = self.batch
      self.batch = []
      return self.update(self.search(from: batch[0], to: commit), after: commit, batch, in: scope)
    }
    self.update(self.search(from: commit, to: commit), after: commit, nil, in: scope)
  }

  /// - Parameters:
  ///   - visits: The observations that the commit may affect. Those that were added first are last.
  ///   - batch: The commits of a batch; `nil` for a single commit.
  private func update(
    _ visits: consuming [AffectedObservation], after last: AnyCommit, _ batch: [AnyCommit]?,
    in scope: CallScope
  ) {
    // A typed state is encoded once for all observations.
    lazy var newState = self.encoding.newState(of: last)
    let isTraced = self.tracer.shows(.selectors)
    while let visit = visits.popLast() {
      let observation = visit.observation
      guard observation.start < last.number, !observation.isCancelled else { continue }
      if observation.mayExcludeActions {
        let isExcluded = observation.excludes(batch ?? [last], self.store, in: scope)
        self.set(observation, isStale: isExcluded)
        if isExcluded { continue }
      }
      func update() -> Bool {
        if observation.takesValue, let value = visit.value {
          return observation.update(to: value, isNew: visit.isNew, in: scope)
        }
        return observation.update(
          observation.isCoalesced ? self.store.snapshot().state : newState, in: scope)
      }
      let hasChanged =
        isTraced
        ? self.tracer.evaluating(observation, after: last.number, in: scope, update) : update()
      if hasChanged { self.publish(observation, in: scope) }
    }
  }

  /// Finds the observations that a change may affect. Those that were added first are last. Those
  /// that another thread has cancelled may be among them.
  private func search(from first: AnyCommit, to last: AnyCommit) -> [AffectedObservation] {
    var visits: [AffectedObservation] = []
    let rest = self.state.withLock { state -> RestOfSearch? in
      let rest = state.index.search(from: first, to: last, &visits)
      if rest == nil { state.completeVisits(&visits) }
      return rest
    }
    if let rest {
      rest(&visits)
      self.state.withLock { $0.completeVisits(&visits) }
    }
    return visits
  }

  private func set(_ observation: StoreObservation, isStale: Bool) {
    guard isStale != observation.isStale else { return }
    observation.isStale = isStale
    self.state.withLock { state in
      let isRegistered = state.byNumber[observation.number] != nil
      state.stale[observation.number] = isStale && isRegistered ? observation : nil
    }
  }

  private func publish(_ observation: StoreObservation, in scope: CallScope) {
    if observation.isQueued {
      self.queue.append(observation.output, for: observation)
    } else {
      _ = self.deliver(observation.output, to: observation, skipped: 0, in: scope)
    }
  }

  /// Calls an observer.
  ///
  /// - Returns: Whether it was called; `false` if the observation is cancelled.
  private func deliver(
    _ output: consuming ObservationOutput, to observation: StoreObservation, skipped: Int,
    in scope: CallScope
  ) -> Bool {
    let start = self.tracer.shows(.observers) ? Clock.uptimeNanoseconds : nil
    guard observation.deliver(output, skipped: skipped, in: scope) else { return false }
    self.deliveries.add(1, ordering: .relaxed)
    if let start { self.tracer.delivered(to: observation, since: start, in: scope) }
    return true
  }

  /// Delivers the queued outputs on this thread.
  func poll() -> Int {
    self.queue.poll { self.deliver($1, to: $0, skipped: $2, in: .current) }
  }

  /// Waits until the outputs that are queued now have been delivered; delivers them if this is the
  /// thread that polls.
  ///
  /// - Returns: `false` if the deadline has passed.
  func flush(until deadline: Deadline?) -> Bool {
    self.queue.flush(until: deadline) { _ = self.poll() }
  }

  /// A descriptor that is readable while outputs are queued; `nil` if the process has none left.
  var descriptor: Int32? {
    self.queue.descriptor
  }

  /// The numbers of observations, of visits (how often a change may have affected an observation),
  /// and of deliveries.
  var statistics: [(String, Value)] {
    let (count, visits) = self.state.withLock { ($0.byNumber.count, $0.visits) }
    let deliveries = self.deliveries.load(ordering: .relaxed)
    return [
      ("observations", .integer(Int64(count))), ("visits", .integer(Int64(visits))),
      ("deliveries", .integer(Int64(deliveries))),
    ]
  }
}
