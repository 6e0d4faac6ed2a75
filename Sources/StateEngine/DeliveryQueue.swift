import ImmutableData

/// The outputs of one store that wait until the host polls, in the order in which they were
/// published.
final class DeliveryQueue: Sendable {
  /// What waits for one observation.
  fileprivate final class Line {
    let observation: Observation
    var outputs = Queue<(number: Int, output: Observation.Output)>()
    var skipped = 0

    init(_ observation: Observation) {
      self.observation = observation
    }
  }

  fileprivate struct State {
    var lines: [Int: Line] = [:]

    /// Which observation is next, by the numbers of outputs. Those of outputs that gave way to
    /// others are passed over.
    var order = Queue<(number: Int, observation: Int)>()
    var made = 0
    var count = 0
    var isPolled = false
    var signal: ReadySignal?
  }

  private let state = Mutex(State())
}

extension DeliveryQueue {
  /// Adds an output behind all others. If there is no room for it, older ones of the same
  /// observation give way.
  func append(_ output: Observation.Output, for observation: Observation) {
    self.state.withLock { state in
      let line = state.lines[observation.number] ?? Line(observation)
      let options = observation.options
      let room = options.coalesce ? 1 : options.capacity
      if line.outputs.count >= room {
        let givesWay =
          options.overflow == .coalesce ? line.outputs.count : line.outputs.count - room + 1
        for _ in 0..<givesWay {
          _ = line.outputs.popFirst()
        }
        line.skipped += givesWay
        state.count -= givesWay
      }
      state.made += 1
      state.count += 1
      line.outputs.append((state.made, output))
      state.order.append((state.made, observation.number))
      state.lines[observation.number] = line
      state.forgetWhatGaveWay()
      state.signal?.set(true)
    }
  }

  /// Forgets what waits for an observation.
  func remove(_ observation: Observation) {
    self.state.withLock { state in
      let line = state.lines.removeValue(forKey: observation.number)
      state.count -= line?.outputs.count ?? 0
      state.forgetWhatGaveWay()
      state.signal?.set(state.count > 0)
    }
  }

  /// Delivers what waits now, on this thread; nothing while another poll is under way.
  ///
  /// - Returns: How many observers were told.
  func poll() -> Int {
    let last = self.state.withLock { state -> Int? in
      guard !state.isPolled else { return nil }
      state.isPolled = true
      return state.made
    }
    guard let last else { return 0 }
    var count = 0
    while let (observation, output, skipped) = self.next(upTo: last) {
      count += observation.deliver(output, skipped: skipped) ? 1 : 0
    }
    self.state.withLock { $0.isPolled = false }
    return count
  }

  /// A descriptor that is readable while something waits; `nil` if the system has none left.
  var descriptor: Int32? {
    self.state.withLock { state in
      if state.signal == nil {
        state.signal = ReadySignal()
        state.signal?.set(state.count > 0)
      }
      return state.signal?.descriptor
    }
  }

  private func next(upTo last: Int) -> (Observation, Observation.Output, skipped: Int)? {
    self.state.withLock { state in
      while let (number, observation) = state.order.first, number <= last {
        _ = state.order.popFirst()
        guard let line = state.lines[observation], line.outputs.first?.number == number,
          let (_, output) = line.outputs.popFirst()
        else { continue }
        let skipped = line.skipped
        line.skipped = 0
        if line.outputs.isEmpty {
          state.lines[observation] = nil
        }
        state.count -= 1
        state.signal?.set(state.count > 0)
        return (line.observation, output, skipped)
      }
      return nil
    }
  }
}

extension DeliveryQueue.State {
  /// Keeps the order from growing with what is not there any more. O(1) amortised.
  fileprivate mutating func forgetWhatGaveWay() {
    guard self.order.count > 2 * self.count + 64 else { return }
    var order = Queue<(number: Int, observation: Int)>()
    while let entry = self.order.popFirst() {
      if let first = self.lines[entry.observation]?.outputs.first?.number, first <= entry.number {
        order.append(entry)
      }
    }
    self.order = order
  }
}
