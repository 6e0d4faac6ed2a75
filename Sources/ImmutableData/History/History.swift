import DequeModule

/// The steps of a store, which can be undone and redone.
///
/// ```
/// base │ step 1 │ step 2 │ step 4 ┊ step 7 │ step 9
///                          settled ╯ ╰ undone: a new step drops them
///                         ╰ open: step 11, which hides them until it is settled
/// ```
///
/// Actions may join the open step. If nothing is left of it, those that were undone are back.
///
/// It changes only while the dispatch lock and the lock of the commits are held, so that it can be
/// read with either. What is decided about a commit is decided before, with the dispatch lock only.
final class History: @unchecked Sendable {
  let policy: HistoryPolicy

  var steps = Deque<HistoryStep>()
  /// How many steps of the list have not been undone.
  var settled = 0
  /// The step after them that actions may join; `nil` if there is none.
  var open: HistoryStep?
  /// The writer of a shared log whose actions may join it.
  var openWriter = 0
  /// The number of the step before the first one; 0 at opening.
  var base = 0

  /// Where the history is, by the number of the last commit of a step.
  var basePosition = 0

  /// The number of the newest settled step that must not be undone; 0 if there is none. It is never
  /// among those that have been undone.
  var lastRefused = 0

  /// Also changes without a commit. In a shared log, each writer has marks of its own: these are
  /// those of the writer of the present change.
  var marks = HistoryMarks()
  /// What the open groups began with, outermost first. Belongs to the marks.
  var savepoints: [Savepoint] = []
  var bytes = 0

  /// The marks of all writers of a shared log; `nil` for a log of one.
  var writers: WriterMarks?

  init(_ policy: HistoryPolicy) {
    self.policy = policy
  }
}

// MARK: Restoring

/// What a history has, to be kept beyond the end of the process.
package struct HistoryContent: Sendable {
  package var steps: [HistoryStep] = []
  /// How many of these have not been undone.
  package var present = 0
  /// The step that actions may join, which hides those that have been undone.
  package var open: HistoryStep?
  package var savepoints: [Savepoint] = []
  /// The number of the step before the first one, and of the last commit before the first one.
  package var base = 0
  package var basePosition = 0
  package var marks = HistoryMarks()
  /// In a shared log, the writer whose actions may join the open step, and the marks of all.
  package var openWriter = 0
  package var writers: WriterMarks?

  package init() {}

  /// Forgets the steps. What is shown stays where it is.
  package mutating func removeSteps() {
    if let last = self.open ?? self.steps.prefix(self.present).last {
      (self.base, self.basePosition) = (last.number, last.last.number)
    }
    (self.steps, self.present, self.open, self.savepoints) = ([], 0, nil, [])
    (self.marks.groups, self.marks.isExtensible) = (0, false)
    self.removeWriters()
  }

  /// Forgets who has made what, for a log that is no longer shared.
  package mutating func removeWriters() {
    (self.openWriter, self.writers) = (0, nil)
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
    self.settled = min(max(content.present, 0), self.steps.count)
    self.open = content.open
    self.bytes = Self.clamped(self.bytes + Self.clamped(content.open?.bytes ?? 0))
    (self.base, self.basePosition) = (content.base, content.basePosition)
    (self.marks, self.savepoints) = (content.marks, content.savepoints)
    (self.openWriter, self.writers) = (content.openWriter, content.writers)
  }

  /// Called with one of the locks held. Takes O(n) for n steps.
  var content: HistoryContent {
    var content = HistoryContent()
    content.steps = Array(self.steps)
    (content.present, content.open) = (self.settled, self.open)
    (content.base, content.basePosition) = (self.base, self.basePosition)
    (content.marks, content.savepoints) = (self.marks, self.savepoints)
    (content.openWriter, content.writers) = (self.openWriter, self.writers?.copy())
    return content
  }
}
