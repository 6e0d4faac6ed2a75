import TestSupport
import Testing
import Threading

@testable import StateEngine

/// Errors of effects that come faster than the program's handler returns.
@Suite struct EffectFailuresTests {
  private let failures = EffectFailures()
  private let queue = EffectQueue()
  private let handled = Recorder<EngineError>()
  private let gate = Gate()

  private final class Gate: Sendable {
    let isOpen = Mutex(false)
    let opening = Condition()

    func open() {
      self.isOpen.withLock { $0 = true }
      self.opening.broadcast()
    }
  }

  /// Sets a handler that waits for the gate.
  private func setHandler() {
    self.failures.handler.use(
      Callback { [handled, gate] error in
        handled.append(error)
        gate.isOpen.wait(for: gate.opening) { $0 }
      })
  }

  private func fail(_ messages: some Sequence<String>) {
    for message in messages {
      self.failures.add(EngineError(.io, message), notifyingOn: self.queue)
    }
  }

  private func finish() throws {
    self.gate.open()
    try self.queue.settle(milliseconds: -1)
    self.queue.close()
    self.queue.join()
  }

  @Test(
    arguments: [
      (1, nil), (1_024, nil), (1_025, "1 more effect failed"), (3_000, "1976 more effects failed"),
    ] as [(Int, String?)])
  func aNumberOfErrorsWaits(_ count: Int, _ omitted: String?) throws {
    self.setHandler()
    self.fail((0..<count).map(String.init))
    #expect(self.failures.count == count)
    self.gate.open()
    try self.queue.settle(milliseconds: -1)
    // Later errors are reported again.
    self.fail(["later"])
    try self.finish()
    #expect(self.failures.count == count + 1)
    let waited = (0..<min(count, EffectFailures.waitingLimit)).map {
      EngineError(.io, String($0))
    }
    let summary = omitted.map {
      EngineError(.limit, "\($0) while too many errors waited for the handler")
    }
    #expect(
      self.handled.all == waited + [summary].compactMap(\.self) + [EngineError(.io, "later")])
  }

  @Test func aNumberOfBytesWaits() throws {
    self.setHandler()
    let long = String(repeating: "x", count: EffectFailures.sizeLimit + 1)
    let half = String(repeating: "x", count: EffectFailures.sizeLimit / 2)
    self.fail([long, "a"])
    self.handled.wait(for: 1)
    self.gate.open()
    try self.queue.settle(milliseconds: -1)
    #expect(
      self.handled.all.map(\.message) == [
        long, "1 more effect failed while too many errors waited for the handler",
      ])
    self.fail([half, half])
    try self.finish()
    #expect(self.handled.all.map(\.message.utf8.count).dropFirst(2) == [half.count, half.count])
  }

  /// A queue that is closed drops the calls, not the errors.
  @Test func closingCallsTheHandlerForAllThatWait() {
    self.gate.open()
    self.setHandler()
    let blocked = Gate()
    self.queue.append { blocked.isOpen.wait(for: blocked.opening) { $0 } }
    self.fail((0..<1_025).map(String.init))
    self.queue.close()
    blocked.open()
    self.queue.join()
    #expect(self.handled.all.isEmpty)
    self.failures.close()
    #expect(self.handled.all.count == 1_025)
    #expect(self.handled.all.last?.message.hasPrefix("1 more effect failed") == true)
  }

  @Test func withoutAHandlerNothingWaits() throws {
    self.fail((0..<3_000).map(String.init))
    #expect(self.failures.count == 3_000)
    self.setHandler()
    self.fail(["first"])
    try self.finish()
    #expect(self.handled.all == [EngineError(.io, "first")])
  }
}
