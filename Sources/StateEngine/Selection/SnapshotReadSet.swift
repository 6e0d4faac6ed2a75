/// What a selector read of one state. It retains only that part of the state.
final class SnapshotReadSet: Sendable {
  private let isUnchanged: @Sendable (any Snapshot) -> Bool

  /// - Parameter isUnchanged: Whether another state is the same wherever the selector reads.
  init(_ isUnchanged: @escaping @Sendable (any Snapshot) -> Bool) {
    self.isUnchanged = isUnchanged
  }

  /// Whether another state is the same wherever the selector reads. `false` may also mean that this
  /// is unknown.
  func isUnchanged(in snapshot: any Snapshot) -> Bool {
    self.isUnchanged(snapshot)
  }
}

extension SnapshotReadSet {
  /// For a selector that does not declare what it reads.
  static var unknown: SnapshotReadSet {
    SnapshotReadSet { _ in false }
  }
}
