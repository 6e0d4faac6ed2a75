#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The library's fork handlers, registered in one place so that their order is fixed.
///
/// Before a fork the forking thread takes the ``ForkLock``; the parent releases it. In the child
/// the ``ProcessGeneration`` advances first, so that inherited databases refuse to work. Then the
/// lock is reinitialized, and the added functions run in the order in which they were added.
package enum ForkHandlers {
  /// Runs `body` in the child of each later fork, where no other thread exists.
  package static func addForChild(_ body: @escaping @Sendable () -> Void) {
    // First, because a fork waits for the fork lock only if the handlers are registered.
    self.register()
    // Excludes forks, so that a child never inherits the list's lock while it is held.
    ForkLock.shared.excludingForks {
      childHandlers.withLock { $0.append(body) }
    }
  }

  /// Registers the handlers with the system. Later calls do nothing.
  static func register() {
    _ = isRegistered
  }

  /// Whether the handlers are registered: `false` if the process had no memory for them.
  package static var areRegistered: Bool {
    isRegistered
  }
}

private let childHandlers = Mutex<[@Sendable () -> Void]>([])

private let isRegistered: Bool = {
  // Initializes the globals that the handlers use: if another thread initialized one during a fork,
  // the child would wait forever.
  _ = ForkLock.shared
  childHandlers.withLock { _ in }
  let result = pthread_atfork(
    { ForkLock.shared.lockForFork() },
    { ForkLock.shared.unlockInParent() },
    {
      ProcessGeneration.advance()
      ForkLock.shared.resetInChild()
      for body in childHandlers.withLock({ $0 }) { body() }
    })
  return result == 0
}()
