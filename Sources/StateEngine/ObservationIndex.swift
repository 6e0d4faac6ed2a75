/// Which observations read what, so that an action visits the concerned alone.
protocol ObservationIndex: Sendable {
  /// Enters an observation by what it reads.
  mutating func insert(_ number: Int, reading selectors: [BoundSelector])

  /// Takes it out. The selectors are those that it was entered with.
  mutating func remove(_ number: Int, reading selectors: [BoundSelector])

  /// The observations that read what is not the same in two states of the store.
  func concerned(by old: any Snapshot, _ new: any Snapshot) -> Set<Int>
}
