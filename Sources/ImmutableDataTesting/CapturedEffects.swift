import ImmutableJSON
import StateEngine
import Threading

/// The effects that a store has begun and that its test ends.
final class CapturedEffects: Sendable {
  private let tasks = Mutex<[EffectTask]>([])

  func add(_ task: EffectTask) {
    // An effect that was cancelled ends when its program knows of it.
    try? task.onCancel {}
    self.tasks.withLock { $0.append(task) }
  }

  var inFlight: [EffectTask] {
    self.tasks.withLock { tasks in
      tasks.removeAll { $0.hasEnded || $0.isCancelled }
      return tasks
    }
  }

  /// Those in flight, as the end of a message.
  var list: String {
    let effects = self.inFlight
    return effects.isEmpty
      ? "; none is in flight" : "; in flight: \(effects.map(\.title).joined(separator: ", "))"
  }
}

extension EffectTask {
  /// The effect, as messages name it.
  var title: String {
    self.arguments == .null ? "\"\(self.name)\"" : "\"\(self.name)\" with \(self.arguments)"
  }
}
