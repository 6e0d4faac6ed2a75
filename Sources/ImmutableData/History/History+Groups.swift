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

/// What a group began with, to which the program returns if it gives the group up.
package struct Savepoint: Sendable {
  /// How many groups were open, with this one. A damaged log may leave some out.
  package let level: Int

  /// The last commit before, with the state after it. It has no action.
  package let commit: AnyCommit

  package init(level: Int, commit: AnyCommit) {
    (self.level, self.commit) = (level, commit)
  }

  /// The number of the last commit before the group.
  var number: Int {
    self.commit.number
  }
}

/// Too many groups of a history are open.
public struct GroupLimit: Error, Hashable {
  /// How many groups may be open at once.
  public static var maximum: Int { 256 }
}

extension GroupLimit: CustomStringConvertible {
  public var description: String {
    "\(Self.maximum) groups are open; end or cancel each one, before others begin"
  }
}

extension History {
  /// The marks when another group begins.
  ///
  /// - Throws: ``GroupLimit``
  func marksInGroup() throws(GroupLimit) -> HistoryMarks {
    guard self.marks.groups < GroupLimit.maximum else { throw GroupLimit() }
    return self.marks.inGroup
  }

  /// The marks when all groups have ended.
  var marksWithoutGroups: HistoryMarks {
    var marks = self.marks
    if marks.groups > 0 { (marks.groups, marks.isExtensible) = (0, false) }
    return marks
  }

  /// The marks when the program has saved what is shown.
  var cleanMarks: HistoryMarks {
    var marks = self.marks
    let view = self.view
    marks.cleanPosition = view.position(at: view.present)
    return marks
  }

  /// Whether marks begin a group.
  func begins(_ marks: HistoryMarks) -> Bool {
    marks.groups > self.savepoints.last?.level ?? 0
  }

  /// A change of the marks.
  struct MarkChange {
    let marks: HistoryMarks
    /// What a group that they begin begins with.
    var savepoint: AnyCommit?
    /// Whether nothing is left of the open step, if the marks settle it.
    var cancelsOut = false

    init(_ marks: HistoryMarks) {
      self.marks = marks
    }
  }

  /// Called with both locks held.
  func use(_ change: MarkChange, _ aftermath: inout Aftermath) {
    let marks = change.marks
    if change.cancelsOut {
      self.dropOpen(&aftermath)
    } else if !marks.isExtensible, self.openWriter == self.writer {
      self.settle(&aftermath)
    }
    self.marks = marks
    while let last = self.savepoints.last, last.level > marks.groups {
      self.savepoints.removeLast()
      aftermath.dropped.append(last.commit)
    }
    if let savepoint = change.savepoint, self.begins(marks) {
      self.savepoints.append(Savepoint(level: marks.groups, commit: savepoint))
    }
  }

  /// Whether a savepoint needs the states of the last commit of the open step.
  func keepsLast(of open: HistoryStep) -> Bool {
    self.savepoints.last.map { $0.number >= open.last.number } ?? false
  }
}
