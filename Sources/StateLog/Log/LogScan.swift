import ImmutableJSON

/// Reads the lines of a log one after the other, from the first or from a place, and checks that
/// each continues the one before.
package final class LogScan {
  package let path: String
  let reader: LineReader

  /// After the last line that was read.
  private(set) var position = LogPosition()

  /// Up to which offset the log was once on the disk.
  var synced = 0

  /// The largest number of a writer.
  var lastWriter = 0

  /// The last entry that was read, except those that say that a log was closed.
  private(set) var lastEntry: EntryMark?

  /// The first entry that was read, except those of stores that begin to write.
  private(set) var first: EntryPlace?

  /// How many of the first two lines were read, which are no entries.
  private var heads = 0

  /// Where an earlier scan ended, if it begins there and has not found the next line.
  private var start: Place?

  /// The number of the last entry, and how many with that were read.
  private var last = (number: 0, count: 0)

  init(_ file: any File, path: String) {
    (self.reader, self.path) = (LineReader(file, path: path), path)
  }

  /// - Parameter place: Where an earlier scan of the log was; `nil` for the beginning.
  package convenience init(
    _ path: String, from place: Place? = nil, files: any FileSystem = SystemFiles()
  ) throws(LogError) {
    let path = try files.resolve(path)
    guard let file = try LogFile.open(path, .read, files) else { throw .missing(path) }
    _ = try LogFile.readHeader(file, path)
    self.init(file, path: path)
    guard let place else { return }
    self.goOn(after: LogPosition(end: place.offset, sum: place.sum))
    (self.start, self.last) = (place, (place.number, place.count))
  }

  /// A place between two lines: behind an entry with a number, or the last one of so many that have
  /// it.
  package struct Place: Equatable, Sendable {
    let offset: Int
    let sum: Checksum
    let number: Int
    let count: Int
  }
}

extension LogScan {
  /// Goes on after a line.
  ///
  /// - Parameter heads: How many of the first two lines are before that.
  func goOn(after position: LogPosition, heads: Int = 2) {
    if self.reader.offset != position.end { self.reader.move(to: position.end) }
    (self.position, self.heads) = (position, heads)
  }

  /// Forgets what is in memory after the last line: what a writer had left in part there may have
  /// been cut since, and other lines written in its place.
  func readAnew() {
    self.reader.move(to: self.end)
  }

  /// The next line; `nil` at the end, or before what a power cut or a writer has left in part. A
  /// further call tries again there.
  ///
  /// - Throws: `corrupt` if a line does not continue the one before, and was once on the disk.
  package func next() throws(LogError) -> LogLine? {
    try self.next(isRepeated: false)
  }

  /// - Parameter isRepeated: Whether the line was already read, and seemed to be damaged.
  private func next(isRepeated: Bool) throws(LogError) -> LogLine? {
    guard let part = try self.reader.next() else {
      if let start, self.end > (try self.size()) { return try self.find(start) }
      guard self.hasBase else { throw try self.damaged(self.end, "it is missing") }
      return nil
    }
    guard let line = self.nextLine(part) else {
      if let start { return try self.find(start) }
      guard self.hasBase, try !self.wasOnDisk(part) else {
        // It may have been read while it was being written, and the next lines afterwards.
        if !isRepeated {
          self.reader.move(to: self.end)
          return try self.next(isRepeated: true)
        }
        throw try self.damaged(part.offset, "it does not continue the line before")
      }
      self.reader.move(to: self.end)
      return nil
    }
    let end = LogPosition(number: 0, start: part.offset, end: part.end, sum: line.sum)
    // The beginning may be that of another line, which was cut.
    if part.isJoined, try !self.reader.file.hasLine(at: end) {
      self.reader.move(to: self.end)
      return nil
    }
    self.synced = max(self.synced, line.synced)
    self.lastWriter = max(self.lastWriter, line.writer)
    // Records of what the base contains have smaller numbers.
    let number = line.kind == .base ? 0 : line.number
    self.position = LogPosition(number: number, start: part.offset, end: part.end, sum: line.sum)
    self.heads = min(self.heads + 1, 2)
    self.start = nil
    if line.kind.isEntry {
      if line.kind != .closed { self.lastEntry = line.mark }
      if self.first == nil, line.kind != .opened, line.kind != .closed {
        self.first = EntryPlace(line)
      }
      self.last = (line.number, line.number == self.last.number ? self.last.count + 1 : 1)
    }
    return line
  }

