import ImmutableJSON
import StateEngine
import StateLog

extension SharedSimulation {
  /// All up to an offset is on the disk.
  func noteSafe(_ end: Int) {
    self.safeEnd = max(self.safeEnd, end)
  }

  /// What the log leads to where a store is.
  func place(of program: Program) throws -> LogFold.Place? {
    guard !self.isTorn, let end = program.store?.logFile?.position.end else { return nil }
    try self.readLog()
    guard let place = self.fold.places[end] else {
      throw Failure(message: "\(program.process.process) is at \(end), where no line ends")
    }
    return place
  }

  func readLog() throws {
    let ended = self.fold.ended
    try self.fold.read(self.system.files.content(of: Self.path) ?? [])
    self.system.situations.formUnion(self.fold.situations)
    let living = self.programs.compactMap { program in
      program?.process.isAlive == true ? program?.store?.logFile?.number : nil
    }
    let wrong = self.fold.ended.subtracting(ended).intersection(living)
    try self.require(wrong.isEmpty, "the writers \(wrong) have not ended")
  }

  /// After all programs have ended, or the power was cut.
  func checkAfterRun() throws {
    guard self.failure == nil else { return }
    let content = self.system.files.content(of: Self.path) ?? []
    if self.hasPower { return self.isTorn ? () : try self.readLog() }
    try self.require(
      content.count >= self.safeEnd
        && content.prefix(self.safeEnd) == self.contentBefore.prefix(self.safeEnd),
      "a power cut has left \(content.count) bytes; \(self.safeEnd) were on the disk")
    if content.count < self.contentBefore.count { self.reach(.tailLost) }
    if content.count > self.safeEnd, self.safeEnd > 0 { self.reach(.tailKept) }
    // What was not on the disk may be lost.
    self.acknowledged = self.acknowledged.filter { $0.value <= self.safeEnd }
    self.fold = LogFold(self.initial)
  }

  /// Opens the log a last time.
  func checkAtTheEnd() throws {
    guard self.failure == nil else { return }
    let program = Program(self, 0)
    self.programs[0] = program
    program.process.onCall = {}
    try program.openAtTheEnd()
    try self.require(self.fold.now.changes.isEmpty, "changes of writers that have ended")
    for id in self.acknowledged.keys.sorted() {
      try self.require(self.fold.ends[id] != nil, "\(id) is lost")
    }
    for id in self.refused.sorted() {
      try self.require(self.fold.ends[id] == nil, "\(id) was refused")
    }
    program.end()
  }
}
