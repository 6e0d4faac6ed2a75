import ImmutableData
import ImmutableJSON
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
    var stale: Set<Int> = []
    var lastNumber = 0
    var visits = 0
    var deliveries = 0
    var isClosed = false
    var subscription: Subscription?
  }

  private let implementation: any AnyStore.Implementation
  private let state: Mutex<State>
  private let queue = DeliveryQueue()

  init(of implementation: any AnyStore.Implementation) {
    self.implementation = implementation
    self.state = Mutex(State(index: implementation.makeIndex()))
  }

  deinit {
    self.close()
  }
}

extension ObservationRegistry {
  /// An observation that a change may affect, with the value that the search found.
  fileprivate typealias Visit = (observation: StoreObservation, value: Value?)
}

extension ObservationRegistry.State {
  /// The affected and the stale observations, in the order in which they were added.
  fileprivate mutating func visit(
    _ affected: [AffectedObservation], _ change: StateChange
  ) -> [ObservationRegistry.Visit] {
    var affected = affected
    if !self.stale.isEmpty {
      affected += self.stale.lazy.map { AffectedObservation(number: $0) }
    }
    if affected.count > 1 {
      affected.sort { $0.number < $1.number }
    }
    var visits: [ObservationRegistry.Visit] = []
    var last = 0
    for each in affected where each.number != last {
      last = each.number
      guard let observation = self.byNumber[each.number] else { continue }
      self.visits += 1
      if observation.start < change.number { visits.append((observation, each.value)) }
    }
    return visits
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
    _ selector: BoundSelector, dependencies: [BoundSelector], _ options: ObservationOptions,
    filter: ActionFilter?, outputs: OutputCache, announcing announce: (StoreObservation) -> Void,
    release: @escaping @Sendable () -> Void, _ functions: ObserverFunctions
  ) throws(EngineError) -> StoreObservation {
    try self.subscribe()
    let number = self.nextNumber()
    let process = ProcessGeneration.current
    let callback = Callback(functions.perform) { [weak self] in
      release()
      if process.isCurrent { self?.didRelease(number) }
    }
    let observation: StoreObservation
    do {
      // Evaluated before it is registered, because the evaluation may fail or take long.
      let (snapshot, start, version) = self.implementation.numberedSnapshot()
      observation = try StoreObservation(
        number: number, start: start, selector, dependencies: dependencies, options: options,
        filter: filter, functions: functions, callback: callback,
        output: { selector throws(EngineError) in
          if let output = try outputs.cachedOutput(
            of: selector, version: version, snapshot: snapshot)
          {
            return output
          }
          return try selector.output(for: snapshot)
        },
        onCancel: { [weak self] in self?.cancel($0) })
      try self.register(observation)
    } catch {
      callback.cancelWithoutRelease()
      throw error
    }
    announce(observation)
    self.implementation.withNotificationsPaused { [weak self] in self?.begin(observation, $0, $1) }
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
    observation.begin(snapshot, number)
    let isRegistered = self.state.withLock { state in
      guard state.byNumber[observation.number] != nil else { return false }
      state.index.insert(observation.number, reading: observation.triggers)
      return true
    }
    if isRegistered, observation.options.initial {
      self.publish(observation.output, of: observation)
    }
  }

  /// Ends all observations, in the order in which they were added. No more can be added.
  func close() {
    let (observations, subscription) = self.state.withLock { state in
      state.isClosed = true
      let observations = Array(state.cancelled.values) + Array(state.byNumber.values)
      return (observations, state.subscription.take())
    }
    let process = ProcessGeneration.current
    for observation in observations.sorted(by: { $0.number < $1.number }) {
      self.remove(observation)
      guard process.isCurrent else { return }
    }
    subscription?.cancel()
  }

  private func cancel(_ observation: StoreObservation) {
    // In a reducer this does not cancel the observation: it makes the dispatch fail.
    guard (try? self.implementation.refuseReentrancy(.subscribe)) != nil else { return }
    self.remove(observation)
  }

