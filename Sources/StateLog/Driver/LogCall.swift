import Threading

/// A call of a driver that waits for its answer. Only the first one counts.
final class LogCall: Sendable {
  private let answer = Mutex<LogAnswer?>(nil)
  private let isAnswered = Condition()

  func resolve(_ answer: LogAnswer) {
    self.answer.withLock { $0 = $0 ?? answer }
    self.isAnswered.broadcast()
  }

  /// Waits for the answer.
  func wait() -> LogAnswer {
    self.answer.withLock(after: self.isAnswered, until: { $0 != nil }) {
      $0 ?? LogAnswer(.unanswered)
    }
  }
}
