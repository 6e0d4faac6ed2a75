import Threading

/// The outputs of one store that wait until the program polls, in the order in which they were
/// published.
final class DeliveryQueue: Sendable {
  /// The outputs that wait for one observation.
  fileprivate final class ObservationQueue {
    let observation: StoreObservation
    var outputs = Queue<(number: Int, output: ObservationOutput)>()

    /// The number of outputs dropped since the last delivery.
    var skipped = 0

    /// The output that was delivered last.
    var delivered: ObservationOutput?

    init(_ observation: StoreObservation) {
      self.observation = observation
    }

    /// Adds an output. If the queue is full, the oldest output is dropped, or all of them.
    ///
    /// - Parameter dropped: Gets the dropped outputs, to be destroyed without the lock.
    /// - Returns: The difference in the number of outputs.
    func append(
      _ output: ObservationOutput, _ number: Int, dropped: inout [ObservationOutput]
    ) -> Int {
      let options = self.observation.options
      let count = self.outputs.count
      let isFull = count >= (options.coalesce ? 1 : options.capacity)
      if isFull {
        for _ in 0..<(options.overflow == .coalesce ? count : 1) { self.dropFirst(&dropped) }
      }
      self.outputs.append((number, output))
      // The first output may now equal the last delivered one.
      if isFull, self.outputs.first?.output == self.delivered { self.dropFirst(&dropped) }
      self.skipped += count + 1 - self.outputs.count
      return self.outputs.count - count
    }

    private func dropFirst(_ dropped: inout [ObservationOutput]) {
      if let (_, output) = self.outputs.popFirst() { dropped.append(output) }
    }
  }

  fileprivate struct State {
    var queues: [Int: ObservationQueue] = [:]

    /// The observations in the order of their outputs. May contain numbers of outputs that were
    /// dropped.
    var order = Queue<(number: Int, observation: Int)>()
    var lastNumber = 0
    var count = 0
    var polling = Claim()
    /// The thread that polled last.
    var poller: ThreadIdentity?
    var signal: ReadySignal?
  }

  private let state = Mutex(State())
  private let hasPolled = Condition()
}

extension DeliveryQueue {
  /// Adds an output at the end. Beyond the capacity, older outputs of the observation are dropped.
  func append(_ output: ObservationOutput, for observation: StoreObservation) {
    var dropped: [ObservationOutput] = []
    self.state.withLock { state in
      guard !observation.isCancelled else { return }
      let queue = state.queues[observation.number] ?? ObservationQueue(observation)
      state.queues[observation.number] = queue
      state.lastNumber += 1
      state.count += queue.append(output, state.lastNumber, dropped: &dropped)
      state.order.append((state.lastNumber, observation.number))
      state.compactOrder()
      state.signal?.set(state.count > 0)
    }
    withExtendedLifetime(dropped) {}
  }

  /// Removes the queued outputs of an observation.
  func remove(_ observation: StoreObservation) {
    let queue = self.state.withLock { state in
      let queue = state.queues.removeValue(forKey: observation.number)
      state.count -= queue?.outputs.count ?? 0
      state.compactOrder()
      state.signal?.set(state.count > 0)
      return queue
    }
    self.hasPolled.broadcast()
    // Destroy it after the lock has been released.
    withExtendedLifetime(queue) {}
  }

  /// Delivers the outputs that are queued now, on this thread; none while another thread polls.
  ///
  /// - Parameter deliver: Calls an observer. Returns whether it was called.
  /// - Returns: The number of calls of observers.
  func poll(
    _ deliver: (StoreObservation, consuming ObservationOutput, _ skipped: Int) -> Bool
  ) -> Int {
    let last: Int? = self.state.withLock { state in
      guard state.polling.take() else { return nil }
      state.poller = .current
      return state.lastNumber
    }
    guard let last else { return 0 }
    var count = 0
    while let (observation, output, skipped) = self.next(upTo: last) {
      count += deliver(observation, output, skipped) ? 1 : 0
    }
    self.state.withLock { $0.polling.release() }
    self.hasPolled.broadcast()
    return count
  }

  /// Waits until the outputs that are queued now have been delivered or dropped. Called outside
  /// callbacks.
  ///
  /// - Parameter poll: Called if no thread has polled, or this one polled last.
  /// - Returns: `false` if the deadline has passed.
  func flush(until deadline: Deadline?, _ poll: () -> Void) -> Bool {
    let (last, polls) = self.state.withLock { ($0.lastNumber, $0.poller?.isCurrent ?? true) }
    if polls { poll() }
    return self.state.withLock(after: self.hasPolled, orAt: deadline) { state in
      state.hasDelivered(upTo: last)
    } do: { state in
      state.hasDelivered(upTo: last)
    }
  }

  /// A descriptor that is readable while outputs are queued; `nil` if the process has none left.
  var descriptor: Int32? {
    self.state.withLock { state in
      if state.signal == nil {
        state.signal = ReadySignal()
        state.signal?.set(state.count > 0)
      }
      return state.signal?.descriptor
    }
  }

  private func next(upTo last: Int) -> (StoreObservation, ObservationOutput, skipped: Int)? {
    // Destroyed after the lock has been released.
    var previous: ObservationOutput?
    defer { withExtendedLifetime(previous) {} }
    return self.state.withLock { state in
      while let (number, observation) = state.order.first, number <= last {
        _ = state.order.popFirst()
        guard let queue = state.queues[observation], queue.outputs.first?.number == number,
          let (_, output) = queue.outputs.popFirst()
        else { continue }
        let skipped = queue.skipped
        queue.skipped = 0
        previous = queue.delivered
        queue.delivered = output
        state.count -= 1
        state.signal?.set(state.count > 0)
        return (queue.observation, output, skipped)
      }
      return nil
    }
  }
}

extension DeliveryQueue.State {
  fileprivate func hasDelivered(upTo number: Int) -> Bool {
    !self.polling.isTaken
      && self.queues.values.allSatisfy { ($0.outputs.first?.number ?? .max) > number }
  }

  /// Removes the numbers of dropped outputs from the order, once they are most of it. Amortized
  /// O(1).
  fileprivate mutating func compactOrder() {
    guard self.order.count > 2 * self.count + 64 else { return }
    var order = Queue<(number: Int, observation: Int)>()
    while let entry = self.order.popFirst() {
      if let first = self.queues[entry.observation]?.outputs.first?.number, first <= entry.number {
        order.append(entry)
      }
    }
    self.order = order
  }
}
