import ImmutableJSON
import Threading

/// A log that a driver keeps, open for a store: reads it to its end, and appends after the last
/// entry that it has read.
///
/// Its variables belong to the thread that has the turn.
package final class DriverLog: @unchecked Sendable {
  package let header: LogHeader
  package let settings: LogSettings
  let address: LogAddress
  let driver: any LogDriver
  let files: any FileSystem
  let calls: DriverCalls
  let clock: LogClock
  private let process = ProcessGeneration.current

  /// Where it was read to, and the number of the last commit there.
  var place = LogPlace()
  var commits = 0
  /// Entries after that which were read before they were asked for.
  var unread: [KeptLogEntry] = []

  /// This opening, the counter of its last entry, and an append that may have the next one.
  let origin: LogOrigin
  var counter = 0
  var unanswered = UnansweredAppend()

  /// Whether the thread will append.
  var isTurn = false

  /// How often in a row the log had moved on when this store appended, and whether the driver keeps
  /// others from appending.
  var refusals = 0
  var isHeld = false

  package internal(set) var number = 0
  package var lastWriter = 0

  /// When it is the turn of this store to put a snapshot.
  let snapshots = Mutex(DriverSnapshots())

  init(
    _ calls: DriverCalls, _ header: LogHeader, _ address: LogAddress, _ driver: any LogDriver,
    _ settings: LogSettings, _ files: any FileSystem
  ) {
    (self.calls, self.header, self.settings, self.files) = (calls, header, settings, files)
    (self.address, self.driver) = (address, driver)
    self.clock = LogClock(files)
    self.origin = LogOrigin(randomBits: files.randomBits(128))
  }

  deinit {
    self.close()
  }
}

extension DriverLog {
  var state: DriverState {
    self.calls.state
  }

  package func requireProcess() throws(LogError) {
    guard self.process.isCurrent else { throw .inherited(self.path) }
  }

  package func stopWaiting() {
    // The threads of the driver do not exist in the child of a fork.
    if self.process.isCurrent { self.calls.close() }
  }

  /// Ends the use of the log.
  @discardableResult
  package func close() -> LogError? {
    self.stopWaiting()
    self.setSnapshotSource(nil)
    return nil
  }
}

// MARK: What any thread may ask

extension DriverLog: LogStorage {
  package var path: String { self.calls.name }
  package var isShared: Bool { !self.settings.isReadOnly }
  package var isMigrated: Bool { self.header.migratedFrom != nil }
  package var time: Int64 { self.clock.time }
  package var problem: LogError? { self.state.with { $0.problem } }
  package var isProblemKnown: Bool { true }
  package var statistics: LogStatistics { self.state.with { $0.statistics } }
  package var hasUnread: Bool { self.state.with { $0.mustRead || $0.head > $0.place } }

  package var position: LogPosition {
    LogPosition(number: self.commits, end: self.place.number, hash: self.place.hash)
  }

  package func watch(
    _ onEvent: @escaping @Sendable (WatchEvent) -> Void
  ) -> (any FileWatch)? {
    self.state.with { $0.onChange = onEvent }
    return DriverWatch()
  }

  // An entry that the driver has acknowledged is as durable as it can be.
  package func waitForRoom() throws(LogError) {}
  package func wait(upTo number: Int?) throws(LogError) {}
  package func writeSoon() {}
  package func waitWhileOpen(upTo number: Int) -> Bool { true }
  package func sync(until deadline: Deadline?) throws(LogError) {}

  package func refuse(_ refusal: LogError) {}
  package func endReading() {}

  /// A driver does not know.
  package func hasEnded(_ writer: Int) throws(LogError) -> Bool { false }
}

/// Ends with the log.
private final class DriverWatch: FileWatch {}
