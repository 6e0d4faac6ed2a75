/// Distinguishes a process from the one that it was forked from.
///
/// An object that must not be used in the child of a fork keeps the generation that it was made in.
/// ``isCurrent`` takes no lock: the child may have inherited every lock as locked.
package struct ProcessGeneration: Equatable, Sendable {
  /// How many forks lie between the process and the first one that used this library.
  package let forks: UInt

  /// The generation of this process. Forks that happen after the first call are counted.
  package static var current: Self {
    ForkHandlers.register()
    return Self(forks: countedForks)
  }

  /// Whether the process has not been forked since, seen from the child. O(1): one load.
  package var isCurrent: Bool {
    self.forks == countedForks
  }

  /// Whether the process was forked from one that used this library.
  package var isForked: Bool {
    self.forks > 0
  }

  /// In the child of a fork, while it has a single thread.
  static func advance() {
    countedForks += 1
  }
}

private nonisolated(unsafe) var countedForks: UInt = 0
