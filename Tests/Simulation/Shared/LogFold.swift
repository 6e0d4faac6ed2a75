import ImmutableJSON

/// What a file of a shared log leads to, without the library: its lines, as JSON text, repeated by
/// a ``HistoryModel``.
struct LogFold {
  /// What the log leads to up to a line.
  struct Place {
    let end: Int
    let model: HistoryModel
    /// How many elements a stream has got.
    let streamed: Int
  }

  /// What is wrong with a log.
  struct Problem: Error {
    let message: String
  }

  private var model: HistoryModel
  private(set) var places: [Int: Place] = [:]
  /// Where the lines that were read end, and the last of them.
  private(set) var end = 0
  private var last: ArraySlice<UInt8> = []
  private var lines = 0
  private var time: Int64 = .min
  /// The number of the base.
  private var base = 0
  /// The lines after it.
  private var entries: [Value] = []
  /// The actions in the order of the log, as a stream gets them: identifiers; empty for a jump.
  private(set) var stream: [String] = []
  /// Where the entry with an action ends.
  private(set) var ends: [String: Int] = [:]
  /// The last action of each process, and the process of each writer.
  private var lastActions: [Int: Int] = [:]
  private var processes: [Int: Int] = [:]
  private var opened: Set<Int> = []
  /// The writers whose lines the log may still have, if it was written anew.
  private var kept: Set<Int> = []
  /// The writers that were declared to have ended.
  private(set) var ended: Set<Int> = []
  /// What has happened in the log.
  private(set) var situations: Set<Situation> = []

  init(_ initial: HistoryModel) {
    self.model = initial
  }
}

extension LogFold {
  /// The log as far as it was read.
  var now: HistoryModel {
    self.model
  }

  /// A log that is written anew, whose base has all that was read.
  var compacted: Self {
    var next = self
    next.model.compact()
    (next.places, next.end, next.last, next.lines, next.time) = ([:], 0, [], 0, .min)
    next.entries = []
    next.kept = next.opened
    next.ends = next.ends.mapValues { _ in 0 }
    return next
  }

  /// A log that was written anew while it is open: its base has what a part of the entries led to,
  /// and all that follow are there.
  func copied(_ content: [UInt8]) throws -> Self {
    var lines: [Value] = []
    for line in content.split(separator: UInt8(ascii: "\n")) {
      lines.append(try Value(json: String(decoding: line, as: UTF8.self)))
    }
    let base = lines.count > 1 ? lines[1] : .null
    guard content.last == UInt8(ascii: "\n"), let number = base["number"]?.number else {
      throw Problem(message: "a log that was written anew has no base")
    }
    let isKnown = self.places.values.contains {
      $0.model.number == number && $0.model.state == base["base"]?["state"]
    }
    guard isKnown else { throw Problem(message: "the base \(number) is none of the states") }
    func later(_ entries: some Sequence<Value>) -> [Value] {
      entries.filter { $0["number"]?.number ?? 0 > number }.map(\.withoutSums)
    }
    guard later(lines.dropFirst(2)) == later(self.entries) else {
      throw Problem(message: "a log that was written anew has other entries after \(number)")
    }
    var next = self
    (next.base, next.lines, next.end) = (number, lines.count, content.count)
    let last = content.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    next.last = content[last...]
    next.places = [
      next.end: Place(end: next.end, model: self.model, streamed: self.stream.count)
    ]
    next.entries = lines.dropFirst(2).filter { $0["closed"] == nil }
    next.ends = self.ends.mapValues { _ in 0 }
    return next
  }

  /// Reads what is new.
  mutating func read(_ content: [UInt8]) throws {
    guard content.count >= self.end,
      content[(self.end - self.last.count)..<self.end].elementsEqual(self.last)
    else { throw Problem(message: "the log is no longer what it was before byte \(self.end)") }
    while let feed = content[self.end...].firstIndex(of: UInt8(ascii: "\n")) {
      self.last = content[self.end...feed]
      self.end = feed + 1
      try self.read(Value(json: String(decoding: self.last, as: UTF8.self)))
      self.places[self.end] = Place(
        end: self.end, model: self.model, streamed: self.stream.count)
    }
  }

