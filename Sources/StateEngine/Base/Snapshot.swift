import ImmutableData
import ImmutableJSON

/// One state of a store, for selectors to read.
protocol Snapshot: Sendable {
  /// The state as JSON. O(1) for a JSON value; any other state is encoded.
  func value() throws -> Value

  /// `nil` in a store without history.
  var history: SharedHistoryStatus? { get }
}

/// Whether a commit passes the filter of an observation.
typealias CommitFilter = @Sendable (AnyCommit) -> Bool

/// The contents of a commit without their types.
protocol CommitEncoding: SendableMetatype {
  static func oldState(of commit: AnyCommit) -> any Snapshot
  static func newState(of commit: AnyCommit) -> any Snapshot
  /// The action, or the jump, as JSON. Throws if the action was dispatched without JSON, and has
  /// none.
  static func action(of commit: AnyCommit) throws -> Value
}
