import ImmutableJSON
import StateEngine
import StateLog

extension SharedSimulation {
  /// All of a file up to an offset is on the disk.
  func noteSafe(_ end: Int, of file: FileIdentity?) {
    self.followRewriting()
    if file == self.file {
      self.safeEnd = max(self.safeEnd, end)
    } else if let index = self.old.firstIndex(where: { $0.file == file }) {
      self.old[index].safeEnd = max(self.old[index].safeEnd, end)
    }
    self.system.trace.add("on the disk up to \(end)", (27, end))
  }

  /// Where an action is that was acknowledged in a file: in what replaces it later, anywhere.
  func noteAcknowledged(_ id: String, _ end: Int, of file: FileIdentity?) {
    self.followRewriting()
    self.acknowledged[id] = file == self.file ? end : 0
  }

  /// How often the log was written anew, while no program had it open, before a file was made.
  func generation(of file: FileIdentity?) -> Int? {
    self.followRewriting()
    if file == self.file { return self.generation }
    return self.old.first { $0.file == file }?.generation
  }

  /// What the log leads to where a store is.
  func place(of program: Program) throws -> LogFold.Place? {
    guard !self.isTorn, let log = program.store?.logFile else { return nil }
    try self.readLog()
    let (end, file) = (log.position.end, log.identity)
    let fold = file == self.file ? self.fold : self.old.first { $0.file == file }?.fold
    guard let place = fold?.places[end] else {
      throw Failure(message: "\(program.process.process) is at \(end), where no line ends")
    }
    return place
  }

  /// The file that has the path of the log.
  var currentFile: FileIdentity? {
    self.system.files.status(of: Self.path)?.identity
  }

  /// What a process writes anew is all that was read until it gets its name.
  ///
  /// - Parameters:
  ///   - path: Its name until then.
  ///   - isOpen: Whether programs have the log open.
  func noteRewriting(_ path: String, isOpen: Bool) throws {
    try self.readLog()
    let content = self.system.files.content(of: path) ?? []
    self.next = (isOpen ? try self.fold.copied(content) : self.fold.compacted, isOpen)
  }

  /// Goes over to a log that was written anew.
  func followRewriting() {
    let file = self.currentFile
    guard file != self.file else { return }
    self.system.trace.add("the log is another file")
    if let next {
      self.old.append(
        Old(
          file: self.file, generation: self.generation, start: self.start, fold: self.fold,
          safeEnd: next.isOpen ? self.safeEnd : self.fold.end, acknowledged: self.acknowledged))
      (self.start, self.fold) = (next.fold, next.fold)
      if !next.isOpen { self.generation += 1 }
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
      let old = self.old[index]
      (self.start, self.safeEnd, self.generation) = (old.start, old.safeEnd, old.generation)
      self.acknowledged = old.acknowledged
      self.contentBefore = content
      self.old.removeSubrange(index...)
    }
    self.file = self.currentFile
    // A copy was on the disk before it got its name.
    self.safeEnd = max(self.safeEnd, self.start.end)
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
