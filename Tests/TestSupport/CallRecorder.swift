import Threading

/// Records the calls of a test double, and answers or refuses all of them.
package final class CallRecorder: Sendable {
  package struct Refusal: Error, CustomStringConvertible {
    package let description = "no"

    package init() {}
  }

  private let refuses: Bool
  private let recorded = Mutex<[String]>([])

  package init(refuses: Bool) {
    self.refuses = refuses
  }

  package var calls: [String] {
    self.recorded.withLock { $0 }
  }

  /// Records a call, and returns the answer.
  ///
  /// - Throws: ``Refusal``, if calls are refused.
  package func record<Answer>(_ call: String, _ answer: Answer) throws -> Answer {
    self.recorded.withLock { $0.append(call) }
    if self.refuses { throw Refusal() }
    return answer
  }
}
