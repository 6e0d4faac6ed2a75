import ImmutableData
import ImmutableJSON

/// What can be undone and redone in a state, for the selector `@@history`. A class, so that a
/// snapshot with it needs no memory of its own.
final class HistoryView: Sendable {
  private let status: HistoryStatus

  init(_ status: HistoryStatus) {
    self.status = status
  }

  /// - Returns: `nil` in a store without history.
  convenience init?(after commit: AnyCommit) {
    guard commit.hasHistory, let status = commit.history else { return nil }
    self.init(status)
  }
}

extension HistoryView {
  /// The output of the selector.
  func json(_ encoding: any CommitEncoding.Type) -> Value {
    func action(_ commit: AnyCommit?) -> Value? {
      commit.flatMap { try? encoding.action(of: $0) }
    }
    let (undo, redo) = (action(self.status.undoCommit), action(self.status.redoCommit))
    return [
      "undo": .integer(Int64(self.status.undo)), "redo": .integer(Int64(self.status.redo)),
      "undoType": undo?["type"] ?? .null, "undoMeta": undo?["meta"] ?? .null,
      "redoType": redo?["type"] ?? .null, "redoMeta": redo?["meta"] ?? .null,
      "clean": .bool(self.status.isClean),
    ]
  }

  static var schema: Schema {
    .object([
      .init("undo", .integer, "How many steps can be undone."),
      .init("redo", .integer, "How many steps can be redone."),
      .init("undoType", .nullable(.string), "The type of the action that an undo takes back."),
      .init("undoMeta", .any, "Its meta."),
      .init("redoType", .nullable(.string), "The type of the action that a redo brings back."),
      .init("redoMeta", .any, "Its meta."),
      .init("clean", .boolean, "Whether what is shown has been saved."),
    ])
  }
}

extension AnyStore.Implementation {
  /// The selector of a store with history.
  var historySelectors: [StringKey: DomainSelector] {
    guard self.commits.hasHistory else { return [:] }
    let selector = DomainSelector(history: type(of: self))
    return [StringKey(selector.name): selector]
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
