import Threading

/// A request that the host is making: the host answers at one end, an effect waits at the other.
///
/// A request ends once: with its response, with a reason why there is none, or because the effect
/// stopped waiting. The first of these wins whole; the host's later calls get
/// ``EngineError/Code/closed``. After the end the request keeps neither its response nor its
/// handlers.
public final class FetchCall: Sendable {
  /// What an effect receives of a response that is streamed, in this order.
  public enum Event: Sendable {
    /// The status and the headers; the body is empty.
    case response(FetchResponse)
    case part([UInt8])
    /// The response is complete, or why it is not. Nothing follows.
    case end(FetchError?)
  }

  fileprivate struct State {
    /// What has arrived so far.
    var response: FetchResponse?
    /// What the effect has still to take.
    var outcome: Result<FetchResponse, FetchError>?
    var isOver = false
    var endings: [@Sendable () -> Void] = []

    /// In the order in which the host's calls won, and who delivers them.
    var events = Queue<Event>()
    var isDelivering = false
    var onEvent: (@Sendable (Event) -> Void)?
  }

  public let request: FetchRequest

  private let state: Mutex<State>
  private let arrival = Condition()

  init(_ request: FetchRequest, onEvent: (@Sendable (Event) -> Void)? = nil) {
    self.request = request
    self.state = Mutex(State(onEvent: onEvent))
  }

  /// How long a body may be, in bytes.
  static var bodyLimit: Int { 64 << 20 }
}

// MARK: The host's end

extension FetchCall {
  /// Takes a part of the response, the first with its status and headers.
  ///
  /// - Throws: ``EngineError``: `closed` if the request is over; `limit` if the body is too long, which
  ///   ends the request.
  public func receive(
    status: Int, headers: [FetchHeader], _ part: [UInt8]
  ) throws(EngineError) {
    try self.take(status, headers, part, isLast: false)
  }

  /// Takes the rest of the response, or all of it, and ends the request.
  ///
  /// - Throws: ``EngineError``: `closed` if the request is over; `limit` if the body is too long, which
  ///   ends the request.
  public func resolve(
    status: Int, headers: [FetchHeader], _ part: [UInt8]
  ) throws(EngineError) {
    try self.take(status, headers, part, isLast: true)
  }

  /// Ends the request without a response, or without the rest of it.
  ///
  /// - Throws: ``EngineError``: `closed` if the request is over.
  public func reject(_ reason: String) throws(EngineError) {
    guard self.end(.rejected(reason)) else { throw Self.over }
  }

  package static var over: EngineError {
    EngineError(
      .closed, "the request is over: it was answered, it was given up, or its store was closed")
  }

  private enum Step {
    case taken, over, tooLarge
  }

  private func take(
    _ status: Int, _ headers: [FetchHeader], _ part: [UInt8], isLast: Bool
  ) throws(EngineError) {
    let (step, endings) = self.state.withLock { state in
      guard !state.isOver else { return (Step.over, State.noEndings) }
      let isTaken = state.add(status, headers, part, isStreamed: self.request.isStreamed)
      guard isTaken else {
        return (.tooLarge, state.end(.failure(.tooLarge(limit: Self.bodyLimit))))
      }
      return (.taken, isLast ? state.end() : State.noEndings)
    }
    if isLast || step == .tooLarge { self.arrival.broadcast() }
    self.deliverEvents()
    endings.forEach { $0() }
    switch step {
    case .taken: break
    case .over: throw Self.over
    case .tooLarge: throw EngineError(.limit, "the body is longer than \(Self.bodyLimit) bytes")
    }
  }
}

// MARK: The effect's end

extension FetchCall {
  /// Waits for the response and takes it.
  func response(within milliseconds: Int32) throws(FetchError) -> FetchResponse {
    self.state.withLock(after: self.arrival, orAt: Deadline(milliseconds: milliseconds)) {
      $0.isOver
    } do: { _ in
    }
    // An answer that came first wins, also at the last moment.
    self.end(.timedOut(milliseconds: milliseconds))
    let outcome = self.state.withLock { $0.outcome.take() }
    return try (outcome ?? .failure(.closed)).get()
  }

  /// Ends the request, if it is not over.
  public func cancel() {
    self.end(.closed)
  }

  /// Calls `body` when the request is over; at once, if it is.
  public func onEnd(_ body: @escaping @Sendable () -> Void) {
    let isOver = self.state.withLock { state in
      if !state.isOver { state.endings.append(body) }
      return state.isOver
    }
    if isOver { body() }
  }

  /// - Returns: Whether this call ended the request.
  @discardableResult
  func end(_ reason: FetchError) -> Bool {
    let endings = self.state.withLock { $0.isOver ? nil : $0.end(.failure(reason)) }
    guard let endings else { return false }
    self.arrival.broadcast()
    self.deliverEvents()
    endings.forEach { $0() }
    return true
  }

  /// Delivers the events that wait, unless another thread is at it: that one then delivers these too.
  ///
  /// So they are delivered one at a time and in order, and no thread waits for another.
  private func deliverEvents() {
    let onEvent = self.state.withLock { state -> (@Sendable (Event) -> Void)? in
      guard !state.isDelivering, !state.events.isEmpty else { return nil }
      state.isDelivering = true
      return state.onEvent
    }
    guard let onEvent else { return }
    while let event = self.nextEvent() {
      onEvent(event)
    }
  }

  private func nextEvent() -> Event? {
    let (event, finished) = self.state.withLock { state in
      let event = state.events.popFirst()
      state.isDelivering = event != nil
      return (event, state.isOver && event == nil ? state.onEvent.take() : nil)
    }
    // What the handler holds is released without the lock.
    withExtendedLifetime(finished) {}
    return event
  }
}

extension FetchCall.State {
  static var noEndings: [@Sendable () -> Void] { [] }

  /// - Returns: Whether the body is not too long for it.
  mutating func add(
    _ status: Int, _ headers: [FetchHeader], _ part: [UInt8], isStreamed: Bool
  ) -> Bool {
    let isFirst = self.response == nil
    var response = self.response.take() ?? FetchResponse(status: status, headers: headers)
    if isStreamed {
      if isFirst { self.events.append(.response(response)) }
      if !part.isEmpty { self.events.append(.part(part)) }
    } else if response.body.isEmpty {
      response.body = part
    } else if response.body.count + part.count <= FetchCall.bodyLimit {
      response.body += part
    } else {
      return false
    }
    self.response = response
    return response.body.count <= FetchCall.bodyLimit
  }

  /// Ends the request with the response that has arrived.
  mutating func end() -> [@Sendable () -> Void] {
    self.end(self.response.map(Result.success) ?? .failure(.closed))
  }

  /// - Returns: The handlers of the end, to be called without the lock.
  mutating func end(
    _ outcome: Result<FetchResponse, FetchError>
  ) -> [@Sendable () -> Void] {
    (self.isOver, self.response) = (true, nil)
    if self.onEvent == nil {
      self.outcome = outcome
    } else if case .failure(let error) = outcome {
      self.events.append(.end(error))
    } else {
      self.events.append(.end(nil))
    }
    defer { self.endings = [] }
    return self.endings
  }
}
