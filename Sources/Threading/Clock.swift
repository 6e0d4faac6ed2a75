import Glibc

/// Times, in milliseconds if they say nothing else. A reducer uses only times from its actions.
package enum Clock {
  /// The time since 1970, by the wall clock.
  package static var now: Int64 {
    self.milliseconds(CLOCK_REALTIME)
  }

  /// A monotonic time, for intervals.
  package static var uptime: Int64 {
    self.milliseconds(CLOCK_MONOTONIC)
  }

  /// A monotonic time in nanoseconds, for short intervals.
  package static var uptimeNanoseconds: Int {
    let time = self.read(CLOCK_MONOTONIC)
    return time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    let time = self.read(clock)
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec / 1_000_000)
  }

  private static func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
