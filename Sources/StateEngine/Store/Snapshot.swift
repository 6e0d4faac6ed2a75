import ImmutableJSON

/// One state of a store, for selectors to be read from.
protocol Snapshot: Sendable {
  /// The output of a selector of the store's domain; `nil` if there is none of this name.
  func select(_ name: String, _ arguments: Value) throws -> Value?

  /// What a selector of the store's domain reads here.
  func reading(of name: String) -> SnapshotReading

  /// The state as JSON.
  func value() throws -> Value
}

/// What a dispatch did, whatever the domain.
struct StateChange: Sendable {
  let old: any Snapshot
  let new: any Snapshot

  /// The actions as they came in: one, or those of a batch.
  let actions: [Value]

  /// Counts the changes of a store that anyone was to be told of.
  let number: Int
}
