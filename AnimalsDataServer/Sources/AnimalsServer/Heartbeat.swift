import ServiceLifecycle

/// Sends a comment to all who read changes, again and again.
struct Heartbeat: Service {
  let store: ServedStore
  let interval: Duration

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        try await Task.sleep(for: self.interval)
        try await self.store.sendComment()
      }
    }
  }
}
