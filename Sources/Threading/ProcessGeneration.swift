/// Distinguishes a process from the one that it was forked from.
///
/// An object that must not be used in the child of a fork stores the generation in which it was
/// created. ``isCurrent`` takes no lock, because the child may have inherited any lock locked.
package struct ProcessGeneration: Equatable, Sendable {
  /// The number of forks between this process and the first one that used this library.
  private let forks: UInt

  /// The generation of this process. Forks are counted from the first call on.
  package static var current: Self {
    ForkHandlers.register()
    return Self(forks: countedForks)
  }

  /// Whether this process is the one that read the generation, not a fork of it. Takes one load.
  package var isCurrent: Bool {
    self.forks == countedForks
  }

  /// Starts a new generation in the child of a fork, while it has a single thread.
  static func advance() {
    countedForks += 1
  }
}

private nonisolated(unsafe) var countedForks: UInt = 0
