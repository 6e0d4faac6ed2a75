import Threading

/// Has the host make requests: the engine itself does no network.
public final class Fetcher: Sendable {
  private struct State {
    var host: Callback<FetchCall>?
    /// Earlier functions, some of which may still run or be released.
    var ending: [Callback<FetchCall>] = []
    /// Counts the functions that the host has set.
    var hostNumber = 0
    var hostHandlers: [@Sendable () -> Void] = []
    /// Whether the host is being asked. It is asked for one request at a time.
    var isAsking = false
    /// The requests that are not over.
    var calls: [ObjectIdentifier: FetchCall] = [:]
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
  /// Sets the function that makes requests from now on; `nil` removes it.
  func use(_ host: Callback<FetchCall>?) {
    let (old, isClosed, handlers) = self.state.withLock { state in
      defer {
        state.ending = state.ending.filter { !$0.isReleased } + [state.host].compactMap(\.self)
        state.host = state.isClosed ? nil : host
        state.hostNumber += 1
      }
      return (state.host, state.isClosed, state.hostHandlers)
    }
    old?.cancel()
    if isClosed { host?.cancel() }
    handlers.forEach { $0() }
  }

  /// Ends the requests that are under way, and asks the host no more.
  func close() {
    let (hosts, calls, handlers) = self.state.withLock { state in
      defer {
        (state.host, state.ending) = (nil, [])
        (state.calls, state.hostHandlers) = ([:], [])
      }
      state.isClosed = true
      let hosts = state.ending + [state.host].compactMap(\.self)
      return (hosts, state.calls.values, state.hostHandlers)
    }
    for call in calls {
      call.cancel()
    }
    for host in hosts {
      host.cancel()
    }
    // What the handlers hold is released without the lock.
    withExtendedLifetime(handlers) {}
  }

  /// How many requests are not over.
  package var count: Int {
    self.state.withLock { $0.calls.count }
  }
}

// MARK: The effect's end

extension Fetcher {
  /// Makes a request and waits for the response.
  ///
  /// - Parameter milliseconds: How long to wait.
  public func response(
    to request: FetchRequest, within milliseconds: Int32
  ) throws(FetchError) -> FetchResponse {
    let process = ProcessGeneration.current
    let call = FetchCall(request)
    self.ask(call)
    guard process.isCurrent else { throw .closed }
    return try call.response(within: milliseconds)
  }

  /// Makes a request whose response is streamed.
  ///
  /// - Parameter onEvent: Called with one event at a time, on the threads on which the host hands over
  ///   the response or on which the request is ended. It returns at once.
  /// - Returns: The request, to be cancelled when its response is no longer needed.
  public func stream(
    _ request: FetchRequest, onEvent: @escaping @Sendable (FetchCall.Event) -> Void
  ) -> FetchCall {
    var request = request
    request.isStreamed = true
    let call = FetchCall(request, onEvent: onEvent)
    self.ask(call)
    return call
  }

  /// The number of the function that makes requests, another one for each that the host sets. `nil`
  /// without a function.
  public var hostNumber: Int? {
    self.state.withLock { $0.host == nil ? nil : $0.hostNumber }
  }

  /// Calls `body` whenever the host has set or removed its function, on the thread that did so. It
  /// reads ``hostNumber``, and returns at once.
  public func onHostChange(_ body: @escaping @Sendable () -> Void) {
    self.state.withLock { state in
      guard !state.isClosed else { return }
      state.hostHandlers.append(body)
    }
  }

  private func ask(_ call: FetchCall) {
    let host = self.state.withLock(after: self.hasAsked, until: { !$0.isAsking }) { state in
      state.isAsking = true
      if !state.isClosed { state.calls[ObjectIdentifier(call)] = call }
      return state.isClosed ? nil : state.host
    }
    // By its identity: a handler that held the request would keep it until its end.
    let id = ObjectIdentifier(call)
    call.onEnd { [weak self] in
      let call = self?.state.withLock { $0.calls.removeValue(forKey: id) }
      withExtendedLifetime(call) {}
    }
    let process = ProcessGeneration.current
    let wasAsked = host?.call(call) == true
    // In the child of a fork the locks may be held by threads that are not there.
    guard process.isCurrent else { return }
    if !wasAsked { call.end(self.isClosed ? .closed : .noFetch) }
    self.state.withLock { $0.isAsking = false }
    self.hasAsked.broadcast()
  }

  private var isClosed: Bool {
    self.state.withLock { $0.isClosed }
  }
}
