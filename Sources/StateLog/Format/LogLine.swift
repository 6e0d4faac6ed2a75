import ImmutableJSON

/// What a line has as its last member, which has the name of the kind.
package enum LineKind: String, Sendable, CaseIterable {
  /// The first line: what kind of log this is.
  case log
  /// The second line: the state from which the log is replayed.
  case base
  /// An action, or those of a batch.
  case actions
  /// A step through the history, or a rollback of changes in flight.
  case jump
  /// A mark in the history, which is no commit.
  case history
  /// Options that a replay depends on, from here on.
  case options
  /// A store that writes to a shared log from here on.
  case opened
  /// The end of a process that closed the log, after all before it was on the disk.
  case closed
  /// The only line of a snapshot.
  case snapshot
  /// In place of an entry that was given up, in a log that a driver keeps.
  case withdrawn
  /// The hash of the state, for all to compare, in a log that a driver keeps.
  case state
}

extension LineKind {
  /// Whether it is a line of a log after the second.
  var isEntry: Bool {
    switch self {
    case .log, .base, .snapshot: false
    case .actions, .jump, .history, .options, .opened, .closed, .withdrawn, .state: true
    }
  }

  /// Whether its number is its own, and not that of the last commit.
  package var isCommit: Bool {
    self == .actions || self == .jump
  }
}

/// A line of a log, or of a snapshot.
///
///     {"sum":"1a2b3c4d","data":"5e6f7081","number":7,"synced":96,"time":1732000000000,"jump":{…}}
///
/// `data` is the checksum of the text of the last member. `sum` is the checksum of the `sum` of the
/// line before and of this line's bytes from `"data"` up to the last member. So the sums are a
/// chain, which stays whole if the text of the last member is redacted.
package struct LogLine {
  package let kind: LineKind

  /// The number of the commit; 0 in the first line.
  package private(set) var number = 0

  /// Up to which offset the file was known to be on the disk when the line was written.
  package private(set) var synced = 0

  /// Milliseconds since 1970.
  package private(set) var time: Int64 = 0

  /// The number of the writer; 0 in a log that is not shared, and in its first two lines.
  package private(set) var writer = 0

  /// The text of the last member, valid as long as the line was passed.
  package private(set) var data = UnsafeRawBufferPointer(start: nil, count: 0)

  /// What the line states.
  private(set) var sum = Checksum()
  private(set) var dataSum = Checksum()

  /// What `sum` covers.
  private(set) var covered = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Of the line of a snapshot.
  private(set) var place: SnapshotPlace?

  /// Where the line begins in the file, and where the next one does.
  package internal(set) var offset = 0
  package internal(set) var end = 0
}

/// What tells an entry from others, whichever file of the log has it.
package struct EntryMark: Equatable, Sendable {
  package let number: Int
  fileprivate let time: Int64
  fileprivate let dataSum: Checksum
}

extension LogLine {
  package var mark: EntryMark {
    EntryMark(number: self.number, time: self.time, dataSum: self.dataSum)
  }

  /// Parses a line, without its line feed, and without a look at its checksums.
  ///
  /// - Returns: `nil` for anything that this module does not write.
  init?(_ text: UnsafeRawBufferPointer) {
    guard text.last == UInt8(ascii: "}") else { return nil }
    self.init(beginning: UnsafeRawBufferPointer(rebasing: text.dropLast()))
  }

  /// Parses the beginning of a line, with as much of its data as is there.
  init?(beginning text: UnsafeRawBufferPointer) {
    guard let sum = Self.statedSum(text) else { return nil }
    self.init(text, sum)
  }

  /// An entry that has no checksums.
  init(_ kind: LineKind, number: Int, time: Int64, writer: Int, data: UnsafeRawBufferPointer) {
    self.kind = kind
    (self.number, self.time, self.writer, self.data) = (number, time, writer, data)
  }

