import Glibc

/// A file descriptor that is readable while its owner is ready, for `poll(2)` and event loops.
///
/// A pipe that holds one byte or none. Calls of ``set(_:)`` must not be concurrent: the owner makes
/// them with its own lock held.
package final class ReadySignal: @unchecked Sendable {
  package let descriptor: Int32
  private let writeEnd: Int32
  private var isReady = false

  /// Returns `nil` if the process has no descriptors left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    ends = ends.map(aboveStandardStreams)
    guard ends.allSatisfy({ $0 >= 0 }) else {
      for end in ends where end >= 0 { close(end) }
      return nil
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.descriptor = ends[0]
    self.writeEnd = ends[1]
  }

  deinit {
    close(self.descriptor)
    close(self.writeEnd)
  }

  package func set(_ isReady: Bool) {
    guard isReady != self.isReady else { return }
    self.isReady = isReady
    var byte: UInt8 = 0
    if isReady {
      _ = write(self.writeEnd, &byte, 1)
    } else {
      _ = read(self.descriptor, &byte, 1)
    }
  }
}
