import ImmutableJSON

/// Reads all lines of a log, from the first or from where an earlier scan ended, and checks each.
package final class LogScan {
  package let path: String
  private let reader: LineReader
  private var sum: Checksum

  /// Whether the next line is the first or the second, which are no entries.
  private var lines = 0

  /// Whether it begins where an earlier scan ended, and has not found the next line there.
  private var isStale = false

  /// Up to which offset the log was once on the disk.
  private var synced = 0

  /// Where the next line begins.
  package private(set) var end = 0

  init(_ file: any File, path: String, from place: Place = Place()) {
    self.path = path
    self.reader = LineReader(file, from: place.offset)
    (self.sum, self.lines, self.end) = (place.sum, place.offset == 0 ? 0 : 2, place.offset)
    self.isStale = place.offset > 0
  }

  /// - Parameter place: Where an earlier scan of the log was; `nil` for the beginning.
  package convenience init(
    _ path: String, from place: Place? = nil, files: any FileSystem = SystemFiles()
  ) throws(LogError) {
    let path = try files.resolve(path)
    guard let file = try LogFile.open(path, .read, files) else { throw .missing(path) }
    _ = try LogFile.readHeader(file, path)
    self.init(file, path: path, from: place ?? Place())
  }

  /// A place between two lines.
  package struct Place: Equatable, Sendable {
    var offset = 0
    var sum = Checksum()
  }
}

extension LogScan {
  /// The next line; `nil` at the end, or before what a power cut or a writer has left in part.
  ///
  /// - Throws: `corrupt` if a line does not continue the one before, and was once on the disk.
  package func next() throws(LogError) -> LogLine? {
    guard let part = try self.reader.next() else {
      if self.isStale, self.end > (try self.size()) { throw .stalePlace(self.path) }
      guard self.hasBase else {
        throw .damaged(self.path, line: self.lines + 1, offset: self.end, "it is missing")
      }
      return nil
    }
    guard part.isComplete, var line = LogLine(part.bytes), line.follows(self.sum),
      line.hasItsData, self.isExpected(line.kind)
    else {
      guard !self.isStale else { throw .stalePlace(self.path) }
      if self.lines >= 2, try !self.reader.wasOnDisk(part, self.synced) { return nil }
      throw .damaged(
        self.path, line: self.lines + 1, offset: part.offset,
        "it does not continue the line before")
    }
    (line.offset, line.end) = (part.offset, part.end)
    (self.sum, self.end) = (line.sum, part.end)
    self.synced = max(self.synced, line.synced)
    self.lines += 1
    self.isStale = false
    return line
  }

  private func isExpected(_ kind: LineKind) -> Bool {
    switch self.lines {
    case 0: kind == .log
    case 1: kind == .base
    default: kind.isEntry
    }
  }

  /// Whether the first two lines were read.
  var hasBase: Bool {
    self.lines >= 2
  }

  /// Where the scan is.
  package var place: Place {
    Place(offset: self.end, sum: self.sum)
  }

  /// The length of the log.
  package func size() throws(LogError) -> Int {
    try self.reader.file.size()
  }
}

extension LogScan.Place: LosslessStringConvertible {
  /// The place as text, for a program that goes on later.
  package var description: String {
    var digits = self.sum.digitWord
    return withUnsafeBytes(of: &digits) { String(decoding: $0, as: UTF8.self) }
      + String(self.offset)
  }

  package init?(_ description: String) {
    let bytes = Array(description.utf8)
    guard bytes.count > Checksum.digits else { return nil }
    let sum = bytes.withUnsafeBytes { bytes -> Checksum? in
      var scanner = LineScanner(UnsafeRawBufferPointer(rebasing: bytes.prefix(Checksum.digits)))
      return scanner.checksum()
    }
    guard let sum, let offset = Int(description.dropFirst(Checksum.digits)), offset > 0 else {
      return nil
    }
    (self.offset, self.sum) = (offset, sum)
  }
}
