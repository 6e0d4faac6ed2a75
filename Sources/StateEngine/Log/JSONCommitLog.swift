import ImmutableData
import ImmutableJSON
import StateLog
import Synchronization
import Threading

/// The version of this library, which a new file says.
let engineVersion = "0.1.0"

/// What logs need of the system. Tests simulate it.
package struct LogSystem: Sendable {
  package var files: any FileSystem = SystemFiles()

  /// In place of the drivers that the program has registered.
  package var driver: (any LogDriver)?

  /// Whether logs may start threads. Without, ``AnyStore/logFile`` has work that its user must do,
  /// and a store that only reads follows its log only when it is refreshed.
  package var hasThreads = true

  /// See ``LogSettings/watchTimeout``.
  package var watchTimeout = LogSettings().watchTimeout

  package init() {}

  fileprivate func driver(for address: LogAddress) throws(EngineError) -> any LogDriver {
    if let driver { return driver }
    return try LogDrivers.driver(for: address)
  }
}

/// The log of a store: encodes its commits as the entries of a file, or of what a driver keeps.
final class JSONCommitLog: CommitLog {
  let storage: any LogStorage
  /// The same, if it is a file, and if a driver keeps it.
  let file: LogFile?
  let driver: DriverLog?
  let isReadOnly: Bool
  /// The name of this store among those that share the file.
  let author: String?
  /// Whose turn it is to append to a shared file. Set when the log is opened.
  nonisolated(unsafe) weak var turns: LogFollower?
  /// What is added to the states of the file.
  let defaults: LogDefaults
  private let encoding: any CommitEncoding.Type
  /// The members of the state of a new log; empty if it has more than 1,000.
  private let initialMembers: [String]

  /// Those that the state in the file lacks.
  nonisolated(unsafe) private(set) var missingMembers: [String] = []

  /// The options that are in force, on which a replay of later entries depends. Set when the log is
  /// opened.
  nonisolated(unsafe) var options: Value = [:]

  /// The last problem of the file that observers of ``DomainSelector/logName`` know, and what is
  /// called when it has changed. No tuple: a function in one would be wrapped again by each access.
  private struct KnownProblem {
    var message: String?
    var onChange: (@Sendable () -> Void)?
  }

  private let knownProblem = Mutex(KnownProblem())

  /// The number of the last commit that was appended.
  private let lastNumber = Atomic(0)

  /// The number of commits that compactions have taken out before the store could repeat them.
  private let skipped = Atomic(0)

  /// Opens or creates a log.
  ///
  /// - Parameters:
  ///   - domain: The name of the domain; `nil` for a reducer of the program.
  ///   - logged: The options that it says.
  ///   - state: The state of a new log.
  init(
    _ options: LogOptions, _ domain: String?, _ logged: Value,
    _ encoding: any CommitEncoding.Type, _ system: LogSystem,
    state: () throws(EngineError) -> Value
  ) throws(EngineError) {
    self.isReadOnly = options.isReadOnly
    self.author = options.author
    self.defaults = options.defaults
    self.encoding = encoding
    var settings = LogSettings()
    (settings.durability, settings.isReadOnly) = (options.durability, options.isReadOnly)
    (settings.isShared, settings.isAlone) = (options.isShared, options.isAlone)
    (settings.application, settings.version) = (options.application, options.version)
    (settings.domain, settings.options, settings.engine) = (domain, logged, engineVersion)
    (settings.hasThread, settings.watchTimeout) = (system.hasThreads, system.watchTimeout)
    // Encoded before, because a state that cannot be kept must not leave a file.
    let state = try state()
    if let error = state.exceededLimit { throw EngineError(error) }
    self.initialMembers = state.object.count <= 1000 ? state.object.map(\.key) : []
    let base: Value = ["options": logged, "state": state]
    if let timeout = options.timeout { settings.timeout = timeout }
    if options.address != nil { settings.watchTimeout *= 15 }
    if let address = options.address {
      guard logged["optimistic"] == nil else {
        throw EngineError(
          .invalidArgument,
          "options/optimistic: a log that a server keeps has no optimistic updates; open the store "
            + "without this option")
      }
      let driver = try system.driver(for: address)
      let log = try EngineError.catching {
        try DriverLog.open(address, driver, settings, files: system.files) { base }
      }
      (self.storage, self.file, self.driver) = (log, nil, log)
      return
    }
    let file = try EngineError.catching {
      if options.recovers {
        try LogFile.recover(options.path, settings, files: system.files)
      }
      return try LogFile.open(options.path, settings, files: system.files) { base }
    }
    (self.storage, self.file, self.driver) = (file, file, nil)
    let optimistic = self.storage.header.options["optimistic"]?.bool == true
    guard optimistic == (logged["optimistic"]?.bool == true) else {
      throw EngineError(
        .invalidArgument,
        "the log \(quoted(options.path)) was written \(optimistic ? "with" : "without") the option "
          + "\"optimistic\"; open it \(optimistic ? "with" : "without") it")
    }
  }

