import ImmutableJSON

extension DriverLog {
  /// Opens a log of a driver, or makes it if there is none.
  ///
  /// - Parameter base: Returns the base of a new log.
  package static func open(
    _ address: LogAddress, _ driver: any LogDriver, _ settings: LogSettings,
    files: any FileSystem = SystemFiles(), base: () throws(LogError) -> Value
  ) throws(LogError) -> DriverLog {
    let header = LogHeader(
      application: settings.application, domain: settings.domain, version: settings.version,
      origin: LogHeader.origin(files.randomBits(128)), engine: settings.engine,
      options: settings.options, isShared: true)
    let newBase: [UInt8]?
    if settings.isReadOnly {
      newBase = nil
    } else {
      let data = try base().withJSON { Array($0) }
      newBase = EntryText.make(.base, number: 0, time: files.time, data)
    }
    let opening = LogOpening(
      address: address.text, header: header.value.withJSON { Array($0) }, base: newBase,
      timeout: settings.timeout)
    return try self.open(opening, address, driver, settings, files) {
      calls, answer throws(LogError) in
      DriverLog(
        calls, try Self.header(answer, of: calls, settings), address, driver, settings, files)
    }
  }

  /// Opens a log, and passes its calls on.
  ///
  /// - Parameter body: Takes the calls and the answer. If it throws, the log is closed.
  static func open<Result>(
    _ opening: LogOpening, _ address: LogAddress, _ driver: any LogDriver, _ settings: LogSettings,
    _ files: any FileSystem, _ body: (DriverCalls, LogAnswer) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    let (state, call) = (DriverState(), LogCall())
    let connection = driver.open(opening) {
      state.noteChange(to: $0)
    } _: {
      call.resolve($0)
    }
    let calls = DriverCalls(connection, address.name, state, settings, files)
    do {
      return try body(calls, call.wait())
    } catch {
      calls.close()
      throw error
    }
  }

  package func openedAgain(at path: String?) throws(LogError) -> any LogStorage {
    try Self.open(self.address, self.driver, self.settings.reading, files: self.files) {
      () throws(LogError) in .null
    }
  }

  /// The header of a log that was opened.
  private static func header(
    _ answer: LogAnswer, of calls: DriverCalls, _ settings: LogSettings
  ) throws(LogError) -> LogHeader {
    try calls.requireOpened(answer)
    guard let value = answer.text.withUnsafeBytes({ try? Value(written: $0) }),
      let header = LogHeader(value),
      header.isShared
    else {
      throw .foreign(calls.name, "its header is of another format")
    }
    try header.check(settings, calls.name)
    calls.state.with { $0.head = answer.head.number }
    return header
  }

  package func start(usesSnapshot: Bool) throws(LogError) -> LogStart {
    let answer = try self.calls.call { $0.snapshot($1) }
    guard answer.outcome == .done else { throw self.calls.failure(answer) }
    let start = answer.text.withUnsafeBytes { text -> LogStart? in
      guard let line = LogLine(entry: text), line.kind == .base || line.kind == .snapshot,
        let data = try? line.value()
      else { return nil }
      return LogStart(number: line.number, time: line.time, data: data)
    }
    guard let start else { throw .foreign(self.path, "its snapshot is of another format") }
    (self.place, self.commits) = (answer.place, start.number)
    self.snapshots.withLock { $0.restart(at: answer.place.number, size: answer.text.count) }
    self.state.with { $0.place = answer.place.number }
    self.clock.note(start.time)
    return start
  }
}
