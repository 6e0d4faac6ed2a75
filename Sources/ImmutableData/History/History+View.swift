/// The steps that a program sees, oldest first: the settled ones, and the open one in place of
/// those that were undone.
struct StepView {
  private let history: History
  let open: HistoryStep?

  init(_ history: History, open: HistoryStep?) {
    self.history = history
    self.open = open
  }
}

extension StepView {
  var count: Int {
    self.open == nil ? self.history.steps.count : self.history.settled + 1
  }

  /// How many steps have not been undone.
  var present: Int {
    self.history.settled + (self.open == nil ? 0 : 1)
  }

  subscript(index: Int) -> HistoryStep? {
    guard let open, index >= self.history.settled else { return self.history.steps.step(at: index) }
    return index == self.history.settled ? open : nil
  }

  subscript(range: Range<Int>) -> [HistoryStep] {
    let settled = self.open == nil ? self.history.steps.count : self.history.settled
    let steps = Array(self.history.steps[range.clamped(to: 0..<settled)])
    guard let open, range.contains(settled) else { return steps }
    return steps + [open]
  }

  /// The index of the step with a number. O(log n).
  func index(of number: Int) -> Int? {
    guard let open else { return self.history.steps.index(of: number) }
    if number == open.number { return self.history.settled }
    return self.history.steps.index(of: number).flatMap { $0 < self.history.settled ? $0 : nil }
  }

  /// The number of the last of some steps.
  func number(at present: Int) -> Int {
    self[present - 1]?.number ?? self.history.base
  }

  /// Where the history is after some steps.
  func position(at present: Int) -> Int {
    self[present - 1]?.last.number ?? self.history.basePosition
  }

  /// The newest step that must not be undone.
  var lastRefused: HistoryStep? {
    if let open, open.refusal != nil { return open }
    guard self.history.lastRefused > 0 else { return nil }
    return self.history.steps.index(of: self.history.lastRefused).flatMap {
      self.history.steps.step(at: $0)
    }
  }

  /// What can be undone and redone when some steps have not been undone.
  func status(undo present: Int) -> HistoryStatus {
    HistoryStatus(
      undo: present, redo: self.count - present,
      isClean: self.position(at: present) == self.history.cleanPosition,
      undoCommit: self[present - 1]?.first, redoCommit: self[present]?.first)
  }
}

// MARK: Reading

extension History {
  // Called with one of the locks held.

  var view: StepView {
    StepView(self, open: self.open)
  }

  /// The number of the step that is shown; that of the step before the first one if all are undone.
  var presentNumber: Int {
    let view = self.view
    return view.number(at: view.present)
  }

  var status: HistoryStatus {
    let view = self.view
    return view.status(undo: view.present)
  }

  func steps(_ range: Range<Int>) -> [HistoryStep] {
    self.view[range]
  }
}
