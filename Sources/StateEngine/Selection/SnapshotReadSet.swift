/// The parts of one state that a selector read. Retains only these parts.
final class SnapshotReadSet: Sendable {
  private let isUnchanged: @Sendable (any Snapshot) -> Bool

  /// - Parameter isUnchanged: Whether another state is the same wherever the selector reads.
  init(_ isUnchanged: @escaping @Sendable (any Snapshot) -> Bool) {
    self.isUnchanged = isUnchanged
  }

  /// Whether another state is the same wherever the selector reads. Also `false` if that is
  /// unknown.
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
