import ImmutableJSON

/// One state of a store, for selectors to read.
protocol Snapshot: Sendable {
  /// The state as JSON. O(1) for a JSON value; any other state is encoded.
  func value() throws -> Value
}
