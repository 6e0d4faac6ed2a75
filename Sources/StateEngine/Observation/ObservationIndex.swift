import ImmutableData
import ImmutableJSON

/// A model with selectors, and an index of their observations.
protocol IndexedModel: StateModel {
  /// The selectors of the domain by name, for one store.
  var selectors: [StringKey: DomainSelector] { get }

  func makeIndex() -> any ObservationIndex
}

/// An index of observations by what they read, so that an action visits only those that it affects.
protocol ObservationIndex: Sendable {
  /// Adds an observation by what its triggers read.
  mutating func insert(_ observation: StoreObservation)

  /// Removes an observation.
  mutating func remove(_ observation: StoreObservation)

  /// Finds the observations affected by the change from the state before a commit to the state
  /// after another one, in any order, perhaps some of them more than once. Called under the lock
  /// that guards the index.
  ///
  /// - Returns: The rest of the search, which is called without the lock, because it may call the
  ///   domain to compare states.
  func search(
    from first: AnyCommit, to last: AnyCommit, _ affected: inout [AffectedObservation]
  ) -> RestOfSearch?

  /// The same for a change that was made in place.
  ///
  /// - Parameter state: The new state.
  func search(
    _ edits: AnyObject, in state: UnsafeRawPointer, _ affected: inout [AffectedObservation]
  )
}

typealias RestOfSearch = (_ affected: inout [AffectedObservation]) -> Void

/// An observation that a change may affect.
struct AffectedObservation {
  let observation: StoreObservation

  /// The value in the new state at a path that the observation reads, if the search has found it.
  var value: Value?

  /// Whether that value is known to differ from the one in the old state.
  var isNew = false
}

/// The observations that a change in place may affect, which its commit carries to the reader.
///
/// Used by one thread at a time: that which commits, and then that which notifies.
final class AffectedObservations {
  private var visits: [AffectedObservation]

  init(_ visits: [AffectedObservation]) {
    self.visits = visits
  }

  /// Called once. What is moved is not copied.
  func take() -> [AffectedObservation] {
    defer { self.visits = [] }
    return self.visits
  }
}
