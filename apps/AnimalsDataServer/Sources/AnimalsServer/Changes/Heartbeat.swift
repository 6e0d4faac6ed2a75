import ServiceLifecycle

/// Sends a comment to all readers of changes at regular intervals.
package struct Heartbeat: Service {
  private let store: ServedStore
  private let interval: Duration

  package init(store: ServedStore, interval: Duration) {
    self.store = store
    self.interval = interval
  }

  package func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        try await Task.sleep(for: self.interval)
        try await self.store.sendComment()
      }
    }
  }
}
