#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What this library does when the host forks the process, in one place so that the order is fixed.
///
/// Before the fork the thread that forks takes the ``ForkLock``. The parent releases it. In the child
/// the ``ProcessGeneration`` advances first, so that inherited objects refuse; then the lock is made
/// anew, and the functions that were added run in the order in which they were added.
package enum ForkHandlers {
  /// Has `body` run in the child of each later fork, where no other thread runs.
  package static func addForChild(_ body: @escaping @Sendable () -> Void) {
    // No fork happens meanwhile, so the child finds the list unlocked.
    ForkLock.shared.excludingForks {
      childHandlers.withLock { $0.append(body) }
    }
    self.register()
  }

  /// Registers the handlers with the system, once.
  static func register() {
    _ = isRegistered
  }
}

private let childHandlers = Mutex<[@Sendable () -> Void]>([])

private let isRegistered: Bool = {
  // Initialized before a handler can use them.
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
