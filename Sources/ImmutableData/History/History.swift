/// The steps of a store, which can be undone and redone.
///
/// ```
/// base │ step 1 │ step 2 │ step 4 ┊ step 7 │ step 9
///                          present ╯ ╰ undone: a new step drops them
/// ```
///
/// It changes only while the dispatch lock and the lock of the commits are held, so that it can be
/// read with either. What is decided about a commit is decided before, with the dispatch lock only.
final class History: @unchecked Sendable {
  let policy: HistoryPolicy

  private var steps = StepList()
  /// How many steps have not been undone.
  private var present = 0
  /// The number of the step before the first one; 0 at opening.
  private var base = 0

  /// Where the history is, by the number of the last commit of a step.
  private var basePosition = 0

  /// The number of the newest step that must not be undone; 0 if there is none. It is never among
  /// those that have been undone.
  private var lastRefused = 0

  /// Also changes without a commit.
  private(set) var marks = HistoryMarks()
  private var bytes = 0

  init(_ policy: HistoryPolicy) {
    self.policy = policy
  }
}

// MARK: Restoring

/// What a history has, to be kept beyond the end of the process.
package struct HistoryContent: Sendable {
  package var steps: [HistoryStep] = []
  /// How many steps have not been undone.
  package var present = 0
  /// The number of the step before the first one, and of the last commit before the first one.
  package var base = 0
  package var basePosition = 0
  package var marks = HistoryMarks()

  package init() {}

  /// Forgets the steps. What is shown stays where it is.
  package mutating func removeSteps() {
    if let last = self.steps.prefix(self.present).last {
      (self.base, self.basePosition) = (last.number, last.last.number)
    }
    (self.steps, self.present) = ([], 0)
    self.marks.isExtensible = false
  }
}

extension History {
  convenience init(_ policy: HistoryPolicy, _ content: HistoryContent) {
    self.init(policy)
    for step in content.steps {
      self.steps.append(step)
      self.bytes = Self.clamped(self.bytes + Self.clamped(step.bytes))
      if step.refusal != nil { self.lastRefused = step.number }
    }
    self.present = min(max(content.present, 0), self.steps.count)
    (self.base, self.basePosition) = (content.base, content.basePosition)
    self.marks = content.marks
  }

  /// Called with one of the locks held. Takes O(n) for n steps.
  var content: HistoryContent {
    var content = HistoryContent()
    content.steps = self.steps[0..<self.steps.count]
    content.present = self.present
    (content.base, content.basePosition) = (self.base, self.basePosition)
    content.marks = self.marks
    return content
  }
}

// MARK: Recording

extension History {
  /// What a dispatch will change. Afterwards, it holds a step that can no longer be reached, to be
  /// released without the locks.
  struct Entry {
    fileprivate var step: HistoryStep?
    fileprivate var extends = false
    /// Replaces the last commit of the step that is extended.
    fileprivate var replacement: AnyCommit?
    /// How many bytes the step before keeps alive, if actions have joined it.
    fileprivate var lastBytes: Int?
    /// How many of the oldest steps exceed a limit.
    fileprivate var excess = 0
  }

  /// Decides what an action or a batch changes.
  ///
  /// - Parameters:
  ///   - rest: The other commits of a batch.
  ///   - entry: An empty one.
  func decide(_ first: AnyCommit, _ rest: [AnyCommit], _ entry: inout Entry) {
    guard self.policy.hasChanged(first, rest.last ?? first), self.hasStep(first, rest) else {
      return
    }
    var refusal: String?
    if let refuse = self.policy.refusal {
      refusal = refuse(first) ?? rest.lazy.compactMap(refuse).first
    }
    var step = HistoryStep(first, rest, refusal: refusal)
    entry.extends = self.isExtended(by: step)
    if entry.extends {
      entry.replacement = self.steps[self.present - 1]?
        .lastWithoutStates(before: first, self.policy.haveSameType)
    } else {
      self.limit(&entry, &step)
    }
    entry.step = step
  }

  /// Whether one of the actions is a step, if all of them together have changed the state.
  private func hasStep(_ first: AnyCommit, _ rest: [AnyCommit]) -> Bool {
    guard !rest.isEmpty else { return self.policy.isStep(first) }
    return ([first] + rest).contains { self.policy.isStep($0) && self.policy.hasChanged($0, $0) }
  }

  /// How many actions join in one step, so that it does not grow for ever. A group that the program
  /// has begun may have more.
  private static var maxJoined: Int { 4096 }

  private func isExtended(by step: HistoryStep) -> Bool {
    guard self.marks.isExtensible else { return false }
    if self.marks.groups > 0 { return self.present > 0 }
    guard let joins = self.policy.joins, !step.isBatch, !self.isClean,
      let last = self.steps[self.present - 1], !last.isBatch, last.count < Self.maxJoined
    else { return false }
    return joins(last.last, step.first)
  }

