import ImmutableJSON

/// One state of a store, for selectors to read.
protocol Snapshot: Sendable {
  /// The state as JSON. O(1) for a JSON value; any other state is encoded.
  func value() throws -> Value
}

/// A change of a store's state by a dispatch.
struct StateChange: Sendable {
  let old: any Snapshot
  let new: any Snapshot

  /// The number of the change, counting those that happened while the store had a subscriber.
  let number: Int
}

extension StateChange {
  struct Step: Sendable {
    let oldState: any Snapshot
    let action: any StoreAction

    /// Whether the action began or ended an optimistic update. A roll-back may change anything, so
    /// the action passes every filter.
    let isOptimisticUpdate: Bool
  }
}