  /// Opens another log again, or a copy of its file, to read it.
  ///
  /// - Parameter path: That of the copy.
  init(
    reading log: JSONCommitLog, at path: String? = nil, _ encoding: any CommitEncoding.Type
  ) throws {
    self.isReadOnly = true
    self.author = nil
    self.defaults = log.defaults
    self.encoding = encoding
    self.initialMembers = []
    self.storage = try log.storage.openedAgain(at: path)
    (self.file, self.driver) = (self.storage as? LogFile, self.storage as? DriverLog)
  }

  /// The options of a store that a replay depends on, and the schema, so that the file says what
  /// its entries look like.
  static func loggedOptions(_ options: Value) -> Value {
    var logged: [(String, Value)] = []
    if let history = options["history"], history != false { logged.append(("history", history)) }
    if options["optimistic"] == true { logged.append(("optimistic", true)) }
    if let schema = options["schema"] { logged.append(("schema", schema)) }
    return .object(JSONObject(logged))
  }
}

extension JSONCommitLog {
  /// Finds out which members the state of the file lacks. Called while the log is opened.
  func compare(_ state: Value) {
    guard case .object(let found) = state else { return }
    self.missingMembers = self.initialMembers.filter { found[$0] == nil }
  }

  var time: Int64 {
    self.storage.time
  }

  var isShared: Bool {
    self.storage.header.isShared
  }

  var writer: Int {
    self.storage.number
  }

  func beginTurn(in scope: CallScope) throws {
    guard self.file != nil || !scope.isInsideCallback else { throw EngineError.waitsForServer }
    do {
      try self.turns?.beginTurn(in: scope)
    } catch {
      let error = EngineError(error)
      guard [.io, .timeout, .unavailable].contains(error.code) else { throw error }
      if error.code == .io { self.storage.refuse(LogError(.io, error.message)) }
      throw LogRefusal(error, isBehind: false)
    }
  }

  func endTurn() {
    self.turns?.endTurn()
    if !CallScope.isInsideCallback { self.notifyOfProblem() }
  }

  func waitForRoom() throws {
    do {
      try self.storage.waitForRoom()
    } catch {
      throw LogRefusal(error, isBehind: !self.isShared)
    }
  }

  func encode(_ commits: [AnyCommit]) throws -> LogEntry? {
    guard let last = commits.last else { return nil }
    let kind: LogEntry.Kind
    let content: Value
    if let jump = last.jump {
      kind = .jump
      content = jump.logged
    } else {
      kind = .actions
      let encoding = self.encoding
      content = .array(
        JSONArray(
          try commits.map { commit in
            let action = try encoding.action(of: commit)
            try action.checkLimits()
            return action
          }))
    }
    return LogEntry(kind, number: last.number, time: last.time ?? self.time, text: content.utf8JSON)
  }

  func encode(_ text: UnsafeRawBufferPointer, number: Int, time: Int64) -> LogEntry? {
    guard text.isOneLine else { return nil }
    var array: [UInt8] = []
    array.reserveCapacity(text.count + 2)
    array.append(UInt8(ascii: "["))
    array.append(contentsOf: text)
    array.append(UInt8(ascii: "]"))
    return LogEntry(.actions, number: number, time: time, text: array)
  }

  func encode(_ marks: HistoryMarks, number: Int) -> LogEntry {
    LogEntry(.history, number: number, time: self.time, text: marks.logged.utf8JSON)
  }

  var sharesAppends: Bool {
    self.driver != nil
  }

  func append(_ entry: LogEntry) throws {
    if self.driver != nil { return try self.append([entry]) }
    try self.storage.append(
      LineKind(entry.kind), number: entry.number, time: entry.time, data: entry.text)
    self.lastNumber.store(entry.number, ordering: .releasing)
  }

  func append(_ entries: [LogEntry]) throws {
    guard let driver else { return try entries.forEach(self.append) }
    do throws(LogError) {
      try driver.append(
        entries.map {
          LogEntryContent(LineKind($0.kind), number: $0.number, time: $0.time, data: $0.text)
        })
    } catch {
      throw error.code == .moved ? LogMoved(append: driver.lastUnanswered) : error
    }
  }

  func hasArrived(_ append: Int) -> Bool {
    self.driver?.hasArrived(append) == true
  }

  func doubting(_ error: any Error) -> any Error {
    var error = EngineError(error)
    error.code = .timeout
    error.message += "; it is not known whether the log has the action: it may still take effect"
    return error
  }