  /// Finds which steps exceed a limit with a new one.
  private func limit(_ entry: inout Entry, _ step: inout HistoryStep) {
    entry.excess = max(self.present + 1 - self.policy.limit, 0)
    guard let limit = self.policy.bytes, let size = self.policy.size else { return }
    step.bytes = Self.clamped(size(step.first, step.last))
    var bytes = self.bytes + step.bytes
    if let last = self.steps[self.present - 1], !last.isBatch, last.count > 1 {
      let lastBytes = Self.clamped(size(last.first, last.last))
      bytes += lastBytes - last.bytes
      entry.lastBytes = lastBytes
    }
    for index in 0..<self.present where bytes > limit || index < entry.excess {
      entry.excess = max(entry.excess, index + 1)
      let isLast = index == self.present - 1
      bytes -= (isLast ? entry.lastBytes : nil) ?? self.steps[index]?.bytes ?? 0
    }
  }

  /// A size that can be added up.
  private static func clamped(_ size: Int) -> Int {
    max(0, min(size, 1 << 40))
  }

  /// The history after commits, for one of them.
  func status(after entry: Entry, in commit: AnyCommit) -> HistoryStatus {
    guard let step = entry.step else { return self.makeStatus(undo: self.present) }
    var status = HistoryStatus()
    status.undo = self.present + (entry.extends ? 0 : 1) - entry.excess
    status.isClean = false
    if entry.extends {
      status.undoCommit = self.steps[self.present - 1]?.first
    } else if step.number != commit.number {
      status.undoCommit = step.first
    }
    return status
  }

  /// Records commits. Called with both locks held.
  ///
  /// - Parameter aftermath: Gets what can no longer be reached, except what the entry holds.
  func record(_ entry: inout Entry, _ aftermath: inout Aftermath) {
    guard let step = entry.step.take() else { return }
    if step.refusal != nil {
      self.lastRefused = entry.extends ? self.number(at: self.present) : step.number
    }
    if entry.extends, var last = self.steps[self.present - 1] {
      // The list gives the step up meanwhile, so that its array is not copied.
      self.steps[self.present - 1] = nil
      let replaced = last.append(step, replacingLast: entry.replacement)
      self.steps[self.present - 1] = last
      if let replaced { aftermath.dropped.append(replaced) }
      return
    }
    while self.steps.count > self.present, let undone = self.steps.removeLast() {
      self.bytes -= undone.bytes
      aftermath.dropped += undone.commits
    }
    if let lastBytes = entry.lastBytes, let last = self.steps[self.present - 1] {
      self.bytes += lastBytes - last.bytes
      self.steps[self.present - 1]?.bytes = lastBytes
    }
    self.bytes += step.bytes
    self.steps.append(step)
    self.present += 1
    self.marks.isExtensible = true
    for _ in 0..<entry.excess {
      guard let oldest = self.steps.removeFirst() else { break }
      self.present -= 1
      self.bytes -= oldest.bytes
      (self.base, self.basePosition) = (oldest.number, oldest.last.number)
      if entry.step == nil {
        entry.step = oldest
      } else {
        aftermath.dropped += oldest.commits
      }
    }
  }
}

// MARK: Jumping

extension History {
  /// A state that a jump goes to: that before a commit, or after it.
  struct Target {
    let kind: Jump.Kind
    /// How many steps have not been undone afterwards.
    let present: Int
    /// How many steps are undone or redone.
    let taken: Int
    let number: Int
    /// `nil` for the current state.
    let commit: AnyCommit?
    let isBefore: Bool
  }

  /// - Returns: `nil` if nothing can be undone.
  /// - Throws: ``JumpRefusal``
  func undo(_ count: Int) throws(JumpRefusal) -> Target? {
    let present = max(self.present - max(count, 0), 0)
    guard present < self.present else { return nil }
    return try self.target(.undone, present, isBefore: true)
  }

  /// - Returns: `nil` if nothing can be redone.
  /// - Throws: ``JumpRefusal``
  func redo(_ count: Int) throws(JumpRefusal) -> Target? {
    let count = min(max(count, 0), self.steps.count - self.present)
    return count > 0 ? try self.target(.redone, self.present + count, isBefore: false) : nil
  }

  /// - Throws: ``JumpRefusal``
  func travel(to number: Int) throws(JumpRefusal) -> Target {
    if number == self.base { return try self.target(.traveled, 0, isBefore: true) }
    guard let index = self.steps.index(of: number) else {
      throw .unknownStep(
        number, oldest: self.base, newest: self.steps[self.steps.count - 1]?.number ?? self.base)
    }
    return try self.target(.traveled, index + 1, isBefore: false)
  }

  /// The target of a jump that a log has. It was allowed when it was made.
  ///
  /// - Returns: `nil` if there is no such step.
  func target(of jump: Jump, isExact: Bool) -> Target? {
    var index = jump.number == self.base ? -1 : self.steps.index(of: jump.number)
    if index == nil, !isExact {
      index = (0..<self.steps.count).last { self.number(at: $0 + 1) <= jump.number } ?? -1
    }
    return index.map {
      self.makeTarget(jump.kind, $0 + 1, isBefore: jump.kind == .undone || $0 < 0)
    }
  }

