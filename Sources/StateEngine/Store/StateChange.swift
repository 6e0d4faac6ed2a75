/// A change of a store's state by a dispatch.
struct StateChange: Sendable {
  let old: any Snapshot
  let new: any Snapshot

  /// The number of the change, counting those that happened while the store had a subscriber.
  let number: Int
}

extension StateChange {
  /// One action of a change, with the states before and after it.
  struct Step: Sendable {
    let action: any StoreAction
    let oldState: any Snapshot
    let newState: any Snapshot

    /// Whether the action began or ended an optimistic update. A roll-back may change anything, so
    /// the action passes every filter.
    let isOptimisticUpdate: Bool
  }
}

/// Whether an action passes the filter of an observation.
typealias ActionFilter = @Sendable (StateChange.Step) -> Bool
