import Threading

/// Passes HTTP requests to the program. The engine itself does not use the network.
///
/// ```swift
/// let fetcher = Fetcher { task in
///   try? task.resolve(status: 200, headers: [], Array("hello".utf8))
/// }
/// ```
public final class Fetcher: Sendable {
  private struct State {
    /// The number of times that the program has set or removed its function.
    var hostGeneration = 0
    var hostHandlers: [@Sendable () -> Void] = []
    /// Whether the program is being called. It is called for one request at a time.
    var isCalling = false
    /// The requests in flight.
    var tasks: [ObjectIdentifier: FetchTask] = [:]
    var isClosed = false
  }

  private let host = CallbackSlot<FetchTask>()
  private let state = Mutex(State())
  private let hasCalled = Condition()

  init() {}

  /// Creates a fetcher for a program that uses effects without an ``AnyStore``.
  ///
  /// - Parameter fetch: Called on a thread of the engine, with one request at a time. It starts the
  ///   request and returns; any thread may answer. It must not follow redirects, which would send a
  ///   token to another server.
  public convenience init(_ fetch: @escaping @Sendable (FetchTask) -> Void) {
    self.init()
    self.use(Callback(fetch))
  }

  deinit {
    self.close()
  }
}

// MARK: The program's side

extension Fetcher {
  /// Sets the function that performs requests from now on; `nil` removes it.
  func use(_ host: Callback<FetchTask>?) {
    self.host.use(host)
    // After the function, so that a reader of the new generation uses the new function.
    let handlers = self.state.withLock { state in
      state.hostGeneration += 1
      return state.hostHandlers
    }
    handlers.forEach { $0() }
  }

  /// Ends the requests in flight, and makes no new ones.
  func close() {
    let (tasks, handlers) = self.state.withLock { state in
      defer { (state.tasks, state.hostHandlers) = ([:], []) }
      state.isClosed = true
      return (state.tasks.values, state.hostHandlers)
    }
    for task in tasks {
      task.cancel()
    }
    self.host.close()
    // The handlers are released without holding the lock.
    withExtendedLifetime(handlers) {}
  }

  /// The number of requests in flight.
  package var count: Int {
    self.state.withLock { $0.tasks.count }
  }
}

// MARK: The effect's side

extension Fetcher {
  /// Makes a request and waits for the response.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - milliseconds: The timeout.
  public func response(
    to request: FetchRequest, within milliseconds: Int32
  ) throws(FetchError) -> FetchResponse {
    let task = FetchTask(request)
    self.start(task)
    return try task.response(within: milliseconds)
  }

  /// Makes a request whose response is streamed.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - onEvent: Called with one event at a time, on the threads that deliver the response or end
  ///     the request. It must return quickly.
  /// - Returns: The task. Cancel it when the response is no longer needed.
  public func stream(
    _ request: FetchRequest, onEvent: @escaping @Sendable (FetchTask.Event) -> Void
  ) -> FetchTask {
    var request = request
    request.isStreamed = true
    let task = FetchTask(request, onEvent: onEvent)
    self.start(task)
    return task
  }

  /// A number that identifies the program's current function; `nil` without one.
  public var hostGeneration: Int? {
    self.host.current == nil ? nil : self.state.withLock { $0.hostGeneration }
  }

  /// Calls `body` whenever the program has set or removed its function, on the program's thread.
  /// `body` may read ``hostGeneration``. It must return quickly.
  public func onHostChange(_ body: @escaping @Sendable () -> Void) {
    self.state.withLock { state in
      guard !state.isClosed else { return }
      state.hostHandlers.append(body)
    }
  }

  private func start(_ task: FetchTask) {
    let isClosed = self.state.withLock(after: self.hasCalled, until: { !$0.isCalling }) { state in
      state.isCalling = true
      if !state.isClosed { state.tasks[ObjectIdentifier(task)] = task }
      return state.isClosed
    }
    // The handler captures the identity: capturing the task would retain it until its end.
    let id = ObjectIdentifier(task)
    task.onEnd { [weak self] in
      let task = self?.state.withLock { $0.tasks.removeValue(forKey: id) }
      // Released after the lock.
      withExtendedLifetime(task) {}
    }
    let wasCalled = !isClosed && self.host.call(task)
    if !wasCalled { task.end(self.isClosed ? .closed : .noFetch) }
    self.state.withLock { $0.isCalling = false }
    self.hasCalled.broadcast()
  }

  private var isClosed: Bool {
    self.state.withLock { $0.isClosed }
  }
}
