/// An index of observations by what they read, so that an action visits only those that it affects.
protocol ObservationIndex: Sendable {
  /// Adds an observation by what its selectors read.
  mutating func insert(_ number: Int, reading selectors: [BoundSelector])

  /// Removes an observation, which was added with the same selectors.
  mutating func remove(_ number: Int, reading selectors: [BoundSelector])

  /// Returns a function that finds the observations affected by a change between two states, in any
  /// order, perhaps some of them more than once.
  ///
  /// This is called under the lock that guards the index. The returned function is called without
  /// the lock, because it may call the domain to compare states.
  func search(from old: any Snapshot, to new: any Snapshot) -> () -> [Int]
}