  private func target(
    _ kind: Jump.Kind, _ present: Int, isBefore: Bool
  ) throws(JumpRefusal) -> Target {
    if self.number(at: present) < self.lastRefused,
      let index = self.steps.index(of: self.lastRefused), let refusal = self.steps[index]?.refusal
    {
      throw .refused(self.lastRefused, refusal)
    }
    return self.makeTarget(kind, present, isBefore: isBefore)
  }

  private func makeTarget(_ kind: Jump.Kind, _ present: Int, isBefore: Bool) -> Target {
    let number = self.number(at: present)
    let step = self.steps[isBefore ? present : present - 1]
    return Target(
      kind: kind, present: present, taken: abs(present - self.present), number: number,
      commit: isBefore ? step?.first : step?.last, isBefore: isBefore)
  }

  /// Records a jump. Called with both locks held.
  func record(_ jump: Target) {
    self.present = jump.present
    self.marks.groups = 0
    self.marks.isExtensible = false
  }

  /// The history when some steps have been undone.
  func makeStatus(undo present: Int) -> HistoryStatus {
    HistoryStatus(
      undo: present, redo: self.steps.count - present,
      isClean: self.position(at: present) == self.marks.cleanPosition,
      undoCommit: self.steps[present - 1]?.first, redoCommit: self.steps[present]?.first)
  }

  private func number(at present: Int) -> Int {
    self.steps[present - 1]?.number ?? self.base
  }

  private func position(at present: Int) -> Int {
    self.steps[present - 1]?.last.number ?? self.basePosition
  }
}

// MARK: Groups and saving

/// What a program marks in a history.
package struct HistoryMarks: Hashable, Sendable {
  /// How many groups are open.
  package var groups = 0

  /// Whether the last step belongs to the open group or, without one, other actions may join it.
  package var isExtensible = false

  /// The position that the program has saved; `nil` if it can no longer be reached.
  package var cleanPosition: Int? = 0

  package init() {}

  /// The marks after a group has begun.
  var inGroup: Self {
    var marks = self
    if self.groups == 0 { marks.isExtensible = false }
    marks.groups += 1
    return marks
  }

  /// The marks after the group that began last has ended.
  var afterGroup: Self {
    guard self.groups > 0 else { return self }
    var marks = self
    marks.groups -= 1
    if marks.groups == 0 { marks.isExtensible = false }
    return marks
  }
}

extension History {
  /// The marks when the program has saved what is shown.
  var cleanMarks: HistoryMarks {
    var marks = self.marks
    marks.cleanPosition = self.position(at: self.present)
    return marks
  }

  /// Called with both locks held.
  func use(_ marks: HistoryMarks) {
    self.marks = marks
  }

  private var isClean: Bool {
    self.position(at: self.present) == self.marks.cleanPosition
  }
}

// MARK: Rolling back

extension History {
  /// The history without changes that were rolled back. Calls `rewrite` with each commit of each step,
  /// oldest first.
  ///
  /// - Parameters:
  ///   - start: The number of the commit that began the oldest of the changes.
  ///   - rewrite: Returns the commit without the changes; `nil` if nothing is left of it.
  func rewritten(
    since start: Int, _ rewrite: (AnyCommit) throws -> AnyCommit?
  ) rethrows -> History {
    let old = self.content
    var content = old
    (content.steps, content.present) = ([], 0)
    // What was saved shows a change.
    content.marks.cleanPosition = old.marks.cleanPosition.flatMap { $0 < start ? $0 : nil }
    for (index, step) in old.steps.enumerated() {
      if let rewritten = step.replacing(try step.commits.compactMap(rewrite)) {
        content.steps.append(rewritten)
        if index < old.present { content.present += 1 }
      } else if index == old.present - 1 {
        content.marks.isExtensible = false
      }
    }
    return History(self.policy, content)
  }
}

// MARK: Reading

extension History {
  // Called with one of the locks held.

  /// The number of the step that is shown; that of the step before the first one if all are undone.
  var presentNumber: Int {
    self.number(at: self.present)
  }

  var status: HistoryStatus {
    self.makeStatus(undo: self.present)
  }

  func steps(_ range: Range<Int>) -> [HistoryStep] {
    self.steps[range]
  }
}

/// A step that cannot be undone, redone or traveled to.
public enum JumpRefusal: Error, Hashable {
  /// The domain of the store forbids to undo the step with this number, for this reason.
  case refused(Int, String)

  /// There is no step with this number; the history has those from the oldest to the newest.
  case unknownStep(Int, oldest: Int, newest: Int)
}

extension JumpRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .refused(let number, let reason):
      "step \(number) cannot be undone or redone: \(reason)"
    case .unknownStep(let number, let oldest, let newest):
      "there is no step \(number); the history has steps from \(oldest) to \(newest)"
    }
  }
}
