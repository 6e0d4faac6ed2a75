extension History {
  /// What a dispatch changes. Afterwards, it holds a step that can no longer be reached, to be
  /// released without the locks.
  struct StepChange {
    fileprivate var step: HistoryStep?
    fileprivate var extends = false
    /// Whether nothing is left of the open step, which it extends.
    fileprivate var cancelsOut = false
    /// Replaces the last commit of the step that is extended.
    fileprivate var replacement: AnyCommit?
    /// How many bytes the step before keeps alive, if actions have joined it.
    fileprivate var lastBytes: Int?
    /// How many of the oldest steps exceed a limit.
    fileprivate var excess = 0
    /// Whether it changes the state, and is no step.
    fileprivate(set) var isStray = false
  }

  /// Decides what an action or a batch changes.
  ///
  /// - Parameters:
  ///   - rest: The other commits of a batch.
  ///   - change: An empty one.
  func decide(_ first: AnyCommit, _ rest: [AnyCommit], _ change: inout StepChange) {
    let last = rest.last ?? first
    let isInFlight = last.context?.inFlight != nil
    guard self.hasNetChange(first, last, isInFlight) else { return }
    guard self.hasStep(first, rest) else {
      change.isStray = true
      return
    }
    var refusal: String?
    if let refuse = self.policy.refusal {
      refusal = refuse(first) ?? rest.lazy.compactMap(refuse).first
    }
    var step = HistoryStep(first, rest, refusal: refusal)
    if let open, self.isJoined(open, by: step) {
      change.extends = true
      // A group may still change until it ends.
      change.cancelsOut = self.marks.groups == 0 && !self.hasNetChange(open.first, last, isInFlight)
      change.replacement =
        self.keepsLast(of: open)
        ? nil : open.lastWithoutStates(before: first, self.policy.haveSameType)
    } else {
      self.limit(&change, &step)
    }
    change.step = step
  }

  /// Whether one of the actions is a step, if all of them together have changed the state.
  private func hasStep(_ first: AnyCommit, _ rest: [AnyCommit]) -> Bool {
    guard !rest.isEmpty else { return self.policy.isStep(first) }
    return ([first] + rest).contains { self.policy.isStep($0) && self.policy.hasChanged($0, $0) }
  }

  /// Whether the state before a commit differs from the one after another.
  ///
  /// - Parameter isInFlight: Whether optimistic updates are. Then several commits count as a
  ///   change, because a rollback may leave some of them.
  func hasNetChange(_ first: AnyCommit, _ last: AnyCommit, _ isInFlight: Bool) -> Bool {
    if first === last { return self.policy.hasChanged(first, last) }
    if isInFlight { return true }
    return self.policy.hasChanged(first, last) && self.policy.differs?(first, last) != false
  }

  /// How many actions join in one step, so that it does not grow for ever. A group that the program
  /// has begun may have more.
  private static var maxJoined: Int { 4096 }

  private func isJoined(_ open: HistoryStep, by step: HistoryStep) -> Bool {
    guard self.openWriter == self.writer else { return false }
    if self.marks.groups > 0 { return true }
    guard let joins = self.policy.joins, !step.isBatch, !open.isBatch,
      open.count < Self.maxJoined, open.last.number != self.marks.cleanPosition
    else { return false }
    return joins(open.last, step.first)
  }

  /// Whether others may join a new step, or take it back.
  private func staysOpen(_ step: HistoryStep) -> Bool {
    self.marks.groups > 0 || self.policy.joins != nil && !step.isBatch
  }

  /// Finds which steps exceed a limit with a new one.
  private func limit(_ change: inout StepChange, _ step: inout HistoryStep) {
    let view = self.view
    let present = view.present
    change.excess = max(present + 1 - self.policy.limit, 0)
    guard let limit = self.policy.bytes, let size = self.policy.size else { return }
    step.bytes = Self.clamped(size(step.first, step.last))
    var bytes = self.bytes + step.bytes
    if let last = view[present - 1], !last.isBatch, last.count > 1 {
      let lastBytes = Self.clamped(size(last.first, last.last))
      bytes += lastBytes - last.bytes
      change.lastBytes = lastBytes
    }
    for index in 0..<present where bytes > limit || index < change.excess {
      change.excess = max(change.excess, index + 1)
      let isLast = index == present - 1
      bytes -= (isLast ? change.lastBytes : nil) ?? view[index]?.bytes ?? 0
    }
  }

  /// A size that can be added up.
  static func clamped(_ size: Int) -> Int {
    max(0, min(size, 1 << 40))
  }

  /// The history after commits, for one of them.
  func status(after change: StepChange, in commit: AnyCommit) -> HistoryStatus {
    guard let step = change.step else { return self.status }
    if change.cancelsOut { return StepView(self, open: nil).status(undo: self.settled) }
    var status = HistoryStatus()
    status.undo = self.settled + (self.open == nil || change.extends ? 1 : 2) - change.excess
    status.isClean = false
    if change.extends {
      status.undoCommit = self.open?.first
    } else if step.number != commit.number {
      status.undoCommit = step.first
    }
    return status
  }

  /// Records what a transaction changes. Called with both locks held.
  ///
  /// - Parameter transaction: Gets what can no longer be reached, to be released without the locks.
  func record(_ transaction: inout Transaction) {
    if self.writers != nil, let last = transaction.rest.last ?? transaction.first {
      self.note(transaction.step, upTo: last.number)
    }
    if let jump = transaction.jump {
      self.record(jump, &transaction.aftermath)
    } else if let marks = transaction.marks {
      self.use(marks, &transaction.aftermath)
    } else {
      self.record(&transaction.step, &transaction.aftermath)
    }
  }

  private func record(_ change: inout StepChange, _ aftermath: inout Aftermath) {
    guard let step = change.step.take() else { return }
    guard !change.cancelsOut else {
      change.step = step
      return self.dropOpen(&aftermath)
    }
    // The history gives the step up meanwhile, so that its array is not copied.
    if change.extends, var last = self.open.take() {
      let replaced = last.append(step, replacingLast: change.replacement)
      self.open = last
      if let replaced { aftermath.dropped.append(replaced) }
      return
    }
    self.settle(&aftermath)
    if let lastBytes = change.lastBytes, let last = self.steps.step(at: self.settled - 1) {
      self.bytes += lastBytes - last.bytes
      self.steps[self.settled - 1].bytes = lastBytes
    }
    self.bytes += step.bytes
    self.open = step
    self.openWriter = self.writer
    self.marks.isExtensible = self.staysOpen(step)
    if !self.marks.isExtensible { self.settle(&aftermath) }
    for _ in 0..<change.excess {
      guard let oldest = self.steps.popFirst() else { break }
      self.settled -= 1
      self.bytes -= oldest.bytes
      (self.base, self.basePosition) = (oldest.number, oldest.last.number)
      if change.step == nil {
        change.step = oldest
      } else {
        aftermath.dropped += oldest.commits
      }
    }
  }

  /// Ends the open step, which drops those that were undone. Called with both locks held.
  func settle(_ aftermath: inout Aftermath) {
    self.endJoining()
    guard let step = self.open.take() else { return }
    while self.steps.count > self.settled, let undone = self.steps.popLast() {
      self.bytes -= undone.bytes
      aftermath.dropped += undone.commits
    }
    self.steps.append(step)
    self.settled += 1
    if step.refusal != nil { self.lastRefused = step.number }
  }

  /// Takes the open step out of the history. Called with both locks held.
  func dropOpen(_ aftermath: inout Aftermath) {
    self.endJoining()
    guard let step = self.open.take() else { return }
    self.bytes -= step.bytes
    aftermath.dropped += step.commits
  }
}
