import Threading

/// What is known of a log that a driver keeps. Any thread may ask.
final class DriverState: Sendable {
  struct State {
    /// Where the log is known to end, and to where the store has it.
    var head = 0
    var place = 0
    /// Whether the log must be read to know where it ends.
    var mustRead = false
    /// Why the driver cannot reach the log, and since when, in milliseconds of uptime.
    var problem: LogError?
    var outage: Outage?
    var isClosed = false
    var onChange: (@Sendable (WatchEvent) -> Void)?
    var statistics = LogStatistics()
  }

  /// A time in which all calls fail.
  struct Outage {
    let start: Int64
    /// When the next call may be made, and how long the wait before it was.
    var next: Int64
    var wait: Int64
  }

  private let state = Mutex(State())
  private let hasChanged = Condition()
}

extension DriverState {
  func with<Result>(_ body: (inout State) -> Result) -> Result {
    self.state.withLock(body)
  }

  /// Notes a hint of the driver.
  ///
  /// - Parameter number: The number of an entry that the log may have; 0 if that is not known.
  func noteChange(to number: Int) {
    let onChange: (@Sendable (WatchEvent) -> Void)? = self.state.withLock { state in
      if number > 0 {
        guard number > state.head else { return nil }
        state.head = number
      } else {
        state.mustRead = true
      }
      return state.onChange
    }
    onChange?(.written)
  }

  func close() {
    self.state.withLock { state in
      state.isClosed = true
      state.onChange = nil
    }
    self.hasChanged.broadcast()
  }

  /// Waits until a time, or until the log is closed.
  func wait(until deadline: Deadline) {
    self.state.withLock(after: self.hasChanged, orAt: deadline, until: \.isClosed) { _ in }
  }
}
