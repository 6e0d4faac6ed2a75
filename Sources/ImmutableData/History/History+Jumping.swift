extension History {
  /// A state that a jump goes to: that before a commit, or after it.
  final class Target {
    let kind: Jump.Kind
    /// How many steps have not been undone afterwards.
    let present: Int
    /// How many steps are undone or redone.
    let taken: Int
    let number: Int
    /// `nil` for the current state.
    let commit: AnyCommit?
    let isBefore: Bool
    /// The steps with what is left of the open one.
    fileprivate let view: StepView

    fileprivate init(
      kind: Jump.Kind, present: Int, taken: Int, number: Int, commit: AnyCommit?, isBefore: Bool,
      view: StepView
    ) {
      (self.kind, self.present, self.taken, self.number) = (kind, present, taken, number)
      (self.commit, self.isBefore, self.view) = (commit, isBefore, view)
    }
  }

  /// - Parameter isInFlight: Whether optimistic updates are.
  /// - Returns: `nil` if nothing can be undone.
  /// - Throws: ``JumpRefusal``
  func undo(_ count: Int, _ isInFlight: Bool) throws(JumpRefusal) -> Target? {
    let view = self.viewOfChanges(isInFlight)
    let present = max(view.present - max(count, 0), 0)
    guard present < view.present else { return nil }
    return try self.target(.undone, present, isBefore: true, view, isInFlight)
  }

  /// - Returns: `nil` if nothing can be redone.
  /// - Throws: ``JumpRefusal``
  func redo(_ count: Int, _ isInFlight: Bool) throws(JumpRefusal) -> Target? {
    let view = self.viewOfChanges(isInFlight)
    let count = min(max(count, 0), view.count - view.present)
    guard count > 0 else { return nil }
    return try self.target(.redone, view.present + count, isBefore: false, view, isInFlight)
  }

  /// - Throws: ``JumpRefusal``
  func travel(to number: Int, _ isInFlight: Bool) throws(JumpRefusal) -> Target {
    let view = self.viewOfChanges(isInFlight)
    if number == self.base {
      return try self.target(.traveled, 0, isBefore: true, view, isInFlight)
    }
    guard let index = view.index(of: number) else {
      throw .unknownStep(number, oldest: self.base, newest: view.number(at: view.count))
    }
    return try self.target(.traveled, index + 1, isBefore: false, view, isInFlight)
  }

  /// Gives up the group that began last.
  ///
  /// - Parameter number: That of the last commit.
  /// - Returns: `nil` if nothing was committed since it began, or no group is open.
  /// - Throws: ``JumpRefusal``
  func cancelGroup(after number: Int, _ isInFlight: Bool) throws(JumpRefusal) -> Target? {
    guard let savepoint = self.savepoints.last, savepoint.number < number else { return nil }
    if let refuse = self.policy.refusal, let open {
      for commit in open.commits where commit.number > savepoint.number {
        if let reason = refuse(commit) { throw .refused(open.number, reason) }
      }
    }
    if isInFlight, self.policy.restore != nil { throw .inFlight }
    if let writers, writers.commits.number(exceptBy: writers.current) > savepoint.number {
      throw .otherWriter(self.presentNumber)
    }
    return self.cancellation(savepoint)
  }

  private func cancellation(_ savepoint: Savepoint) -> Target {
    let view = StepView(self, open: self.open?.prefix(upTo: savepoint.number))
    return Target(
      kind: .cancelled, present: view.present, taken: 0, number: view.number(at: view.present),
      commit: savepoint.commit, isBefore: false, view: view)
  }

  /// The target of a jump that a log has. It was allowed when it was made.
  ///
  /// - Returns: `nil` if there is no such step.
  func target(of jump: Jump, isExact: Bool, _ isInFlight: Bool) -> Target? {
    guard jump.kind != .cancelled else { return self.savepoints.last.map(self.cancellation) }
    let view = self.viewOfChanges(isInFlight)
    var index = jump.number == self.base ? -1 : view.index(of: jump.number)
    if index == nil, !isExact {
      index = (0..<view.count).last { view.number(at: $0 + 1) <= jump.number } ?? -1
    }
    return index.map {
      self.makeTarget(jump.kind, $0 + 1, isBefore: jump.kind == .undone || $0 < 0, view)
    }
  }

  private func target(
    _ kind: Jump.Kind, _ present: Int, isBefore: Bool, _ view: StepView, _ isInFlight: Bool
  ) throws(JumpRefusal) -> Target {
    if let refused = view.lastRefused, view.number(at: present) < refused.number,
      let reason = refused.refusal
    {
      throw .refused(refused.number, reason)
    }
    if isInFlight, self.policy.restore != nil { throw .inFlight }
    let target = self.makeTarget(kind, present, isBefore: isBefore, view)
    if self.writers != nil, let commit = target.commit {
      try self.requireNoStray(after: commit.number, view.number(at: view.present))
    }
    return target
  }

  private func makeTarget(
    _ kind: Jump.Kind, _ present: Int, isBefore: Bool, _ view: StepView
  ) -> Target {
    let step = view[isBefore ? present : present - 1]
    return Target(
      kind: kind, present: present, taken: abs(present - view.present),
      number: view.number(at: present), commit: isBefore ? step?.first : step?.last,
      isBefore: isBefore, view: view)
  }

  /// The steps without an open one of which nothing is left. Called with the dispatch lock held, as
  /// a part of the reducer if ``comparesOpen``.
  private func viewOfChanges(_ isInFlight: Bool) -> StepView {
    StepView(self, open: self.openCancelsOut(isInFlight) ? nil : self.open)
  }

  /// Whether an operation may call code of a domain for the open step.
  var comparesOpen: Bool {
    self.open != nil
  }

  /// Whether nothing is left of the open step.
  func openCancelsOut(_ isInFlight: Bool) -> Bool {
    guard let open, open.count > 1 else { return false }
    return !self.hasNetChange(open.first, open.last, isInFlight)
  }

  /// The history after a jump.
  func status(after jump: Target) -> HistoryStatus {
    jump.view.status(undo: jump.present)
  }

  func record(_ jump: Target, _ aftermath: inout Aftermath) {
    if jump.kind == .cancelled {
      let given = self.open.map { $0.commits.dropFirst(jump.view.open?.count ?? 0) } ?? []
      aftermath.dropped += given
      if jump.view.open == nil { self.bytes -= self.open?.bytes ?? 0 }
      self.open = jump.view.open
      self.use(MarkChange(self.marks.afterGroup), &aftermath)
      self.marks.isExtensible = self.open != nil
      return
    }
    if jump.view.open == nil { self.dropOpen(&aftermath) } else { self.settle(&aftermath) }
    self.settled = jump.present
    var marks = self.marks
    (marks.groups, marks.isExtensible) = (0, false)
    self.use(MarkChange(marks), &aftermath)
  }
}

/// A step that cannot be undone, redone or traveled to.
public enum JumpRefusal: Error, Hashable {
  /// The domain of the store forbids to undo the step with this number, for this reason.
  case refused(Int, String)

  /// There is no step with this number; the history has those from the oldest to the newest.
  case unknownStep(Int, oldest: Int, newest: Int)

  /// The history restores only parts of the state, and optimistic updates are in flight.
  case inFlight

  /// Another store that shares the log has changed the state after the step with this number, with
  /// an action that is no step: it would be lost.
  case otherWriter(Int)
}

extension JumpRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .refused(let number, let reason):
      "step \(number) cannot be undone or redone: \(reason)"
    case .unknownStep(let number, let oldest, let newest):
      "there is no step \(number); the history has steps from \(oldest) to \(newest)"
    case .inFlight:
      "a history with \"paths\" cannot be undone or redone while optimistic updates are in flight; "
        + "try again when they have ended"
    case .otherWriter(let number):
      "another store that shares the log has changed the state since step \(number); what it has "
        + "done cannot be undone with it"
    }
  }
}
