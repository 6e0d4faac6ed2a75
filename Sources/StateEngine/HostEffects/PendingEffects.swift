import ImmutableJSON
import Threading

/// The effects of the program that one store has asked for and that have not ended.
///
/// A pending effect takes no thread and delays no other effect. Its completion runs as an effect of
/// the queue.
final class PendingEffects: Sendable {
  let host: HostEffects
  private let queue: EffectQueue
  /// `nil` after ``close()``.
  private let tasks = Mutex<[ObjectIdentifier: EffectTask]?>([:])

  /// The limit of effects in flight.
  static var limit: Int { 65_536 }

  init(_ host: HostEffects, _ queue: EffectQueue) {
    self.host = host
    self.queue = queue
  }
}

extension PendingEffects {
  /// Asks the program for an effect, after the effects that are waiting now.
  ///
  /// - Parameter check: Throws if the program must not end the effect with this outcome.
  func ask(
    _ name: String, _ arguments: Value,
    check: @escaping @Sendable (EffectTask.Outcome) throws -> Void,
    completion: @escaping @Sendable (EffectTask.Outcome) -> Void
  ) {
    self.queue.expect()
    let task = EffectTask(name, arguments, check: check) { [queue] outcome in
      queue.appendExpected { completion(outcome) }
    }
    if let refusal = self.add(task) {
      task.end(.failure(refusal))
    } else {
      self.queue.append { [host] in host.start(task) }
    }
  }

  private func add(_ task: EffectTask) -> HostEffectError? {
    let id = ObjectIdentifier(task)
    let refusal = self.tasks.withLock { tasks -> HostEffectError? in
      guard let count = tasks?.count else { return .closed }
      guard count < Self.limit else { return .tooMany(limit: Self.limit) }
      tasks?[id] = task
      return nil
    }
    // The handler captures the identity: capturing the task would retain it until its end.
    task.onEnd { [weak self] in
      let task = self?.tasks.withLock { $0?.removeValue(forKey: id) }
      // Released after the lock.
      withExtendedLifetime(task) {}
    }
    return refusal
  }

  /// Ends all effects.
  func close() {
    for task in (self.tasks.withLock { $0.take() } ?? [:]).values {
      task.end(.failure(.closed))
    }
  }
}
