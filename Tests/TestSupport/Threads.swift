import Threading

/// Runs `body` for each number below `count`, each on its own thread, and waits for all of them.
/// The threads begin together.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let started = Mutex(0)
  let hasStarted = Condition()
  let threads = (0..<count).map { number in
    let thread = Thread.start {
      started.withLock { $0 += 1 }
      hasStarted.broadcast()
      started.wait(for: hasStarted) { $0 == count }
      body(number)
    }
    guard let thread else { preconditionFailure("the system cannot create another thread") }
    return thread
  }
  for thread in threads {
    thread.join()
  }
}
