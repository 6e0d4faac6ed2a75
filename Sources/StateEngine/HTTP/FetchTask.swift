import Threading

/// A request in flight: the program answers it, and an effect waits for the answer.
///
/// A request ends once: with its response, with the reason for its failure, or when the effect
/// stops waiting. Whichever comes first wins; later calls by the program throw
/// ``EngineError/Code/closed``. After its end, the request retains neither its response nor its
/// handlers.
public final class FetchTask: Sendable {
  /// The events of a streamed response, in this order.
  public enum Event: Sendable {
    /// The status and the headers; the body is empty.
    case response(FetchResponse)
    case part([UInt8])
    /// The response is complete, or has failed. This is the last event.
    case end(FetchError?)
  }

  fileprivate struct State {
    /// The response so far.
    var response: FetchResponse?
    /// The result, until the effect takes it.
    var outcome: Result<FetchResponse, FetchError>?
    var hasEnded = false
    var endHandlers: [@Sendable () -> Void] = []

    /// The events to deliver, in order.
    var events = Queue<Event>()
    var delivery = Claim()
    var onEvent: (@Sendable (Event) -> Void)?
  }

  public let request: FetchRequest

  private let state: Mutex<State>
  private let arrival = Condition()

  init(_ request: FetchRequest, onEvent: (@Sendable (Event) -> Void)? = nil) {
    self.request = request
    self.state = Mutex(State(onEvent: onEvent))
  }

  /// The limit of a body, in bytes.
  static var bodyLimit: Int { 64 << 20 }
}

// MARK: The program's side

extension FetchTask {
  /// Receives a part of the response; the first part has its status and headers.
  ///
  /// - Throws: ``EngineError``: `closed` if the request has ended; `limit` if the body is too long,
  ///   which ends the request.
  public func receive(
    status: Int, headers: [FetchHeader], _ part: [UInt8]
  ) throws(EngineError) {
    try self.receive(status, headers, part, isLast: false)
  }

  /// Receives the rest of the response and ends the request.
  ///
  /// - Throws: ``EngineError``: `closed` if the request has ended; `limit` if the body is too long,
  ///   which ends the request.
  public func resolve(
    status: Int, headers: [FetchHeader], _ part: [UInt8]
  ) throws(EngineError) {
    try self.receive(status, headers, part, isLast: true)
  }

  /// Ends the request without a complete response.
  ///
  /// - Throws: ``EngineError``: `closed` if the request has ended.
  public func reject(_ reason: String) throws(EngineError) {
    guard self.end(.rejected(reason)) else { throw Self.ended }
  }

  /// Ends the request because an argument of the program exceeds a limit.
  package func endBeyondLimit(_ message: String) {
    self.end(.tooLarge(message))
  }

  private static var longResponse: String {
    "the response is longer than \(Self.bodyLimit) bytes"
  }

  package static var ended: EngineError {
    EngineError(
      .closed, "the request has ended: it was answered or cancelled, or its store was closed")
  }

  private enum ReceiveResult {
    case received, ended, tooLarge
  }

  private func receive(
    _ status: Int, _ headers: [FetchHeader], _ part: [UInt8], isLast: Bool
  ) throws(EngineError) {
    let (result, endHandlers) = self.state.withLock {
      state -> (ReceiveResult, [@Sendable () -> Void]) in
      guard !state.hasEnded else { return (.ended, []) }
      let isWithinLimit = state.add(status, headers, part, isStreamed: self.request.isStreamed)
      guard isWithinLimit else {
        return (.tooLarge, state.end(.failure(.tooLarge(Self.longResponse))))
      }
      return (.received, isLast ? state.end() : [])
    }
    if isLast || result == .tooLarge { self.arrival.broadcast() }
    self.deliverEvents()
    endHandlers.forEach { $0() }
    switch result {
    case .received: break
    case .ended: throw Self.ended
    case .tooLarge: throw EngineError(.limit, "the body is longer than \(Self.bodyLimit) bytes")
    }
  }
}

// MARK: The effect's side

extension FetchTask {
  /// Waits for the response.
  func response(within milliseconds: Int32) throws(FetchError) -> FetchResponse {
    self.state.withLock(after: self.arrival, orAt: Deadline(milliseconds: milliseconds)) {
      $0.hasEnded
    } do: { _ in
    }
    // An answer that arrived first wins over the timeout.
    self.end(.timedOut(milliseconds: milliseconds))
    let outcome = self.state.withLock { $0.outcome.take() }
    return try (outcome ?? .failure(.closed)).get()
  }

  /// Ends the request, if it has not ended.
  public func cancel() {
    self.end(.closed)
  }

  /// Calls `body` when the request ends; immediately if it has ended.
  public func onEnd(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = self.state.withLock { state in
      if !state.hasEnded { state.endHandlers.append(body) }
      return state.hasEnded
    }
    if hasEnded { body() }
  }

  /// - Returns: Whether this call ended the request.
  @discardableResult
  func end(_ reason: FetchError) -> Bool {
    let endHandlers = self.state.withLock { $0.hasEnded ? nil : $0.end(.failure(reason)) }
    guard let endHandlers else { return false }
    self.arrival.broadcast()
    self.deliverEvents()
    endHandlers.forEach { $0() }
    return true
  }

  /// Delivers the queued events, one at a time and in order. If another thread is already
  /// delivering, it delivers these too, so that no thread waits for another.
  private func deliverEvents() {
    let onEvent = self.state.withLock { state -> (@Sendable (Event) -> Void)? in
      guard !state.events.isEmpty, state.delivery.take() else { return nil }
      return state.onEvent
    }
    guard let onEvent else { return }
    while let event = self.nextEvent() {
      onEvent(event)
    }
  }

  private func nextEvent() -> Event? {
    let (event, finished) = self.state.withLock { state in
      let event = state.delivery.next(of: &state.events)
      return (event, state.hasEnded && event == nil ? state.onEvent.take() : nil)
    }
    // The handler is released without holding the lock.
    withExtendedLifetime(finished) {}
    return event
  }
}

extension FetchTask.State {
  /// - Returns: Whether the body is within the limit.
  mutating func add(
    _ status: Int, _ headers: [FetchHeader], _ part: [UInt8], isStreamed: Bool
  ) -> Bool {
    let isFirst = self.response == nil
    var response = self.response.take() ?? FetchResponse(status: status, headers: headers)
    guard isStreamed || response.body.count + part.count <= FetchTask.bodyLimit else {
      return false
    }
    if isStreamed {
      if isFirst { self.events.append(.response(response)) }
      if !part.isEmpty { self.events.append(.part(part)) }
    } else if response.body.isEmpty {
      response.body = part
    } else {
      response.body += part
    }
    self.response = response
    return true
  }

  /// Ends the request with the response so far.
  mutating func end() -> [@Sendable () -> Void] {
    self.end(self.response.map(Result.success) ?? .failure(.closed))
  }

  /// - Returns: The handlers to call without holding the lock.
  mutating func end(
    _ outcome: Result<FetchResponse, FetchError>
  ) -> [@Sendable () -> Void] {
    (self.hasEnded, self.response) = (true, nil)
    if self.onEvent == nil {
      self.outcome = outcome
    } else if case .failure(let error) = outcome {
      self.events.append(.end(error))
    } else {
      self.events.append(.end(nil))
    }
    defer { self.endHandlers = [] }
    return self.endHandlers
  }
}
