import Threading

/// Makes the calls of a store to a driver: waits for their answers, and makes them again after a
/// failure that may pass.
final class DriverCalls: Sendable {
  /// The address without credentials, for messages.
  let name: String
  let state: DriverState
  private let connection: any DriverConnection
  /// Held while a function of the connection runs: none does after its `close`.
  private let isClosed = Mutex(false)
  private let settings: LogSettings
  private let files: any FileSystem

  init(
    _ connection: any DriverConnection, _ name: String, _ state: DriverState,
    _ settings: LogSettings, _ files: any FileSystem
  ) {
    (self.connection, self.name, self.state) = (connection, name, state)
    (self.settings, self.files) = (settings, files)
  }
}

extension DriverCalls {
  /// How long the first wait after a failure is at most, and the longest, in milliseconds.
  private static var firstWait: Int64 { 100 }
  private static var longestWait: Int64 { 5_000 }

  /// Makes a call. After a failure that may pass, makes it again until the timeout has passed since
  /// the first failure of any call; later calls then fail at once between two attempts.
  ///
  /// - Parameters:
  ///   - begun: The first attempt, if it was made.
  ///   - body: Makes the call.
  /// - Throws: `unavailable`, `refused`, `closed`.
  func call(
    begun: LogCall? = nil, _ body: (any DriverConnection, @escaping LogAnswering) -> Void
  ) throws(LogError) -> LogAnswer {
    var begun = begun
    while true {
      if begun == nil { try self.waitForAttempt() }
      guard let call = begun.take() ?? self.begin(body) else { throw .closed(self.name) }
      let answer = call.wait()
      guard self.isFailure(answer) else {
        self.state.with { ($0.problem, $0.outage) = (nil, nil) }
        return answer
      }
      let failure = self.failure(answer)
      if failure.code == .refused {
        // The driver reaches the log, and another call may be right.
        self.state.with { ($0.problem, $0.outage) = (failure, nil) }
        throw failure
      }
      self.note(failure)
    }
  }

  /// Makes a call, without waiting for the answer.
  ///
  /// - Returns: `nil` if the log was closed.
  func begin(_ body: (any DriverConnection, @escaping LogAnswering) -> Void) -> LogCall? {
    let call = LogCall()
    return self.isClosed.withLock { isClosed in
      guard !isClosed else { return nil }
      body(self.connection) { call.resolve($0) }
      return call
    }
  }

  /// Whether a call failed, and may succeed later or with other rights.
  private func isFailure(_ answer: LogAnswer) -> Bool {
    switch answer.outcome {
    case .unavailable, .unauthenticated, .refused: true
    default: false
    }
  }

  /// What is thrown for an outcome.
  func failure(_ answer: LogAnswer) -> LogError {
    let code: LogError.Code =
      switch answer.outcome {
      case .done, .moved, .repeated: .moved
      case .unavailable, .unanswered: .unavailable
      case .unauthenticated: .unauthenticated
      case .refused, .absent: .refused
      case .trimmed: .trimmed
      case .diverged: .diverged
      }
    return LogError(code, quotedPath(self.name) + ": " + answer.message)
  }

  /// - Throws: If a log was not opened.
  func requireOpened(_ answer: LogAnswer) throws(LogError) {
    switch answer.outcome {
    case .done: break
    case .absent: throw .missing(self.name)
    default: throw self.failure(answer)
    }
  }

  /// Waits until a call may be made.
  private func waitForAttempt() throws(LogError) {
    while true {
      let now = self.files.uptime
      let (isClosed, problem, outage) = self.state.with { ($0.isClosed, $0.problem, $0.outage) }
      if isClosed { throw .closed(self.name) }
      guard let problem, let outage, now < outage.next else { return }
      guard outage.next - outage.start < Int64(self.settings.timeout) else { throw problem }
      self.pause(milliseconds: outage.next - now)
    }
  }

  /// Waits before another attempt: twice as long after each.
  func pause(after attempts: Int) {
    self.pause(milliseconds: min(Self.firstWait << min(attempts - 1, 10), Self.longestWait))
  }

  private func pause(milliseconds: Int64) {
    if self.settings.hasThread {
      self.state.wait(until: Deadline(milliseconds: Int32(clamping: milliseconds)))
    } else {
      self.files.pause(nanoseconds: Int(milliseconds) * 1_000_000)
    }
  }

  /// Notes a failure, and when the next attempt is: twice as late as the last one, and at random,
  /// so that not all stores of a server try at the same time.
  private func note(_ failure: LogError) {
    let now = self.files.uptime
    let chance = Int64(self.files.randomBits(8).first ?? 0)
    self.state.with { state in
      state.problem = failure
      state.mustRead = true
      let wait = min(2 * (state.outage?.wait ?? Self.firstWait / 2), Self.longestWait)
      let next = now + wait / 2 + wait / 2 * chance / 256
      state.outage = DriverState.Outage(
        start: state.outage?.start ?? now, next: next, wait: wait)
    }
  }

  /// Ends the use of the log. The calls that wait are answered.
  func close() {
    self.state.close()
    let wasClosed = self.isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    if !wasClosed { self.connection.close() }
  }
}
