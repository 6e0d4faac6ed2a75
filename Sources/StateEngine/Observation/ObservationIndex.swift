/// Which observations read what, so that an action visits the concerned alone.
protocol ObservationIndex: Sendable {
  /// Enters an observation by what it reads.
  mutating func insert(_ number: Int, reading selectors: [BoundSelector])

  /// Takes it out. The selectors are those that it was entered with.
  mutating func remove(_ number: Int, reading selectors: [BoundSelector])

  /// Searches for the observations that read what is not the same in two states of the store.
  ///
  /// Called under the lock that guards the index. The rest of the search, which is returned, runs
  /// without it, since it may compare states by code of the domain.
  func search(from old: any Snapshot, to new: any Snapshot) -> () -> Set<Int>
}