  /// Makes the store one of the writers of a shared log.
  ///
  /// - Returns: `false` if the log has entries that must be read first.
  func beginWriting(ended: Set<Int>, schema: Value?) throws(LogError) -> Bool {
    do {
      try self.storage.beginWriting(author: self.author, ended: ended, schema: schema)
      return true
    } catch {
      guard error.code == .moved else { throw error }
      return false
    }
  }

  func wait(upTo number: Int?, in scope: CallScope) throws {
    guard !scope.isInsideCallback else { return self.storage.writeSoon() }
    do {
      try self.storage.wait(upTo: number)
    } catch {
      self.notifyOfProblem()
      throw LogFailure(error)
    }
  }

  /// Notes commits for which the store has one that goes to the state after them.
  func noteSkipped(_ count: Int) {
    self.skipped.wrappingAdd(count, ordering: .relaxed)
  }

  var skippedCommits: Int {
    self.skipped.load(ordering: .relaxed)
  }

  /// Sets what is called when the file can no longer be written, or can again.
  func onProblem(_ body: @escaping @Sendable () -> Void) {
    self.knownProblem.withLock { $0.onChange = body }
  }

  /// Calls that function if something has changed. Called without locks.
  func notifyOfProblem() {
    let message = self.storage.problem?.message
    let onChange: (@Sendable () -> Void)? = self.knownProblem.withLock { known in
      guard known.message != message else { return nil }
      known.message = message
      return known.onChange
    }
    onChange?()
  }

  func waitThroughFailures() -> Bool {
    self.storage.waitWhileOpen(upTo: self.lastNumber.load(ordering: .acquiring))
  }
}

extension JSONCommitLog {
  func requireFile() throws(EngineError) -> LogFile {
    guard let file else {
      throw EngineError(
        .invalidArgument, "\(quoted(self.storage.path)) is not a file; this works with files only")
    }
    return file
  }

  /// Where the log ends.
  var end: EntryPlace {
    let position = self.storage.position
    return EntryPlace(number: position.number, time: self.time, offset: position.end)
  }

  /// Closes the file.
  ///
  /// - Returns: The error if something could not be written, and no call has thrown it yet.
  func close() -> EngineError? {
    self.turns?.betweenTurns { self.storage.endReading() }
    guard let failure = self.storage.close(), !self.storage.isProblemKnown else { return nil }
    var error = EngineError(failure)
    let (written, last) = (self.storage.statistics.written, self.storage.position.number)
    error.message +=
      written < last
      ? "; the store was closed, and the commits \(written + 1) to \(last) may be lost"
      : "; the store was closed, and its last commits may not survive a power cut"
    return error
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the text of an action begins and ends with it, and has no line breaks.
  fileprivate var isOneLine: Bool {
    guard self.first == UInt8(ascii: "{"), self.last == UInt8(ascii: "}") else { return false }
    var least = UInt8.max
    for byte in self { least = Swift.min(least, byte) }
    return least >= UInt8(ascii: " ")
  }
}

extension EngineError {
  fileprivate static var waitsForServer: EngineError {
    EngineError(
      .reentrant,
      "a dispatch to a store whose log a server keeps waits for the server, which a callback must "
        + "not; dispatch without waiting, or outside of callbacks")
  }
}

extension LineKind {
  fileprivate init(_ kind: LogEntry.Kind) {
    self =
      switch kind {
      case .actions: .actions
      case .jump: .jump
      case .history: .history
      case .options: .options
      }
  }
}

// MARK: Jumps and marks in the history

extension Jump {
  /// The data of its entry.
  var logged: Value {
    var members: JSONObject = [
      "kind": .string(self.kind.rawValue), "number": .integer(Int64(self.number)),
    ]
    if !self.writers.isEmpty { members["writers"] = .writers(self.writers) }
    return .object(members)
  }

  /// - Parameter logged: The data of an entry.
  init?(logged: Value) {
    guard let kind = logged["kind"]?.string.flatMap(Kind.init),
      let number = logged["number"]?.integer
    else { return nil }
    self.init(kind: kind, number: Int(number), writers: logged.writers("writers"))
  }
}

extension HistoryMarks {
  /// The data of its entry. It says what holds, not what has changed, so that it can be repeated.
  var logged: Value {
    [
      "clean": self.cleanPosition.map { .integer(Int64($0)) } ?? .null,
      "extensible": .bool(self.isExtensible), "groups": .integer(Int64(self.groups)),
    ]
  }

  /// - Parameter logged: The data of an entry.
  /// - Throws: ``EngineError`` for counts that no log has.
  init(logged: Value) throws(EngineError) {
    self.init()
    let isClean = (logged["clean"] ?? .null) != .null
    self.cleanPosition = isClean ? try logged.count("clean") : nil
    self.isExtensible = logged["extensible"]?.bool == true
    self.groups = try logged.count("groups")
  }
}
