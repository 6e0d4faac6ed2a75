/// What the writers of a shared log have marked in a history, and what they have committed last.
///
/// Groups, joined actions and clean marks belong to one writer. All stores decide about an entry by
/// the marks of its writer, so that all have the same steps.
///
/// It changes as the history that has it. A class, so that a history without one is quick.
package final class WriterMarks: @unchecked Sendable {
  package struct Marks: Sendable {
    package var marks: HistoryMarks
    package var savepoints: [Savepoint] = []

    package init(_ marks: HistoryMarks, _ savepoints: [Savepoint] = []) {
      (self.marks, self.savepoints) = (marks, savepoints)
    }
  }

  /// The writer whose marks the history has at hand, and the writer that is this store.
  package var current = 0
  package var own = 0

  /// The marks of the others.
  package var others: [Int: Marks] = [:]

  /// The newest commits, and the newest of those that have changed the state and are no steps.
  package var commits = NewestCommits()
  package var strays = NewestCommits()

  package init() {}

  func copy() -> WriterMarks {
    let copy = WriterMarks()
    (copy.current, copy.own, copy.others) = (self.current, self.own, self.others)
    (copy.commits, copy.strays) = (self.commits, self.strays)
    return copy
  }
}

/// The newest commit, and the newest one of another writer.
package struct NewestCommits: Sendable {
  package struct Commit: Sendable {
    package var number = 0
    package var writer = 0

    package init() {}
  }

  package var newest = Commit()
  package var other = Commit()

  package init() {}

  mutating func add(_ number: Int, by writer: Int) {
    if writer != self.newest.writer { self.other = self.newest }
    (self.newest.number, self.newest.writer) = (number, writer)
  }

  /// The number of the newest commit of any other writer; 0 if there is none.
  func number(exceptBy writer: Int) -> Int {
    self.newest.writer == writer ? self.other.number : self.newest.number
  }
}

extension History {
  /// Puts the marks of a writer at hand. Called with both locks held.
  ///
  /// A new writer begins without groups, and with what is shown as clean.
  func useMarks(of writer: Int, own: Int) {
    let writers = self.writers ?? WriterMarks()
    writers.own = own
    if writer != writers.current {
      writers.others[writers.current] = WriterMarks.Marks(self.marks, self.savepoints)
      if let found = writers.others.removeValue(forKey: writer) {
        (self.marks, self.savepoints) = (found.marks, found.savepoints)
      } else {
        let view = self.view
        (self.marks, self.savepoints) = (HistoryMarks(), [])
        self.marks.cleanPosition = view.position(at: view.present)
      }
      writers.current = writer
    }
    self.writers = writers
  }

  /// Forgets the marks of writers that have ended. Called with both locks held.
  ///
  /// - Returns: What is to be released without the locks.
  func endWriters(_ numbers: Set<Int>) -> [WriterMarks.Marks] {
    numbers.compactMap { self.writers?.others.removeValue(forKey: $0) }
  }

  /// The writer of the present change.
  var writer: Int {
    self.writers?.current ?? 0
  }

  /// What the program of this store has saved.
  var cleanPosition: Int? {
    guard let writers, writers.current != writers.own else { return self.marks.cleanPosition }
    return writers.others[writers.own]?.marks.cleanPosition
  }

  /// Notes that no more actions join the open step.
  func endJoining() {
    if self.openWriter == self.writer {
      self.marks.isExtensible = false
    } else {
      self.writers?.others[self.openWriter]?.marks.isExtensible = false
    }
  }

  /// Throws if a jump would take back what another writer has committed after a commit.
  ///
  /// - Parameter step: The number of the step that is undone or redone.
  func requireNoStray(after number: Int, _ step: Int) throws(JumpRefusal) {
    guard let writers, writers.strays.number(exceptBy: writers.current) > number else { return }
    throw .otherWriter(step)
  }

  /// Notes what a transaction has committed. Called with both locks held.
  func note(_ change: borrowing StepChange, upTo number: Int) {
    let writer = self.writer
    self.writers?.commits.add(number, by: writer)
    if change.isStray { self.writers?.strays.add(number, by: writer) }
  }
}

extension CommitSequence {
  /// The writers of a shared log that have marks in the history, without the one of the present
  /// change. Called by the thread that repeats the log.
  package var writersWithMarks: Set<Int> {
    self.access.lock()
    defer { self.access.unlock() }
    return self.history?.writers.map { Set($0.others.keys) } ?? []
  }

  /// The writer of the present change.
  var currentWriter: Int {
    self.access.lock()
    defer { self.access.unlock() }
    return self.history?.writer ?? 0
  }

  /// Forgets the marks of writers that have ended. Called with the dispatch lock held.
  func endWriters(_ numbers: Set<Int>) {
    self.access.lock()
    let marks = self.history?.endWriters(numbers)
    self.access.unlock()
    withExtendedLifetime(marks) {}
  }

  /// The writer of a change of a shared log; else 0.
  func writer(of origin: Origin) -> Int {
    let other = origin.writer
    return other > 0 ? other : self.log?.writer ?? 0
  }

  /// Puts the marks of the writer of a change at hand. Called with the dispatch lock held.
  func useMarks(of origin: Origin) {
    guard let history, let log else { return }
    let (own, writer) = (log.writer, self.writer(of: origin))
    guard history.writers?.current != writer || history.writers?.own != own else { return }
    self.access.lock()
    history.useMarks(of: writer, own: own)
    self.access.unlock()
  }
}
