#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Distinguishes a process from the one that it was forked from.
///
/// An object that must not be used in the child of a fork keeps the generation that it was made in.
/// ``isCurrent`` takes no lock: the child may have inherited every lock as locked.
package struct ProcessGeneration: Equatable, Sendable {
  private let number: UInt

  /// The generation of this process. Forks that happen after the first call are counted.
  package static var current: Self {
    _ = isCountingForks
    return Self(number: forks)
  }

  /// Whether the process has not been forked since, seen from the child. O(1): one load.
  package var isCurrent: Bool {
    self.number == forks
  }
}

/// How many forks lie between this process and the first one. Only the child of a fork writes it,
/// before fork() returns there, when it has a single thread.
private nonisolated(unsafe) var forks: UInt = 0

private let isCountingForks: Bool = pthread_atfork(nil, nil) { forks += 1 } == 0
