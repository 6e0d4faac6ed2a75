import StateEngine

// Connects and reconnects. Except for `disconnect`, these functions run one at a time, concurrently
// with effects.

extension ChangeFollower {
  /// Connects through the host's current function.
  func connectThroughHost(in context: Context) {
    let hostGeneration = self.remote.fetcher.hostGeneration
    let (isNew, call) = self.state.withLock { state -> (Bool, FetchTask?) in
      guard state.hostGeneration != hostGeneration, !state.hasEnded else { return (false, nil) }
      state.hostGeneration = hostGeneration
      state.number += 1
      (state.isLive, state.retryDelay) = (false, Self.minimumRetryDelay)
      return (true, state.call.take())
    }
    call?.cancel()
    guard isNew else { return }
    if hostGeneration == nil {
      self.report(.didStop, in: context)
    } else {
      self.connect(in: context)
    }
  }

  private func connect(in context: Context) {
    let (number, lastId) = self.state.withLock { state in
      state.number += 1
      (state.isLive, state.isFollowing, state.reason) = (true, false, nil)
      (state.events, state.pendingResets, state.lastReceived) = (
        ServerSentEventParser(), 0, Clock.uptime
      )
      return (state.number, state.lastId)
    }
    self.report(.didBeginConnecting, in: context)
    self.watch(number, in: context)
    let call = self.remote.stream(after: lastId) { [weak self] in
      self?.receive($0, of: number, in: context)
    }
    // The response may have been rejected before there was a call to cancel.
    let isCurrent = self.state.withLock { state in
      guard state.isCurrent(number) else { return false }
      state.call = call
      return true
    }
    if !isCurrent { call.cancel() }
  }

  /// Reports that the state contains everything the server has sent so far.
  func connected(_ number: Int, in context: Context) {
    let isNew = self.state.withLock { state in
      guard state.isCurrent(number), !state.isFollowing else { return false }
      state.isFollowing = true
      return true
    }
    guard isNew else { return }
    self.report(.didConnect, in: context)
    // Fetches may have failed while the server was unreachable.
    context.perform { try self.retryFailedFetches(of: number, in: $0) }
  }

  func lost(_ number: Int, _ kind: RemoteError.Kind, in context: Context) {
    let lost = self.state.withLock { state -> (retryDelay: Int32, kind: RemoteError.Kind)? in
      guard state.number == number, !state.hasEnded else { return nil }
      (state.isLive, state.call) = (false, nil)
      defer { state.retryDelay = min(state.retryDelay * 2, Self.maximumRetryDelay) }
      return (state.retryDelay, state.reason ?? kind)
    }
    guard let lost else { return }
    let error = self.remote.error(lost.kind)
    self.report(.didDisconnect(time: Clock.now, error: "\(error)"), in: context)
    context.schedule(after: lost.retryDelay) { context in
      guard self.state.withLock({ $0.number == number && !$0.hasEnded }) else { return }
      self.connect(in: context)
    }
  }

  /// Disconnects if the server is silent for too long.
  func watch(_ number: Int, in context: Context) {
    let watch = self.state.withLock { state in
      state.watch += 1
      return state.watch
    }
    self.checkSilence(of: number, watch, in: context)
  }

  private func checkSilence(of number: Int, _ watch: Int, in context: Context) {
    let remaining = self.state.withLock { state -> Int64? in
      guard state.isCurrent(number), state.watch == watch else { return nil }
      return state.lastReceived + state.silenceLimit - Clock.uptime
    }
    guard let remaining else { return }
    guard remaining > 0 else {
      let silenceLimit = self.state.withLock(\.silenceLimit)
      return self.disconnect(number, .silent(milliseconds: silenceLimit))
    }
    context.schedule(after: Int32(clamping: remaining)) {
      self.checkSilence(of: number, watch, in: $0)
    }
  }

  func disconnect(_ number: Int, _ reason: RemoteError.Kind) {
    let call = self.state.withLock { state -> FetchTask? in
      guard state.isCurrent(number) else { return nil }
      (state.isLive, state.reason) = (false, reason)
      return state.call
    }
    call?.cancel()
  }

  func report(_ action: AnimalsAction.Data.Connection, in context: Context) {
    // This fails only if the store was closed; then nobody needs the status.
    try? context.dispatch(.data(.connection(action)))
  }
}
