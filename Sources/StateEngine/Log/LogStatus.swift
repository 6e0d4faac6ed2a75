import ImmutableJSON
import StateLog

/// Where the log of a store is, and whether something is wrong with it, for the selector `@@log`.
enum LogStatus {
  static var schema: Schema {
    .object([
      .init("path", .string, "The path of the file, without links."),
      .init("readOnly", .boolean, "Whether the store only reads it."),
      .init("writer", .nullable(.integer), "The number of this store among those that share it."),
      .init("problem", .nullable(.string), "Why it cannot be written or followed."),
      .init(
        "connection", .oneOf(Connection.allCases.map(\.rawValue)), isRequired: false,
        "Of a log that a server keeps: whether the store has what the server has."),
    ])
  }

  /// How a store is connected with the server that keeps its log.
  enum Connection: String, CaseIterable {
    case following
    /// The server cannot be reached now.
    case waiting
    case needsAuthentication = "needs auth"
    /// The reducer refuses an entry.
    case needsUpdate = "update needed"
    case diverged
    /// The server refuses for good.
    case refused
  }
}

extension LogStatus.Connection {
  init(_ failure: EngineError?, _ problem: LogError?) {
    self =
      switch (failure?.code, problem?.code) {
      case (.outdated, _): .needsUpdate
      case (.diverged, _): .diverged
      case (_, .unauthenticated): .needsAuthentication
      case (_, .unavailable): .waiting
      case (.some, _), (_, .some): .refused
      case (nil, nil): .following
      }
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
      var members: JSONObject = [
        "path": .string(log.storage.path), "readOnly": .bool(log.isReadOnly),
        "writer": log.writer > 0 ? .integer(Int64(log.writer)) : .null,
        "problem": log.problem(follower).map(Value.string) ?? .null,
      ]
      if log.file == nil {
        let connection = LogStatus.Connection(follower?.failure, log.storage.problem)
        members["connection"] = .string(connection.rawValue)
      }
      return .object(members)
    } isUnchanged: {
      true
    }
  }
}
