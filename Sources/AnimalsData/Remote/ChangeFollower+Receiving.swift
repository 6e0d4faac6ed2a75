import ProductSupport
import StateEngine
import Threading

// Receives the server's response and events.

extension ChangeFollower {
  func receive(_ event: FetchTask.Event, of connection: Int, in context: Context) {
    switch event {
    case .response(let response): self.begin(response, of: connection, in: context)
    case .part(let bytes):
      let (begins, problem) = self.state.withLock { state in
        guard state.isCurrent(connection) else { return (false, RemoteError.Kind?.none) }
        let problem = state.receive(bytes, at: context.uptime)
        return (state.backlog.beginHandling(), problem)
      }
      if begins { context.perform { try self.handleNext(in: $0) } }
      if let problem { self.disconnect(connection, problem) }
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
      state.lastReceived = context.uptime
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

extension ChangeFollower.State {
  /// Receives bytes of the current connection.
  ///
  /// - Returns: Why to disconnect; `nil` to stay connected.
  fileprivate mutating func receive(_ bytes: [UInt8], at time: Int64) -> RemoteError.Kind? {
    (self.lastReceived, self.retryDelay) = (time, ChangeFollower.minimumRetryDelay)
    for event in self.parser.read(bytes) where !self.backlog.append(event) {
      self.droppedEvents += self.backlog.count + 1
      self.backlog.removeAll()
      // Without an id, the next connection begins with a reset.
      self.lastId = nil
      return .tooManyEvents
    }
    return self.parser.hasOverflowed ? .eventTooLong(limit: ServerSentEventParser.limit) : nil
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