  private func remove(_ observation: StoreObservation) {
    self.state.withLock { state in
      guard state.byNumber.removeValue(forKey: observation.number) != nil else { return }
      state.cancelled[observation.number] = observation
      state.index.remove(observation.number, reading: observation.triggers)
      state.stale.remove(observation.number)
    }
    // Cancel first, so that no output is queued after the removal.
    let process = ProcessGeneration.current
    observation.callback.cancel()
    if process.isCurrent { self.queue.remove(observation) }
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

  /// Subscribes to the changes of the store, for the first observation.
  private func subscribe() throws(EngineError) {
    let isSubscribed = self.state.withLock { $0.subscription != nil }
    guard !isSubscribed else { return }
    let subscription = self.implementation.subscribe { [weak self] change, steps in
      self?.didChange(change, steps)
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
  /// - Parameter makeSteps: Returns the actions of the change, each with the state before it.
  private func didChange(_ change: StateChange, _ makeSteps: () -> [StateChange.Step]) {
    let process = ProcessGeneration.current
    // Few observations need them.
    lazy var steps = makeSteps()
    for (observation, value) in self.affected(by: change) where !observation.isCancelled {
      let isExcluded = observation.excludes(steps)
      guard process.isCurrent else { return }
      if isExcluded {
        self.set(observation, isStale: true)
        continue
      }
      self.set(observation, isStale: false)
      let output =
        observation.options.coalesce
        ? observation.update(self.latest(change), valueAtPath: nil)
        : observation.update(change.new, valueAtPath: value)
      guard process.isCurrent else { return }
      if let output {
        self.publish(output, of: observation)
        guard process.isCurrent else { return }
      }
    }
  }

  /// The observations that a change may affect, in the order in which they were added.
  private func affected(by change: StateChange) -> [Visit] {
    var pending: (() -> [AffectedObservation])?
    let visits = self.state.withLock { state -> [Visit] in
      switch state.index.search(from: change.old, to: change.new) {
      case .found(let affected): return state.visit(affected, change)
      case .pending(let search):
        pending = search
        return []
      }
    }
    guard let affected = pending?() else { return visits }
    return self.state.withLock { $0.visit(affected, change) }
  }

  private func set(_ observation: StoreObservation, isStale: Bool) {
    guard isStale != observation.isStale else { return }
    observation.isStale = isStale
    self.state.withLock { state in
      if isStale, state.byNumber[observation.number] != nil {
        state.stale.insert(observation.number)
      } else {
        state.stale.remove(observation.number)
      }
    }
  }

  private func latest(_ change: StateChange) -> any Snapshot {
    (try? self.implementation.snapshot()) ?? change.new
  }

  private func publish(_ output: StoreObservation.Output, of observation: StoreObservation) {
    let process = ProcessGeneration.current
    switch observation.options.when {
    case .queued: self.queue.append(output, for: observation)
    case .inline:
      guard observation.deliver(output, skipped: 0), process.isCurrent else { return }
      self.recordDeliveries(1)
    }
  }

  private func recordDeliveries(_ count: Int) {
    self.state.withLock { $0.deliveries += count }
  }

  /// Delivers the queued outputs on this thread.
  func poll() -> Int {
    let process = ProcessGeneration.current
    let deliveries = self.queue.poll()
    if process.isCurrent { self.recordDeliveries(deliveries) }
    return deliveries
  }

  /// A descriptor that is readable while outputs are queued; `nil` if the process has none left.
  var descriptor: Int32? {
    self.queue.descriptor
  }

  /// The numbers of observations, of visits (how often a change may have affected an observation),
  /// and of deliveries.
  var statistics: [(String, Value)] {
    let (count, visits, deliveries) = self.state.withLock { state in
      (state.byNumber.count, state.visits, state.deliveries)
    }
    return [
      ("observations", .integer(Int64(count))), ("visits", .integer(Int64(visits))),
      ("deliveries", .integer(Int64(deliveries))),
    ]
  }
}
