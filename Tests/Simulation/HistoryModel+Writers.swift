import ImmutableJSON

// A log that several stores have written: each entry is of one of them.

extension HistoryModel {
  /// Puts the marks of a writer at hand. A new one begins with what is shown as clean.
  mutating func use(_ writer: Int) {
    guard writer != self.writer else { return }
    self.others[self.writer] = Marks(clean: self.clean, savepoints: self.savepoints)
    let found = self.others.removeValue(forKey: writer)
    self.clean = found.map(\.clean) ?? self.position
    self.savepoints = found?.savepoints ?? []
    self.writer = writer
  }

  mutating func endWriters(_ writers: Set<Int>) {
    for writer in writers { self.others[writer] = nil }
  }

  /// Rolls back what writers that have ended have left in flight; all of it if none is named.
  mutating func rollBack(of writers: Set<Int>) {
    var commits: [Recorded] = []
    let changes = self.changes.filter { writers.isEmpty || writers.contains($0.writer) }
    if !changes.isEmpty {
      self.changes.removeAll { writers.isEmpty || writers.contains($0.writer) }
      self.rollBack(changes, &commits)
    }
    self.number += 1
  }

  /// Writes the log anew: the groups of all writers end, and all marks but those at hand.
  mutating func compact() {
    let current = self.writer
    for writer in self.others.keys.sorted() + [current] {
      self.use(writer)
      while self.groups > 0 { _ = self.perform(.endGroup) }
    }
    self.others = [:]
  }

  /// Repeats a jump of a log.
  ///
  /// - Returns: `nil` if the history has no such step.
  func operation(of jump: Value) -> Operation? {
    guard let kind = jump["kind"], case .integer(let number)? = jump["number"] else { return nil }
    if kind == "cancelled" { return .cancelGroup }
    if kind == "traveled" { return .travel(Int(number)) }
    var shown = self
    shown.dropLastIfUnchanged()
    let found = shown.steps.firstIndex { $0.number == number }.map { $0 + 1 }
    guard let index = number == self.base ? 0 : found else { return nil }
    return kind == "undone" ? .undo(shown.present - index) : .redo(index - shown.present)
  }

  /// Repeats what a writer has marked.
  mutating func mark(_ marks: Value) {
    guard case .integer(let groups)? = marks["groups"] else { return }
    while self.groups < groups { _ = self.perform(.beginGroup) }
    while self.groups > groups { _ = self.perform(.endGroup) }
    self.clean = if case .integer(let clean)? = marks["clean"] { Int(clean) } else { nil }
  }
}
