extension DriverLog {
  /// Removes the entries of a log that no store needs which opens it: those up to its latest
  /// snapshot. Other stores may have it open.
  ///
  /// - Returns: The number of the latest snapshot; 0 if there is none.
  /// - Throws: `missing`; `unavailable`, `refused`.
  package static func trim(
    _ address: LogAddress, _ driver: any LogDriver, files: any FileSystem = SystemFiles()
  ) throws(LogError) -> Int {
    let settings = LogSettings()
    let opening = LogOpening(
      address: address.text, header: [], base: nil, timeout: settings.timeout)
    return try self.open(opening, address, driver, settings, files) {
      calls, answer throws(LogError) in
      defer { calls.close() }
      try calls.requireOpened(answer)
      let snapshot = try calls.call { $0.snapshot($1) }
      if snapshot.outcome == .absent { return 0 }
      guard snapshot.outcome == .done else { throw calls.failure(snapshot) }
      let number = snapshot.place.number
      guard number > 0 else { return 0 }
      let trimmed = try calls.call { $0.trim(to: number, $1) }
      guard trimmed.outcome == .done else { throw calls.failure(trimmed) }
      return number
    }
  }
}
