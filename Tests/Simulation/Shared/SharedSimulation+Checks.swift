import ImmutableJSON
import StateEngine
import StateLog

extension SharedSimulation {
  /// All up to an offset is on the disk.
  func noteSafe(_ end: Int) {
    self.safeEnd = max(self.safeEnd, end)
    self.system.trace.add("on the disk up to \(end)", (27, end))
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

  /// The file that has the path of the log.
  var currentFile: FileIdentity? {
    self.system.files.status(of: Self.path)?.identity
  }

  /// What a process writes anew is all that was read until it gets its name.
  func noteRewriting() throws {
    try self.readLog()
    self.next = self.fold.compacted
  }

  /// Goes over to a log that was written anew.
  func followRewriting() {
    let file = self.currentFile
    guard file != self.file else { return }
    self.system.trace.add("the log is another file")
    if let next {
      self.old.append((self.file, self.start, self.fold.end))
      (self.start, self.fold) = (next, next)
      self.next = nil
      self.safeEnd = 0
      self.acknowledged = self.acknowledged.mapValues { _ in 0 }
    }
    self.file = file
  }

  func readLog() throws {
    self.followRewriting()
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
    if let index = self.old.lastIndex(where: { $0.file == self.currentFile && $0.file != nil }) {
      try self.require(self.safeEnd == 0, "a log is back whose successor was on the disk")
      self.reach(.sharedLogBack)
      (self.start, self.safeEnd) = (self.old[index].start, self.old[index].end)
      self.contentBefore = content
      self.old.removeSubrange(index...)
    }
    self.file = self.currentFile
    try self.require(
      content.count >= self.safeEnd
        && content.prefix(self.safeEnd) == self.contentBefore.prefix(self.safeEnd),
      "a power cut has left \(content.count) bytes; \(self.safeEnd) were on the disk")
    if content.count < self.contentBefore.count { self.reach(.tailLost) }
    if content.count > self.safeEnd, self.safeEnd > 0 { self.reach(.tailKept) }
    // What was not on the disk may be lost.
    self.acknowledged = self.acknowledged.filter { $0.value <= self.safeEnd }
    (self.fold, self.next) = (self.start, nil)
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
