#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Times in milliseconds. A reducer uses only times from its actions.
package enum Clock {
  /// The time since 1970, by the wall clock.
  package static var now: Int64 {
    self.milliseconds(CLOCK_REALTIME)
  }

  /// A monotonic time, for intervals.
  package static var uptime: Int64 {
    self.milliseconds(CLOCK_MONOTONIC)
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
