/// Distinguishes a process from the one that it was forked from.
///
/// An object that must not be used in the child of a fork keeps the generation that it was made in.
/// ``isCurrent`` takes no lock: the child may have inherited every lock as locked.
package struct ProcessGeneration: Equatable, Sendable {
  private let number: UInt

  /// The generation of this process. Forks that happen after the first call are counted.
  package static var current: Self {
    ForkHandlers.register()
    return Self(number: forks)
  }

  /// Whether the process has not been forked since, seen from the child. O(1): one load.
  package var isCurrent: Bool {
    self.number == forks
  }

  /// In the child of a fork, while it has a single thread.
  static func advance() {
    forks += 1
  }
}

/// How many forks lie between this process and the first one.
private nonisolated(unsafe) var forks: UInt = 0
