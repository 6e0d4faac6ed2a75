import ProductSupport
import StateEngine
import Threading

/// The time and the timers of a model.
public protocol ModelClock: Sendable {
  /// The time of a new order.
  func now() -> Timestamp

  /// Calls a function once after a delay. It must not be called before this returns.
  func schedule(after milliseconds: Int32, _ work: @escaping @Sendable () -> Void)
}

/// The wall clock, or another one, with timers of the program.
public struct WallClock: ModelClock {
  private let time: @Sendable () -> Int64
  private let timer: @Sendable (Int32, @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - time: Returns the time in milliseconds since 1970; by default, that of the wall clock.
  ///   - timer: Calls a function once after a number of milliseconds; by default, never.
  public init(
    time: (@Sendable () -> Int64)? = nil,
    timer: @escaping @Sendable (Int32, @escaping @Sendable () -> Void) -> Void = { _, _ in }
  ) {
    self.time = time ?? { StoreClock.system.now }
    self.timer = timer
  }

  public func now() -> Timestamp {
    Timestamp(milliseconds: self.time())
  }

  public func schedule(after milliseconds: Int32, _ work: @escaping @Sendable () -> Void) {
    self.timer(milliseconds, work)
  }
}

/// The clock of a seeded model: a minute passes each time that the model reads it, and no timer
/// ever fires. So the same calls yield the same times.
final class SteppingClock: ModelClock {
  private let time: Mutex<Timestamp>

  /// - Parameter start: By default 2026-01-01T12:00:00Z.
  init(start: Timestamp = Timestamp(milliseconds: 1_767_268_800_000)) {
    self.time = Mutex(start)
  }

  func now() -> Timestamp {
    self.time.withLock { time in
      defer { time = time.adding(60_000) }
      return time
    }
  }

  func schedule(after milliseconds: Int32, _ work: @escaping @Sendable () -> Void) {}
}
