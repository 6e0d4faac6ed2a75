import ImmutableJSON

extension LogFile {
  /// Reads the first line.
  static func readHeader(_ file: any File, _ path: String) throws(LogError) -> OpenedFile {
    let scan = LogScan(file, path: path)
    guard let part = try scan.reader.next() else { throw .foreign(path, "it is empty") }
    guard part.isComplete, part.bytes.starts(with: LogHeader.beginning.utf8) else {
      throw .foreign(path, "it does not begin as one")
    }
    guard let line = LogLine(part.bytes), line.kind == .log, line.follows(Checksum()),
      line.hasItsData, let value = try? line.value()
    else {
      throw .damaged(path, line: 1, offset: 0, "its checksum is wrong")
    }
    if case .integer(let format)? = value["format"], format > LogHeader.sharedFormat {
      throw LogError(
        .corrupt,
        quotedPath(path) + " has format " + String(format) + ", but this library reads format "
          + String(LogHeader.sharedFormat) + "; use a newer version of the library")
    }
    guard let header = LogHeader(value) else {
      throw .damaged(path, line: 1, offset: 0, "a member is missing")
    }
    scan.goOn(after: LogPosition(end: part.end, sum: line.sum), heads: 1)
    return OpenedFile(scan: scan, header: header)
  }
}

extension LogHeader {
  /// The first bytes of a log.
  static var beginning: String { "{\"sum\":\"" }

  /// Checks that the log belongs to the program that opens it.
  func check(_ settings: LogSettings, _ path: String) throws(LogError) {
    if settings.isShared != self.isShared, !settings.isReadOnly, !settings.isAlone {
      throw LogError(
        .invalid,
        quotedPath(path)
          + (self.isShared
            ? " is a shared log; open it with \"shared\": true"
            : " is not a shared log; open it without \"shared\""))
    }
    if let application = settings.application, application != self.application {
      throw .other(
        path, "the application", self.application.map(quoted) ?? "without a name",
        quoted(application))
    }
    if settings.domain != self.domain {
      throw .other(
        path, "the domain", self.domain.map(quoted) ?? "of a program's own reducer",
        settings.domain.map(quoted) ?? "a program's own reducer")
    }
    if settings.version != self.version {
      let remedy =
        settings.version > self.version ? "migrate it first" : "use a newer version of the program"
      throw LogError(
        .invalid,
        quotedPath(path) + " has the version " + String(self.version) + ", but the program has "
          + String(settings.version) + "; " + remedy)
    }
  }
}

extension LogError {
  fileprivate static func other(
    _ path: String, _ noun: String, _ found: String, _ expected: String
  ) -> Self {
    Self(
      .invalid,
      quotedPath(path) + " is a log of " + noun + " " + found + ", not " + expected)
  }
}
