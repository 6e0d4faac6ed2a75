extension History {
  /// The history without changes that were rolled back. Calls `rewrite` with each commit of each
  /// step, oldest first.
  ///
  /// - Parameters:
  ///   - start: The number of the commit that began the oldest of the changes.
  ///   - rewrite: Returns the commit without the changes; `nil` if nothing is left of it.
  ///   - rewriteState: Returns a commit without an action.
  func rewritten(
    since start: Int, _ rewrite: (AnyCommit) throws -> AnyCommit?,
    savepoint rewriteState: (AnyCommit) throws -> AnyCommit
  ) rethrows -> History {
    let old = self.content
    var content = old
    (content.steps, content.present) = ([], 0)
    // What was saved shows a change.
    content.marks.endClean(since: start)
    for (index, step) in old.steps.enumerated() {
      guard let rewritten = step.replacing(try step.commits.compactMap(rewrite)) else { continue }
      content.steps.append(rewritten)
      if index < old.present { content.present += 1 }
    }
    content.open = try old.open.flatMap { $0.replacing(try $0.commits.compactMap(rewrite)) }
    if content.open == nil { content.marks.isExtensible = false }
    content.savepoints = try old.savepoints.map {
      Savepoint(level: $0.level, commit: try rewriteState($0.commit))
    }
    // The groups of other writers can no longer be cancelled.
    content.writers?.endClean(since: start)
    return History(self.policy, content)
  }
}

extension WriterMarks {
  fileprivate func endClean(since number: Int) {
    for writer in self.others.keys { self.others[writer]?.marks.endClean(since: number) }
  }
}

extension HistoryMarks {
  fileprivate mutating func endClean(since number: Int) {
    self.cleanPosition = self.cleanPosition.flatMap { $0 < number ? $0 : nil }
  }
}
