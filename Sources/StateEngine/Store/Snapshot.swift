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

  /// The actions as they were sent: one, or all actions of a batch.
  let actions: [Value]

  /// The number of the change, counting those that happened while the store had a subscriber.
  let number: Int
}
