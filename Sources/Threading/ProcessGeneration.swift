/// Distinguishes a process from the one that it was forked from.
///
/// An object that must not be used in the child of a fork stores the generation that it was made
/// in. ``isCurrent`` takes no lock, since the child may have inherited locks that are held.
package struct ProcessGeneration: Equatable, Sendable {
  /// How many forks separate the process from the first one that used this library.
  package let forks: UInt

  /// The generation of this process. Forks are counted from the first call on.
  package static var current: Self {
    ForkHandlers.register()
    return Self(forks: countedForks)
  }

  /// Whether this is the process that the generation was read in, not a fork of it. One load.
  package var isCurrent: Bool {
    self.forks == countedForks
  }

  /// Whether the process was forked from one that used this library.
  package var isForked: Bool {
    self.forks > 0
  }

  /// Starts a new generation in the child of a fork, while it has a single thread.
  static func advance() {
    countedForks += 1
  }
}

private nonisolated(unsafe) var countedForks: UInt = 0
