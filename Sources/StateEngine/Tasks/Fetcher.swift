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
    var functionGeneration = 0
    /// `nil` after ``Fetcher/close()``.
    var functionHandlers: [@Sendable () -> Void]? = []
    /// The tasks with which the function was not called yet. It is called with one at a time.
    var waiting = Queue<FetchTask>()
    var calling = Claim()
  }

  private let function = CallbackSlot<FetchTask>()
  private let pending = PendingTasks("request")
  private let state = Mutex(State())
  private let tracer: Tracer?

  init(_ tracer: Tracer? = nil) {
    self.tracer = tracer
  }

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
  func use(_ function: Callback<FetchTask>?) {
    self.function.use(function)
    // After the function, so that a reader of the new generation uses the new function.
    let handlers = self.state.withLock { state in
      state.functionGeneration += 1
      return state.functionHandlers
    }
    handlers?.forEach { $0() }
  }

  /// Ends the requests in flight, and makes no new ones.
  func close() {
    self.pending.close()
    self.function.close()
    // The handlers are released without holding the lock.
    _ = self.state.withLock { $0.functionHandlers.take() }
  }

  /// The number of requests in flight.
  package var count: Int {
    self.pending.count
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
  ) throws(ProgramTaskError) -> FetchResponse {
    let collector = ResponseCollector()
    let task = self.makeTask(request, onEvent: collector.receive)
    self.start(task)
    return try collector.response(to: task, within: milliseconds)
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
    let task = self.makeTask(request, onEvent: onEvent)
    self.start(task)
    return task
  }

  /// A number that identifies the program's current function; `nil` without one.
  public var functionGeneration: Int? {
    self.function.current == nil ? nil : self.state.withLock { $0.functionGeneration }
  }

  /// Calls `body` whenever the program has set or removed its function, on the program's thread.
  /// `body` may read ``functionGeneration``. It must return quickly.
  public func onFunctionChange(_ body: @escaping @Sendable () -> Void) {
    self.state.withLock { $0.functionHandlers?.append(body) }
  }

  private func makeTask(
    _ request: FetchRequest, onEvent: @escaping @Sendable (FetchTask.Event) -> Void
  ) -> FetchTask {
    guard let tracer, tracer.shows(.effects) else { return FetchTask(request, onEvent: onEvent) }
    return FetchTask(request, onEvent: tracer.beginning(request, onEvent))
  }

  private func start(_ task: FetchTask) {
    guard self.pending.add(task) else { return }
    let isClaimed = self.state.withLock { state in
      state.waiting.append(task)
      return state.calling.take()
    }
    guard isClaimed else { return }
    while let task = self.state.withLock({ $0.calling.next(of: &$0.waiting) }) {
      if !task.hasEnded, !self.function.call(task) { task.end(.noFetch) }
    }
  }
}

/// Collects a response for the thread that waits for it.
final class ResponseCollector: Sendable {
  private struct State {
    /// The response so far.
    var response: FetchResponse?
    var outcome: Result<FetchResponse, ProgramTaskError>?
  }

  private let state = Mutex(State())
  private let hasEnded = Condition()
}

extension ResponseCollector {
  @Sendable func receive(_ event: FetchTask.Event) {
    self.state.withLock { state in
      switch event {
      case .response(let response): state.response = response
      case .part(let part) where state.response?.body.isEmpty == true: state.response?.body = part
      case .part(let part): state.response?.body += part
      case .end(let error):
        let response = state.response.take().map(Result<_, ProgramTaskError>.success)
        state.outcome = error.map(Result.failure) ?? response ?? .failure(.closed)
      }
    }
    self.hasEnded.broadcast()
  }

  /// Waits for the response to the task whose events this receives.
  func response(
    to task: FetchTask, within milliseconds: Int32
  ) throws(ProgramTaskError) -> FetchResponse {
    let deadline = Deadline(milliseconds: milliseconds)
    self.state.withLock(after: self.hasEnded, orAt: deadline, until: { $0.outcome != nil }) { _ in }
    // A response that arrived first wins over the timeout. Its last event may be on its way.
    task.end(.timedOut(milliseconds: milliseconds))
    let outcome = self.state.withLock(after: self.hasEnded, until: { $0.outcome != nil }) {
      $0.outcome.take()
    }
    return try (outcome ?? .failure(.closed)).get()
  }
}
