import ImmutableJSON

/// Where the log of a store is, and whether something is wrong with it, for the selector `@@log`.
enum LogStatus {
  static var schema: Schema {
    .object([
      .init("path", .string, "The path of the file, without links."),
      .init("readOnly", .boolean, "Whether the store only reads it."),
      .init("writer", .nullable(.integer), "The number of this store among those that share it."),
      .init("problem", .nullable(.string), "Why it cannot be written or followed."),
    ])
  }
}

extension JSONCommitLog {
  /// Why the file cannot be written, or followed any more; `nil` if nothing is wrong.
  func problem(_ follower: LogFollower?) -> String? {
    follower?.problem?.message ?? self.storage.problem?.message
  }
}

extension DomainSelector {
  /// The name of the selector of a store with a log.
  static var logName: String { "@@log" }

  /// The selector of a store with a log.
  convenience init(log: JSONCommitLog, _ follower: LogFollower?) {
    self.init(Self.logName, LogStatus.schema) { _ in
      [
        "path": .string(log.storage.path), "readOnly": .bool(log.isReadOnly),
        "writer": log.writer > 0 ? .integer(Int64(log.writer)) : .null,
        "problem": log.problem(follower).map(Value.string) ?? .null,
      ]
    } isUnchanged: {
      true
    }
  }
}