  /// - Parameter sum: In place of what the line states, which may be damaged.
  private init?(_ text: UnsafeRawBufferPointer, _ sum: Checksum) {
    var scanner = LineScanner(text, from: Self.sumEnd)
    guard scanner.skip("\",\"data\":\""), let dataSum = scanner.checksum(), scanner.skip("\",\"")
    else { return nil }
    let (number, synced, time, writer): (Int, Int, Int, Int)
    var place: SnapshotPlace?
    if scanner.skip("number\":") {
      guard let numbers = scanner.commonMembers() else { return nil }
      (number, synced, time, writer) = numbers
      if scanner.skip("origin\":") {
        guard let found = scanner.place(of: number) else { return nil }
        place = found
      }
    } else {
      (number, synced, time, writer) = (0, 0, 0, 0)
    }
    guard let kind = scanner.kind(), (kind == .log) == (scanner.memberCount == 0),
      (kind == .snapshot) == (place != nil)
    else { return nil }
    self.kind = kind
    (self.number, self.synced, self.time, self.writer) = (number, synced, Int64(time), writer)
    (self.sum, self.dataSum, self.place) = (sum, dataSum, place)
    self.covered = UnsafeRawBufferPointer(rebasing: text[(Self.sumEnd + 2)..<scanner.offset])
    self.data = UnsafeRawBufferPointer(rebasing: text[scanner.offset...])
  }

  /// Where the sum ends, which is the first member.
  private static var sumEnd: Int { LogHeader.beginning.utf8.count + Checksum.digits }

  /// What a line states as its sum, also if the rest of it is damaged.
  static func statedSum(_ text: UnsafeRawBufferPointer) -> Checksum? {
    var scanner = LineScanner(text)
    return scanner.skip("{\"sum\":\"") ? scanner.checksum() : nil
  }

  /// The sums that a damaged line may have had: what it states, also after a damaged beginning, and
  /// what follows from its other bytes.
  static func possibleSums(
    _ text: UnsafeRawBufferPointer, after previous: Checksum
  ) -> [Checksum] {
    var scanner = LineScanner(text, from: LogHeader.beginning.utf8.count)
    let line = Self(text, Checksum())
    return [scanner.checksum(), line.map { Self.sum(of: $0.covered, after: previous) }]
      .compactMap { $0 }
  }

  /// The maximum length of a line, so that no file takes more memory than the limits allow. A line
  /// has a state with its history, or the actions of a batch, each of which has its own limit.
  static var limit: Int { 8 * ValueLimits.text + 1 << 20 }

  /// The maximum magnitude of a number, an offset and a time: they have at most 18 digits.
  package static var maxInteger: Int { 999_999_999_999_999_999 }

  /// Whether the line follows one with a sum.
  func follows(_ previous: Checksum) -> Bool {
    self.sum == Self.sum(of: self.covered, after: previous)
  }

  /// The value of the last member.
  ///
  /// - Throws: `corrupt`, although the checksum is right.
  package func value() throws(LogError) -> Value {
    do throws(JSONParseError) {
      return try Value(written: self.data)
    } catch {
      throw LogError(
        .corrupt, "the line at byte " + String(self.offset) + " is no JSON: " + error.description)
    }
  }

  /// Whether the data is a marker in place of what had to be forgotten.
  package var isRedacted: Bool {
    guard self.data.starts(with: LineWriter.redaction.utf8) else { return false }
    return self.data.dropFirst(LineWriter.redaction.utf8.count).allSatisfy { $0 == 0x20 }
  }

  /// Whether the data has its checksum, or is redacted.
  var hasItsData: Bool {
    Checksum(self.data) == self.dataSum || self.isRedacted
  }

  static func sum(of covered: UnsafeRawBufferPointer, after previous: Checksum) -> Checksum {
    var sum = Checksum()
    sum.add(digitsOf: previous)
    sum.add(covered)
    return sum
  }
}
