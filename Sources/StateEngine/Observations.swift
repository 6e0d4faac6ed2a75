import ImmutableData
import ImmutableJSON

/// The observations of one store.
///
/// It is told of every change of the store, in order, and lets those look at it that may be
/// concerned: by what they read (the index), and by what they missed when their filter kept an
/// action away.
final class Observations: Sendable {
  private struct State {
    var index: any ObservationIndex
    var byNumber: [Int: Observation] = [:]
    var stale: Set<Int> = []
    var made = 0
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

// MARK: Coming and going

extension Observations {
  /// Begins an observation, and delivers the current output if that is wanted.
  ///
  /// - Parameter announce: Called with the observation before anything is delivered.
  func add(
    _ selector: BoundSelector, dependencies: [BoundSelector], _ options: ObservationOptions,
    _ callback: Callback<Delivery>, announcing announce: (Observation) -> Void
  ) throws(EngineError) -> Observation {
    try self.subscribe()
    var made: Result<Observation, EngineError>?
    self.implementation.withTurn { snapshot, start in
      let result = Result { () throws(EngineError) in
        let observation = try Observation(
          number: self.nextNumber(), start: start, snapshot, selector, dependencies: dependencies,
          options: options, callback: callback
        ) { [weak self] in
          self?.cancel($0)
        }
        try self.register(observation)
        return observation
      }
      made = result
      guard case .success(let observation) = result else { return }
      announce(observation)
      if options.initial {
        self.publish(observation.output, of: observation)
      }
    }
    guard let made else { throw .closed }
    return try made.get()
  }

  /// Ends all of them, for good.
  func close() {
    let (observations, subscription) = self.state.withLock { state in
      state.isClosed = true
      defer { state.subscription = nil }
      return (state.byNumber.values, state.subscription)
    }
    for observation in observations {
      self.remove(observation)
    }
    subscription?.cancel()
  }

  private func cancel(_ observation: Observation) {
    // A reducer that waited for an observer which dispatches would wait for itself.
    guard (try? self.implementation.refuseReentrancy(.subscribe)) != nil else { return }
    self.remove(observation)
  }

  private func remove(_ observation: Observation) {
    self.state.withLock { state in
      guard state.byNumber.removeValue(forKey: observation.number) != nil else { return }
      state.index.remove(observation.number, reading: observation.reads)
      state.stale.remove(observation.number)
    }
    self.queue.remove(observation)
    observation.callback.cancel()
  }

  private func register(_ observation: Observation) throws(EngineError) {
    let isClosed = self.state.withLock { state in
      guard !state.isClosed else { return true }
      state.byNumber[observation.number] = observation
      state.index.insert(observation.number, reading: observation.reads)
      return false
    }
    guard !isClosed else { throw .closed }
  }

  private func nextNumber() -> Int {
    self.state.withLock { state in
      state.made += 1
      return state.made
    }
  }

  /// Has the store tell of its changes, from the first observation on.
  private func subscribe() throws(EngineError) {
    let isSubscribed = self.state.withLock { $0.subscription != nil }
    guard !isSubscribed else { return }
    let subscription = self.implementation.subscribe { [weak self] in
      self?.didChange($0)
    }
    let unneeded = self.state.withLock { state -> Subscription? in
      guard state.subscription == nil, !state.isClosed else { return subscription }
      state.subscription = subscription
      return nil
    }
    unneeded?.cancel()
  }
}

// MARK: Telling

extension Observations {
  private func didChange(_ change: StateChange) {
    for observation in self.concerned(by: change) {
      if observation.isFilteredOut(change.actions) {
        self.set(observation, isStale: true)
        continue
      }
      self.set(observation, isStale: false)
      let snapshot = observation.options.coalesce ? self.latest(change) : change.new
      if let output = observation.update(snapshot) {
        self.publish(output, of: observation)
      }
    }
  }

  /// Those that have to look at a change, in the order in which they began.
  private func concerned(by change: StateChange) -> [Observation] {
    self.state.withLock { state in
      let numbers = state.index.concerned(by: change.old, change.new).union(state.stale)
      let observations = numbers.sorted().compactMap { state.byNumber[$0] }
      state.visits += observations.count
      return observations.filter { $0.start < change.number }
    }
  }

  private func set(_ observation: Observation, isStale: Bool) {
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

  private func publish(_ output: Observation.Output, of observation: Observation) {
    switch observation.options.when {
    case .queued: self.queue.append(output, for: observation)
    case .inline: self.count(observation.deliver(output, skipped: 0) ? 1 : 0)
    }
  }

  private func count(_ deliveries: Int) {
    self.state.withLock { $0.deliveries += deliveries }
  }

  /// Delivers what is queued, on this thread.
  func poll() -> Int {
    let deliveries = self.queue.poll()
    self.count(deliveries)
    return deliveries
  }

  /// A descriptor that is readable while something is queued; `nil` if the system has none left.
  var descriptor: Int32? {
    self.queue.descriptor
  }

  /// How many there are, how often one had to look at a change, and how often an observer was told.
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
