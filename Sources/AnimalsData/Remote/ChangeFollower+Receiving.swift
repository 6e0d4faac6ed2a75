import ProductSupport
import StateEngine

// Receives the server's response and events.

extension ChangeFollower {
  func receive(_ event: FetchTask.Event, of connection: Int, in context: Context) {
    switch event {
    case .response(let response): self.begin(response, of: connection, in: context)
    case .part(let bytes):
      let (events, hasOverflowed) = self.state.withLock { state in
        guard state.isCurrent(connection) else { return ([ServerSentEventParser.Event](), false) }
        (state.lastReceived, state.retryDelay) = (Clock.uptime, Self.minimumRetryDelay)
        let events = state.parser.read(bytes)
        state.pendingResets += events.count { $0.name == "reset" }
        return (events, state.parser.hasOverflowed)
      }
      for event in events {
        context.perform { try self.handle(event, of: connection, in: $0) }
      }
      if hasOverflowed {
        self.disconnect(connection, .eventTooLong(limit: ServerSentEventParser.limit))
      }
    case .end(nil): context.schedule { self.didDisconnect(connection, .ended, in: $0) }
    case .end(let error?):
      context.schedule { self.didDisconnect(connection, .noResponse(error), in: $0) }
    }
  }

  private func begin(_ response: FetchResponse, of connection: Int, in context: Context) {
    guard response.status == 200 else { return self.disconnect(connection, .refused(response)) }
    let eventStream = "text/event-stream"
    guard (response.mediaType ?? eventStream) == eventStream else {
      return self.disconnect(connection, .notEvents(response.header("Content-Type") ?? ""))
    }
    let heartbeat = response.header("Animals-Heartbeat").flatMap { Int64($0) } ?? 0
    let resumes = self.state.withLock { state in
      guard state.isCurrent(connection) else { return false }
      state.lastReceived = Clock.uptime
      state.heartbeat =
        heartbeat > 0 ? heartbeat.clamped(to: Self.heartbeatRange) : Self.defaultHeartbeat
      return state.lastId != nil
    }
    context.schedule { self.startSilenceTimer(connection, in: $0) }
    // Without an id to resume from, the server first sends a reset, and the follower fetches
    // everything before it reports the connection.
    if resumes { context.schedule { self.didConnect(connection, in: $0) } }
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
