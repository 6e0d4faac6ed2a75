import ProductSupport
import StateEngine
import Threading

// Connects and reconnects. These functions, except `disconnect`, run as scheduled work: one at a
// time, and concurrently with effects.

extension ChangeFollower {
  /// Connects through the program's current function.
  func connectThroughFunction(in context: Context) {
    let functionGeneration = self.remote.fetcher.functionGeneration
    let (isNew, task) = self.state.withLock { state -> (Bool, FetchTask?) in
      guard state.functionGeneration != functionGeneration, !state.hasEnded else {
        return (false, nil)
      }
      state.functionGeneration = functionGeneration
      state.connectionNumber += 1
      (state.isLive, state.retryDelay) = (false, Self.minimumRetryDelay)
      return (true, state.task.take())
    }
    task?.cancel()
    guard isNew else { return }
    if functionGeneration == nil {
      self.report(.didStop, in: context)
    } else {
      self.connect(in: context)
    }
  }

  private func connect(in context: Context) {
    let (connection, lastId) = self.state.withLock { state in
      state.connectionNumber += 1
      (state.isLive, state.isFollowing, state.reason) = (true, false, nil)
      (state.parser, state.lastReceived) = (ServerSentEventParser(), context.uptime)
      return (state.connectionNumber, state.lastId)
    }
    self.report(.didBeginConnecting, in: context)
    self.startSilenceTimer(connection, in: context)
    let task = self.remote.stream(after: lastId) { [weak self] in
      self?.receive($0, of: connection, in: context)
    }
    // `disconnect` may have been called before `state.task` was set, and could not cancel the task.
    let isCurrent = self.state.withLock { state in
      guard state.isCurrent(connection) else { return false }
      state.task = task
      return true
    }
    if !isCurrent { task.cancel() }
  }

  /// Reports that the server's changes are applied from now on, without another fetch.
  func didConnect(_ connection: Int, in context: Context) {
    let isNew = self.state.withLock { state in
      guard state.isCurrent(connection), !state.isFollowing else { return false }
      state.isFollowing = true
      return true
    }
    guard isNew else { return }
    self.report(.didConnect, in: context)
    // Fetches may have failed while the server was unreachable.
    context.perform { try self.retryFailedFetches(of: connection, in: $0) }
  }

  /// Reports the loss of the connection, and reconnects after the retry delay.
  func didDisconnect(_ connection: Int, _ kind: RemoteError.Kind, in context: Context) {
    let loss = self.state.withLock { state -> (retryDelay: Int32, kind: RemoteError.Kind)? in
      guard state.connectionNumber == connection, !state.hasEnded else { return nil }
      (state.isLive, state.task) = (false, nil)
      defer { state.retryDelay = min(state.retryDelay * 2, Self.maximumRetryDelay) }
      return (state.retryDelay, state.reason ?? kind)
    }
    guard let loss else { return }
    let error = self.remote.error(loss.kind)
    self.report(.didDisconnect(time: context.time, error: "\(error)"), in: context)
    context.schedule(after: loss.retryDelay) { context in
      let isLast = self.state.withLock { $0.connectionNumber == connection && !$0.hasEnded }
      if isLast { self.connect(in: context) }
    }
  }

  /// Starts the timer that disconnects if the server is silent for too long. Replaces the previous
  /// one.
  func startSilenceTimer(_ connection: Int, in context: Context) {
    let timer = self.state.withLock { state in
      state.silenceTimer += 1
      return state.silenceTimer
    }
    self.checkSilence(of: connection, timer, in: context)
  }

  private func checkSilence(of connection: Int, _ timer: Int, in context: Context) {
    let remaining = self.state.withLock { state -> Int64? in
      guard state.isCurrent(connection), state.silenceTimer == timer else { return nil }
      return state.lastReceived + state.silenceLimit - context.uptime
    }
    guard let remaining else { return }
    guard remaining > 0 else {
      let silenceLimit = self.state.withLock(\.silenceLimit)
      return self.disconnect(connection, .silent(milliseconds: silenceLimit))
    }
    context.schedule(after: Int32(clamping: remaining)) {
      self.checkSilence(of: connection, timer, in: $0)
    }
  }

  /// Ends the connection from this side. The end of its task then leads to ``didDisconnect``.
  func disconnect(_ connection: Int, _ reason: RemoteError.Kind) {
    let task = self.state.withLock { state -> FetchTask? in
      guard state.isCurrent(connection) else { return nil }
      (state.isLive, state.reason) = (false, reason)
      return state.task
    }
    task?.cancel()
  }

  func report(_ action: AnimalsAction.Data.Connection, in context: Context) {
    // Fails only if the store was closed, and then its state no longer matters.
    try? context.dispatch(.data(.connection(action)))
  }
}
