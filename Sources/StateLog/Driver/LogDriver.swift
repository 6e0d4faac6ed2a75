/// Keeps logs somewhere else than in files, such as in a database that many machines share, and
/// decides the order of their entries. `immutabledata_log.h` says what each function does.
package protocol LogDriver: AnyObject, Sendable {
  /// - Parameters:
  ///   - changed: Called when the log has, or may have, entries up to a number; 0 if that is not
  ///     known.
  func open(
    _ opening: LogOpening, changed: @escaping @Sendable (Int) -> Void,
    _ answer: @escaping LogAnswering
  ) -> any DriverConnection
}

/// A log that a driver has open. Each call is answered once, at any time.
package protocol DriverConnection: AnyObject, Sendable {
  func append(_ entries: [NewLogEntry], after place: LogPlace?, _ answer: @escaping LogAnswering)
  func read(after place: LogPlace, limit: Int, holds: Bool, _ answer: @escaping LogAnswering)
  func snapshot(_ answer: @escaping LogAnswering)
  func put(
    snapshot: [UInt8], at place: LogPlace, replacing old: Int, _ answer: @escaping LogAnswering)
  func trim(to number: Int, _ answer: @escaping LogAnswering)
  /// Answers what is not answered.
  func close()
}

package typealias LogAnswering = @Sendable (LogAnswer) -> Void

/// How a log is opened.
package struct LogOpening: Sendable {
  package let address: String
  /// What a new log is of.
  package let header: [UInt8]
  /// The snapshot at the beginning of a new log; `nil` to open only one that exists.
  package let base: [UInt8]?
  /// How long a call may take, in milliseconds.
  package let timeout: Int32
}

/// An entry as a store makes it.
package struct LogEntryContent: Sendable {
  let kind: LineKind
  let number: Int
  let time: Int64
  let data: [UInt8]

  /// - Parameter data: JSON text without line feeds.
  package init(_ kind: LineKind, number: Int, time: Int64, data: [UInt8]) {
    (self.kind, self.number, self.time, self.data) = (kind, number, time, data)
  }
}

package struct NewLogEntry: Sendable {
  package let text: [UInt8]
  package let origin: LogOrigin
  package let counter: Int
}

package enum LogOutcome: Sendable, CaseIterable {
  case done, moved, repeated, absent, trimmed, diverged, unavailable, unanswered, unauthenticated
  case refused
}

/// The answer to a call. What it does not need is empty.
package struct LogAnswer: Sendable {
  package var outcome: LogOutcome
  package var message = ""
  /// The end of the log, if it is known.
  package var head = LogPlace()
  package var id = ""
  package var text: [UInt8] = []
  package var place = LogPlace()
  package var entries: [KeptLogEntry] = []
  /// The last counter of an origin.
  package var counter = 0

  package init(_ outcome: LogOutcome, _ message: String = "") {
    (self.outcome, self.message) = (outcome, message)
  }
}

/// An entry that a driver has kept.
package struct KeptLogEntry: Sendable {
  package let place: LogPlace
  package let text: [UInt8]
  package let origin: LogOrigin
  package let counter: Int

  package init(_ place: LogPlace, _ text: [UInt8], _ origin: LogOrigin, counter: Int) {
    (self.place, self.text, self.origin, self.counter) = (place, text, origin, counter)
  }
}
