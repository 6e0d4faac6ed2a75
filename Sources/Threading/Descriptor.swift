import Glibc

/// Opens or makes a file, whose descriptor other programs do not inherit.
///
/// - Returns: A descriptor that ``aboveStandardStreams(_:)`` has moved; negative if that fails, as
///   `errno` says.
package func openDescriptor(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  var descriptor: Int32
  repeat {
    descriptor = open(path, flags | O_CLOEXEC, mode)
  } while descriptor < 0 && errno == EINTR
  return aboveStandardStreams(descriptor)
}

/// Moves a new descriptor above those of the standard streams.
///
/// In a program that was started without one of these streams, the next file gets its number. What
/// the program then writes to standard error would be written to that file.
///
/// - Returns: Negative if it was, or if there are no descriptors left, as `errno` says.
package func aboveStandardStreams(_ descriptor: Int32) -> Int32 {
  guard 0...STDERR_FILENO ~= descriptor else { return descriptor }
  let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
  let number = errno
  close(descriptor)
  errno = number
  return moved
}

/// The descriptors that a child of a fork closes. Used only while forks are excluded, so that a
/// child does not inherit the list locked.
package enum OpenDescriptors {
  private static let all = Mutex<[Int32]>([])

  private static let handler: Void = ForkHandlers.addForChild {
    all.withLock { descriptors in
      for descriptor in descriptors { close(descriptor) }
      descriptors = []
    }
  }

  package static func insert(_ descriptor: Int32) {
    self.all.withLock { $0.append(descriptor) }
  }

  package static func remove(_ descriptor: Int32) {
    self.all.withLock { $0.removeAll { $0 == descriptor } }
  }

  package static func closeInChildren() {
    _ = self.handler
  }
}
