import ImmutableJSON

/// An index of observations by what they read, so that an action visits only those that it affects.
protocol ObservationIndex: Sendable {
  /// Adds an observation by what its triggers read.
  mutating func insert(_ observation: StoreObservation)

  /// Removes an observation.
  mutating func remove(_ observation: StoreObservation)

  /// Finds the observations affected by a change between two states, in any order, perhaps some of
  /// them more than once. Called under the lock that guards the index.
  func search(from old: any Snapshot, to new: any Snapshot) -> ObservationSearch
}

/// The result of a search in an ``ObservationIndex``.
enum ObservationSearch {
  case found([AffectedObservation])

  /// A function that finds them. It is called without the lock, because it may call the domain to
  /// compare states.
  case pending(() -> [AffectedObservation])
}

/// An observation that a change may affect.
struct AffectedObservation {
  let observation: StoreObservation

  /// The value in the new state at a path that the observation reads, if the search has found it.
  var value: Value?
}
