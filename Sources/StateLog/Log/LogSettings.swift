import ImmutableJSON

/// When a commit counts as kept.
package enum LogDurability: String, Sendable, CaseIterable {
  /// It is on the disk.
  case full
  /// It was handed to the system, and survives the end of the process.
  case normal
  /// It waits in memory to be written.
  case none
}

/// How a log is opened.
package struct LogSettings: Sendable {
  package var durability = LogDurability.normal

  /// The name of the program; `nil` accepts a log of any.
  package var application: String?

  /// The domain of the store; `nil` for a reducer of the program.
  package var domain: String?

  /// The version of the schema of state and actions.
  package var version = 1

  /// The version of the library, for a new log.
  package var engine = ""

  /// The options that a replay depends on, for a new log.
  package var options = Value.null

  /// Whether other stores may write to it, too.
  package var isShared = false

  /// Whether no other store may have it open, so that it can be written anew. Then ``isShared``
  /// says that it becomes a shared log, and may be any now.
  package var isAlone = false

  /// Only reads: does not lock, repair or write anything.
  package var isReadOnly = false

  /// Whether a thread writes in the background. Without one, ``LogFile/work()`` must be called.
  package var hasThread = true

  /// How long a store that follows a log trusts the watch of its file, in milliseconds.
  package var watchTimeout: Int32 = 1000

  /// How long a store waits for a driver that cannot reach its log, in milliseconds.
  package var timeout: Int32 = 10_000

  package init() {}

  /// The same, to read the log beside the store that writes it.
  var reading: Self {
    var settings = self
    (settings.isReadOnly, settings.isShared, settings.isAlone) = (true, false, false)
    return settings
  }
}

/// What happened to a log since it was opened.
package struct LogStatistics: Sendable {
  /// The entries that were appended.
  package internal(set) var entries = 0
  /// The length of the log, with what waits to be written.
  package internal(set) var bytes = 0
  /// The number of the last commit that was handed to the system.
  package internal(set) var written = 0
  /// How much waits to be written, and how much is not known to be on the disk.
  package internal(set) var unwrittenBytes = 0
  package internal(set) var unsyncedBytes = 0
  /// How often the log was written, and how often it waited for the disk.
  package internal(set) var writes = 0
  package internal(set) var syncs = 0
  package internal(set) var snapshots = 0
  package internal(set) var snapshotBytes = 0
  /// Snapshots that could not be written.
  package internal(set) var failedSnapshots = 0
  /// How often the log was compacted while it was open, when it was last (in milliseconds since
  /// 1970), and why it was not since.
  package internal(set) var compactions = 0
  package internal(set) var compactionTime: Int64?
  package internal(set) var compactionProblem: String?
  /// The number of the first entry; `nil` if it is not known.
  package internal(set) var firstEntry: Int?
  /// What was cut from the end: lines that a power cut or a process that ended had left in part.
  package internal(set) var cutLines = 0
  package internal(set) var cutBytes = 0
}
