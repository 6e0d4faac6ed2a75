#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    self.nanoseconds(CLOCK_MONOTONIC)
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    Int64(self.nanoseconds(clock) / 1_000_000)
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
