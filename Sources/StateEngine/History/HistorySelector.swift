import ImmutableData
import ImmutableJSON

extension SharedHistoryStatus {
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

extension DomainSelector {
  /// The name of the selector of a store with history.
  static var historyName: String { "@@history" }

  /// The selector of a store with history.
  ///
  /// - Parameter encoding: Reads the commits of the store.
  convenience init(history encoding: any CommitEncoding.Type) {
    self.init(Self.historyName, SharedHistoryStatus.schema) { snapshot in
      snapshot.history?.json(encoding) ?? .null
    } isUnchanged: {
      false
    }
  }
}
