import ImmutableData
import ImmutableJSON

/// What can be undone and redone in a state, for the selector `@@history`. A class, so that a
/// snapshot with it needs no memory of its own.
final class SharedHistoryStatus: Sendable {
  let status: HistoryStatus

  init(_ status: HistoryStatus) {
    self.status = status
  }

  /// - Returns: `nil` in a store without history.
  convenience init?(after commit: AnyCommit) {
    guard commit.hasHistory, let status = commit.history else { return nil }
    self.init(status)
  }
}

extension Jump {
  /// The jump as an action, which streams carry.
  var json: Value {
    [
      "type": .string("@@history/\(self.kind.rawValue)"),
      "payload": ["number": .integer(Int64(self.number))],
    ]
  }
}
