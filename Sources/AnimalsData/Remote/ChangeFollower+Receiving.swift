import ProductSupport
import StateEngine

// Receives the server's response and events.

extension ChangeFollower {
  func receive(_ event: FetchTask.Event, of number: Int, in context: Context) {
    switch event {
    case .response(let response): self.begin(response, of: number, in: context)
    case .part(let bytes):
      let (events, hasOverflowed) = self.state.withLock { state in
        guard state.isCurrent(number) else { return ([ServerSentEventParser.Event](), false) }
        (state.lastReceived, state.retryDelay) = (Clock.uptime, Self.minimumRetryDelay)
        let events = state.events.read(bytes)
        state.pendingResets += events.count { $0.name == "reset" }
        return (events, state.events.hasOverflowed)
      }
      for event in events {
        context.perform { try self.handle(event, of: number, in: $0) }
      }
      if hasOverflowed {
        self.disconnect(
          number, .noAnswer("an event of \(ServerSentEventParser.limit) bytes or less"))
      }
    case .end(nil): context.schedule { self.didDisconnect(number, .ended, in: $0) }
    case .end(let error?):
      context.schedule { self.didDisconnect(number, .noResponse(error), in: $0) }
    }
  }

  private func begin(_ response: FetchResponse, of number: Int, in context: Context) {
    guard response.status == 200 else { return self.disconnect(number, .refused(response)) }
    let type = response.header("Content-Type") ?? "text/event-stream"
    guard type.prefix(while: { $0 != ";" && $0 != " " }).lowercased() == "text/event-stream" else {
      return self.disconnect(number, .notEvents(type))
    }
    let heartbeat = response.header("Animals-Heartbeat").flatMap { Int64($0) }.flatMap {
      $0 > 0 ? $0 : nil
    }
    let resumes = self.state.withLock { state in
      guard state.isCurrent(number) else { return false }
      state.lastReceived = Clock.uptime
      state.heartbeat =
        heartbeat.map { $0.clamped(to: Self.heartbeatRange) } ?? Self.defaultHeartbeat
      return state.lastId != nil
    }
    context.schedule { self.startSilenceTimer(number, in: $0) }
    // Without an id to resume from, the server first sends a reset, and the follower fetches
    // everything before it reports the connection.
    if resumes { context.schedule { self.didConnect(number, in: $0) } }
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
