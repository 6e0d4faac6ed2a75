import ImmutableData
import ImmutableJSON
import Threading

/// What observations need of a store. It does not check reentrancy.
protocol ObservedStore: Sendable {
  var commits: CommitSequence { get }

  /// Reads its commits.
  var encoding: any CommitEncoding.Type { get }

  /// Its selectors of the domain by name. Each call returns new ones, without memos.
  var selectors: [StringKey: DomainSelector] { get }

  func makeIndex() -> any ObservationIndex

  /// The current state, and the number of the last commit, read together.
  func snapshot() -> (state: any Snapshot, number: Int)

  /// The same as ``ImmutableData/Store/withNotificationsPaused(in:isNested:preparing:do:)``.
  func withNotificationsPaused(
    isNested: Bool, _ body: @escaping (any Snapshot, _ number: Int) -> Void)

  /// Whether the action of a commit began or ended an optimistic update.
  func isOptimisticUpdate(_ commit: AnyCommit) -> Bool
}
