import ImmutableData

/// Has the host make requests: the engine itself does no network.
public final class Fetcher: Sendable {
  private struct State {
    var host: Callback<FetchCall>?
    /// Whether the host is just being asked. It is asked of one request at a time.
    var isAsking = false
    /// What is under way.
    var calls: [ObjectIdentifier: FetchCall] = [:]
    /// Of that, what is for everyone who wants the same.
    var shared: [FetchRequest: FetchCall] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let hasAsked = Condition()

  init() {}

  deinit {
    self.close()
  }
}

// MARK: The host's end

extension Fetcher {
  /// Has a function make requests from now on, in place of another; `nil` for none.
  func use(_ host: Callback<FetchCall>?) {
    let (old, isClosed) = self.state.withLock { state in
      defer { state.host = state.isClosed ? nil : host }
      return (state.host, state.isClosed)
    }
    old?.cancel()
    if isClosed { host?.cancel() }
  }

  /// Gives up what is under way, and asks the host no more.
  func close() {
    let (host, calls) = self.state.withLock { state in
      defer { (state.host, state.calls, state.shared) = (nil, [:], [:]) }
      state.isClosed = true
      return (state.host, state.calls.values)
    }
    for call in calls {
      call.cancel()
    }
    host?.cancel()
  }
}

// MARK: The effect's end

extension Fetcher {
  /// Makes a request and waits for the response.
  ///
  /// - Parameters:
  ///   - milliseconds: How long to wait.
  ///   - isShared: Whether it is made once for all who want the same meanwhile: for a request that
  ///     only reads.
  public func response(
    to request: FetchRequest, within milliseconds: Int32, isShared: Bool = false
  ) throws(FetchError) -> FetchResponse {
    let call = FetchCall(request)
    let sharing = self.state.withLock { state -> FetchCall? in
      guard isShared, !state.isClosed else { return nil }
      defer { state.shared[request] = state.shared[request] ?? call }
      return state.shared[request]
    }
    if sharing == nil { self.ask(call) }
    return try (sharing ?? call).response(within: milliseconds)
  }

  /// Makes a request whose response is streamed.
  ///
  /// - Parameter onEvent: Called on the threads of the host, while it hands over the response.
  /// - Returns: The request, to be cancelled when it is not wanted any more.
  public func stream(
    _ request: FetchRequest, onEvent: @escaping @Sendable (FetchCall.Event) -> Void
  ) -> FetchCall {
    var request = request
    request.isStreamed = true
    let call = FetchCall(request, onEvent: onEvent)
    self.ask(call)
    return call
  }

  private func ask(_ call: FetchCall) {
    let host = self.state.withLock(after: self.hasAsked, until: { !$0.isAsking }) { state in
      state.isAsking = true
      if !state.isClosed { state.calls[ObjectIdentifier(call)] = call }
      return state.isClosed ? nil : state.host
    }
    call.onEnd { [weak self] in self?.forget(call) }
    if host?.call(call) != true { call.abandon(self.isClosed ? .closed : .noFetch) }
    self.state.withLock { $0.isAsking = false }
    self.hasAsked.broadcast()
  }

  private func forget(_ call: FetchCall) {
    self.state.withLock { state in
      state.calls[ObjectIdentifier(call)] = nil
      if state.shared[call.request] === call { state.shared[call.request] = nil }
    }
  }

  private var isClosed: Bool {
    self.state.withLock { $0.isClosed }
  }
}
