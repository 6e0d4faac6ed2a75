import ImmutableJSON
import StateLog
import TestSupport

/// The number and the data of an entry.
struct Entry: Equatable, Sendable {
  var kind = LineKind.actions
  let number: Int
  let data: String
}

/// A log whose state is the list of the data of its entries.
struct TestLog {
  let log: LogFile
  var state: [String] = []
  var number = 0

  static let path = "x.imd"

  init(
    _ files: any FileSystem, _ path: String = Self.path, _ durability: LogDurability = .normal,
    change: (inout LogSettings) -> Void = { _ in }
  ) throws {
    var settings = LogSettings()
    settings.durability = durability
    settings.hasThread = false
    change(&settings)
    self.log = try LogFile.open(path, settings, files: files) { ["state": []] }
    let start = try self.log.start()
    self.number = start.number
    if case .array(let texts)? = start.data["state"] {
      self.state = texts.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    var (state, number) = (self.state, self.number)
    try self.log.entries { line in
      state.append(String(decoding: line.data, as: UTF8.self))
      number = line.number
    }
    (self.state, self.number) = (state, number)
  }
}

extension TestLog {
  /// Appends an entry, without waiting.
  mutating func append(_ data: String, _ kind: LineKind = .actions) throws {
    self.number += 1
    try self.log.append(kind, self.number, data)
    self.state.append(data)
  }

  /// Appends entries, and waits for them.
  mutating func add(_ range: ClosedRange<Int>) throws {
    for number in range { try self.append("[\(number)]") }
    try self.log.wait(upTo: self.number)
  }

  /// What a snapshot is taken of.
  var snapshot: (position: LogPosition, data: Value) {
    (self.log.position, ["state": .array(JSONArray(self.state.map { .string($0) }))])
  }
}

extension LogFile {
  func append(_ kind: LineKind = .actions, _ number: Int, _ data: String) throws {
    try self.append(kind, number: number, time: 1000, data: Array(data.utf8))
  }
}

/// The error that `body` throws.
func error(_ body: () throws -> Void) -> LogError? {
  do {
    try body()
    return nil
  } catch {
    return error as? LogError
  }
}

func texts(_ range: ClosedRange<Int>) -> [String] {
  range.map { "[\($0)]" }
}
