import Synchronization

/// The time of one store: that of the system, or one that only its program moves.
package final class StoreClock: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case system, manual
    /// A manual one, of a store whose program also lets each outcome of an effect in.
    case stepped
  }

  package static let system = StoreClock(.system)

  package let kind: Kind

  /// The time of a manual clock, which begins in 1970, in nanoseconds.
  private let time = Atomic(0)

  package init(_ kind: Kind) {
    self.kind = kind
  }
}

extension StoreClock {
  package var isManual: Bool {
    self.kind != .system
  }

  /// The time in milliseconds since 1970, by the wall clock.
  package var now: Int64 {
    self.isManual ? Int64(self.time.load(ordering: .acquiring) / 1_000_000) : Clock.now
  }

  /// A time in nanoseconds that nobody sets back, for intervals.
  package var uptime: Int {
    self.isManual ? self.time.load(ordering: .acquiring) : Clock.uptimeNanoseconds
  }

  /// The time, as ``uptime`` shows it, after a number of milliseconds.
  package func uptime(after milliseconds: Int32) -> Int {
    let (time, overflows) = self.uptime.addingReportingOverflow(Int(milliseconds) * 1_000_000)
    return overflows ? .max : time
  }

  /// How long a thread waits for a time. One that only the program brings about never comes.
  package func deadline(_ uptime: Int) -> Deadline? {
    self.isManual ? nil : Deadline(nanoseconds: uptime - self.uptime)
  }

  /// Moves a manual clock forward.
  package func move(to uptime: Int) {
    self.time.max(uptime, ordering: .acquiringAndReleasing)
  }
}