  /// The line after a place in a file that was written anew since: entries keep their numbers and
  /// their order.
  private func find(_ place: Place) throws(LogError) -> LogLine? {
    self.start = nil
    self.last = (0, 0)
    self.goOn(after: LogPosition(), heads: 0)
    while let line = try self.next() {
      if line.kind.isEntry, self.last > (place.number, place.count) { return line }
    }
    return nil
  }

  /// The line in a part of the file, if it is whole and continues the chain.
  private func nextLine(_ part: LineReader.Part) -> LogLine? {
    guard part.isComplete, var line = LogLine(part.bytes), line.follows(self.position.sum),
      line.hasItsData, line.synced <= part.offset
    else { return nil }
    (line.offset, line.end) = (part.offset, part.end)
    let isNext =
      switch self.heads {
      case 0: line.kind == .log
      case 1: line.kind == .base
      default: line.kind.isEntry && self.continues(line)
      }
    return isNext ? line : nil
  }

  private func continues(_ line: LogLine) -> Bool {
    line.kind.isCommit ? line.number > self.position.number : line.number >= self.position.number
  }

  /// Whether the log was once on the disk beyond the offset where a part begins. Any line says how
  /// far it was, also one behind the damage, if it follows the damaged line or the line before it.
  /// Moves to the end.
  private func wasOnDisk(_ part: LineReader.Part) throws(LogError) -> Bool {
    if self.synced > part.offset { return true }
    let offset = part.offset
    let damaged = LogLine.possibleSums(part.bytes, after: self.position.sum)
    let search = ByteSearch(LogHeader.beginning.utf8)
    var previous: Checksum?
    var rest: LineReader.Part? = part
    while let part = rest {
      // Not only at its beginning: if its line feed is damaged, a line has the next one in it.
      let found = search.end(in: part.bytes.assumingMemoryBound(to: UInt8.self)) { end in
        let start = end - search.pattern.count
        guard part.offset + start > offset else { return false }
        let bytes = UnsafeRawBufferPointer(rebasing: part.bytes[start...])
        defer { previous = LogLine.statedSum(bytes) ?? previous }
        guard let line = LogLine(bytes), line.synced > offset else { return false }
        return damaged.contains(where: line.follows) || previous.map(line.follows) == true
      }
      if found != nil { return true }
      rest = try self.reader.next()
    }
    return false
  }

  /// The error about an offset of the log. Moves elsewhere.
  func damaged(_ offset: Int, _ problem: String) throws(LogError) -> LogError {
    self.reader.move(to: 0)
    var line = 1
    while let part = try self.reader.next(), part.end <= offset {
      if part.isComplete { line += 1 }
    }
    return .damaged(self.path, line: line, offset: offset, problem)
  }

  /// Whether the first two lines were read.
  var hasBase: Bool {
    self.heads == 2
  }

  /// Where the next line begins.
  package var end: Int {
    self.position.end
  }

  /// Where the scan is.
  package var place: Place {
    Place(
      offset: self.end, sum: self.position.sum, number: self.last.number, count: self.last.count)
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
      + [self.offset, self.number, self.count].map { String($0) }.joined(separator: "-")
  }

  package init?(_ description: String) {
    let bytes = Array(description.utf8)
    guard bytes.count > Checksum.digits else { return nil }
    let sum = bytes.withUnsafeBytes { bytes -> Checksum? in
      var scanner = LineScanner(UnsafeRawBufferPointer(rebasing: bytes.prefix(Checksum.digits)))
      return scanner.checksum()
    }
    let numbers = description.dropFirst(Checksum.digits).split(separator: "-").map { Int($0) ?? -1 }
    guard let sum, numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }), numbers[0] > 0 else {
      return nil
    }
    self.init(offset: numbers[0], sum: sum, number: numbers[1], count: numbers[2])
  }
}
