import StateEngine

// How it connects. All of it but `cut` runs beside the effects, one after the other.

extension ChangeFollower {
  /// Connects by the function that the host has now.
  func useHost(in context: Context) {
    let hostNumber = self.remote.fetcher.hostNumber
    let (isNew, call) = self.state.withLock { state -> (Bool, FetchCall?) in
      guard state.hostNumber != hostNumber, !state.isOver else { return (false, nil) }
      state.hostNumber = hostNumber
      state.number += 1
      (state.isLive, state.pause) = (false, Self.shortestPause)
      return (true, state.call.take())
    }
    call?.cancel()
    guard isNew else { return }
    if hostNumber == nil {
      self.report(.didStop, in: context)
    } else {
      self.connect(in: context)
    }
  }

  private func connect(in context: Context) {
    let (number, lastId) = self.state.withLock { state in
      state.number += 1
      (state.isLive, state.isFollowing, state.reason) = (true, false, nil)
      (state.events, state.resets, state.lastSign) = (ServerSentEventParser(), 0, Clock.uptime)
      return (state.number, state.lastId)
    }
    self.report(.didBeginConnecting, in: context)
    self.watch(number, in: context)
    let call = self.remote.stream(after: lastId) { [weak self] in
      self?.receive($0, of: number, in: context)
    }
    // The answer may have been refused before there was a call to cancel.
    let isCurrent = self.state.withLock { state in
      guard state.isCurrent(number) else { return false }
      state.call = call
      return true
    }
    if !isCurrent { call.cancel() }
  }

  /// Notes that what the server has sent so far is in the state.
  func connected(_ number: Int, in context: Context) {
    let isNew = self.state.withLock { state in
      guard state.isCurrent(number), !state.isFollowing else { return false }
      state.isFollowing = true
      return true
    }
    guard isNew else { return }
    self.report(.didConnect, in: context)
    // What failed while the server could not be reached is fetched again.
    context.perform { try self.fetchFailed(of: number, in: $0) }
  }

  func lost(_ number: Int, _ kind: RemoteError.Kind, in context: Context) {
    let lost = self.state.withLock { state -> (pause: Int32, kind: RemoteError.Kind)? in
      guard state.number == number, !state.isOver else { return nil }
      (state.isLive, state.call) = (false, nil)
      defer { state.pause = min(state.pause * 2, Self.longestPause) }
      return (state.pause, state.reason ?? kind)
    }
    guard let lost else { return }
    let error = self.remote.error(lost.kind)
    self.report(.didDisconnect(time: Clock.now, error: "\(error)"), in: context)
    context.schedule(after: lost.pause) { context in
      guard self.state.withLock({ $0.number == number && !$0.isOver }) else { return }
      self.connect(in: context)
    }
  }

  /// Cuts the connection if the server gives no sign for too long.
  func watch(_ number: Int, in context: Context) {
    let watch = self.state.withLock { state in
      state.watch += 1
      return state.watch
    }
    self.listen(to: number, watch, in: context)
  }

  private func listen(to number: Int, _ watch: Int, in context: Context) {
    let left = self.state.withLock { state -> Int64? in
      guard state.isCurrent(number), state.watch == watch else { return nil }
      return state.lastSign + state.patience - Clock.uptime
    }
    guard let left else { return }
    guard left > 0 else {
      let patience = self.state.withLock(\.patience)
      return self.cut(number, .silent(milliseconds: patience))
    }
    context.schedule(after: Int32(clamping: left)) { self.listen(to: number, watch, in: $0) }
  }

  func cut(_ number: Int, _ reason: RemoteError.Kind) {
    let call = self.state.withLock { state -> FetchCall? in
      guard state.isCurrent(number) else { return nil }
      (state.isLive, state.reason) = (false, reason)
      return state.call
    }
    call?.cancel()
  }

  func report(_ action: AnimalsAction.Data.Connection, in context: Context) {
    // This fails only if the store was closed, and then nobody wants to know.
    try? context.dispatch(.data(.connection(action)))
  }
}
