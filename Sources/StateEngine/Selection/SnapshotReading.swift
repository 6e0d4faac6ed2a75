/// What a selector of a domain read of one state. It keeps that alive, and no more of the state.
final class SnapshotReading: Sendable {
  private let isSame: @Sendable (any Snapshot) -> Bool

  /// - Parameter isSame: Whether a state reads the same.
  init(_ isSame: @escaping @Sendable (any Snapshot) -> Bool) {
    self.isSame = isSame
  }

  func isSame(in snapshot: any Snapshot) -> Bool {
    self.isSame(snapshot)
  }
}

extension SnapshotReading {
  /// What is not known to be read again by any other state.
  static var unknown: SnapshotReading {
    SnapshotReading { _ in false }
  }
}
