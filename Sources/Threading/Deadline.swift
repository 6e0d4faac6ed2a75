#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A time at which a wait ends, on the clock that a ``Condition`` uses.
public struct Deadline: Sendable {
  @usableFromInline let time: timespec

  /// A number of milliseconds from now; a negative number counts as 0.
  package init(milliseconds: Int32) {
    var time = Self.now
    time.tv_sec += Int(max(milliseconds, 0) / 1_000)
    time.tv_nsec += Int(max(milliseconds, 0) % 1_000) * 1_000_000
    if time.tv_nsec >= 1_000_000_000 {
      time.tv_sec += 1
      time.tv_nsec -= 1_000_000_000
    }
    self.time = time
  }

  @usableFromInline package var hasPassed: Bool {
    let now = Self.now
    return (now.tv_sec, now.tv_nsec) >= (self.time.tv_sec, self.time.tv_nsec)
  }

  // Conditions use the monotonic clock, except on Darwin, where they support wall-clock time only.
  #if canImport(Darwin)
    static var clock: clockid_t { CLOCK_REALTIME }
  #else
    static var clock: clockid_t { CLOCK_MONOTONIC }
  #endif

  private static var now: timespec {
    var time = timespec()
    clock_gettime(self.clock, &time)
    return time
  }
}

extension Deadline: Comparable {
  public static func == (left: Self, right: Self) -> Bool {
    (left.time.tv_sec, left.time.tv_nsec) == (right.time.tv_sec, right.time.tv_nsec)
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.time.tv_sec, left.time.tv_nsec) < (right.time.tv_sec, right.time.tv_nsec)
  }
}