  private mutating func read(_ line: Value) throws {
    self.lines += 1
    if self.lines == 1 { return try self.require(line["log"] != nil, "no header") }
    if line["closed"] != nil { return }
    let number = line["number"]?.number ?? 0
    let time = Int64(line["time"]?.number ?? 0)
    if self.lines == 2 {
      try self.require(line["base"] != nil && number == self.model.number, "no base")
      (self.time, self.base) = (time, number)
      return
    }
    // What a base has may still be there, as a record.
    let isCommit = line["actions"] != nil || line["jump"] != nil
    if number < self.base || isCommit && number == self.base { return }
    try self.require(time >= self.time || number == self.base && self.base > 0, "a time set back")
    self.time = max(self.time, time)
    self.entries.append(line)
    let writer = line["writer"]?.number ?? 0
    self.model.use(writer)
    if let actions = line["actions"]?.list {
      try self.dispatch(actions, by: writer)
    } else if let jump = line["jump"] {
      try self.repeatJump(jump)
    } else if let marks = line["history"] {
      self.model.mark(marks)
    } else if let opened = line["opened"] {
      let isNew = self.opened.insert(writer).inserted || self.kept.remove(writer) != nil
      try self.require(isNew, "the writer \(writer) twice")
      let ended = Set((opened["ended"]?.list ?? []).compactMap(\.number))
      if ended.contains(where: { self.model.others[$0]?.savepoints.isEmpty == false }) {
        self.situations.insert(.groupOfEnded)
      }
      self.model.endWriters(ended)
      self.ended.formUnion(ended)
    } else {
      throw Problem(message: "line \(self.lines) is of no kind")
    }
    try self.require(number == self.model.number, "the number \(number)")
  }

  private mutating func dispatch(_ actions: [Value], by writer: Int) throws {
    _ = self.model.perform(actions.count > 1 ? .batch(actions) : .dispatch(actions[0]))
    for action in actions {
      guard let id = action["meta"]?["id"]?.text else {
        throw Problem(message: "an action without an identifier")
      }
      try self.require(self.ends[id] == nil, "\(id) twice")
      self.ends[id] = self.end
      self.stream.append(id)
      let parts = id.split(separator: "-").compactMap { Int($0) }
      let process = self.processes[writer] ?? parts[0]
      self.processes[writer] = process
      try self.require(process == parts[0], "\(id) by the writer of \(process)")
      try self.require(self.lastActions[process] ?? -1 < parts[1], "\(id) too late")
      self.lastActions[process] = parts[1]
    }
  }

  private mutating func repeatJump(_ jump: Value) throws {
    self.stream.append("")
    if jump["kind"] == "rolledBack" {
      let writers = Set((jump["writers"]?.list ?? []).compactMap(\.number))
      self.ended.formUnion(writers)
      if self.model.changes.contains(where: { writers.contains($0.writer) }) {
        self.situations.insert(.endedRolledBack)
        if self.model.changes.contains(where: { !writers.contains($0.writer) }) {
          self.situations.insert(.livingInFlight)
        }
      }
      return self.model.rollBack(of: writers)
    }
    guard let operation = self.model.operation(of: jump) else {
      throw Problem(message: "line \(self.lines): an unknown step: \(jump)")
    }
    _ = self.model.perform(operation)
  }

  private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw Problem(message: "line \(self.lines): \(message())") }
  }
}

extension Value {
  /// A line without what depends on its place in a file.
  fileprivate var withoutSums: Value {
    guard case .object(var members) = self else { return self }
    for name in ["sum", "synced"] { members[name] = nil }
    return .object(members)
  }

  fileprivate var number: Int? {
    if case .integer(let number) = self { Int(number) } else { nil }
  }

  fileprivate var list: [Value]? {
    if case .array(let list) = self { Array(list) } else { nil }
  }

  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}
