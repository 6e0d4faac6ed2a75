import ImmutableData

/// A request that the host is making: the host answers at one end, an effect waits at the other.
///
/// It is over when it was answered, or when nobody wants the answer any more: what the
/// host says further is refused.
public final class FetchCall: Sendable {
  /// What becomes of a request whose response is streamed, in this order.
  public enum Event: Sendable {
    case response(status: Int)
    case part([UInt8])
    /// The response is whole, or why it is not.
    case end(FetchError?)
  }

  private struct State {
    var response: FetchResponse?
    var outcome: Result<FetchResponse, FetchError>?
  }

  public let request: FetchRequest

  private let state = Mutex(State())
  private let arrival = Condition()
  private let onEvent: @Sendable (Event) -> Void
  private let ending = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ request: FetchRequest, onEvent: @escaping @Sendable (Event) -> Void = { _ in }) {
    self.request = request
    self.onEvent = onEvent
  }

  /// How long a body may be, in bytes.
  static var bodyLimit: Int { 64 << 20 }
}

// MARK: The host's end

extension FetchCall {
  /// Hands over a part of the response, the first with its status and headers.
  ///
  /// - Throws: ``EngineError``: `closed` if the request is over; `limit` if the body is too long, and
  ///   the request is over for that.
  public func receive(
    status: Int, headers: [FetchHeader], _ part: [UInt8]
  ) throws(EngineError) {
    enum Step { case first, later, over, tooLarge }
    let step: Step = self.state.withLock { state in
      guard state.outcome == nil else { return .over }
      let isFirst = state.response == nil
      var response = state.response ?? FetchResponse(status: status, headers: headers)
      state.response = nil  // So that its body is held once.
      if !self.request.isStreamed {
        guard response.body.count + part.count <= Self.bodyLimit else { return .tooLarge }
        response.body += part
      }
      state.response = response
      return isFirst ? .first : .later
    }
    switch step {
    case .over: throw Self.over
    case .tooLarge:
      self.end(.failure(.tooLarge(limit: Self.bodyLimit)))
      throw EngineError(.limit, "the body is longer than \(Self.bodyLimit) bytes")
    case .first: self.onEvent(.response(status: status))
    case .later: break
    }
    if !part.isEmpty { self.onEvent(.part(part)) }
  }

  /// Hands over the rest of the response, or all of it.
  ///
  /// - Throws: ``EngineError``: `closed` if the request is over; `limit` if the body is too long, and
  ///   the request is over for that.
  public func resolve(
    status: Int, headers: [FetchHeader], _ part: [UInt8]
  ) throws(EngineError) {
    try self.receive(status: status, headers: headers, part)
    let response = self.state.withLock(\.response)
    guard let response, self.end(.success(response)) else { throw Self.over }
  }

  /// Says why there will be no response.
  ///
  /// - Throws: ``EngineError``: `closed` if the request is over.
  public func reject(_ reason: String) throws(EngineError) {
    guard self.end(.failure(.rejected(reason))) else { throw Self.over }
  }

  private static var over: EngineError {
    EngineError(
      .closed, "the request is over: it was answered, it was given up, or its store was closed")
  }
}

// MARK: The effect's end

extension FetchCall {
  /// Waits for the response.
  func response(within milliseconds: Int32) throws(FetchError) -> FetchResponse {
    let deadline = Deadline(milliseconds: milliseconds)
    let outcome = self.state.withLock(after: self.arrival, orAt: deadline) {
      $0.outcome != nil
    } do: {
      $0.outcome
    }
    guard let outcome else {
      self.abandon(.timedOut(milliseconds: milliseconds))
      throw .timedOut(milliseconds: milliseconds)
    }
    return try outcome.get()
  }

  /// Gives it up, if it is not over.
  public func cancel() {
    self.abandon(.closed)
  }

  func abandon(_ reason: FetchError) {
    self.end(.failure(reason))
  }

  /// Has `body` be called when it is over; at once, if it is.
  public func onEnd(_ body: @escaping @Sendable () -> Void) {
    self.ending.withLock { $0 = body }
    if self.state.withLock({ $0.outcome != nil }) { self.runEnding() }
  }

  @discardableResult
  private func end(_ outcome: Result<FetchResponse, FetchError>) -> Bool {
    let isFirst = self.state.withLock { state in
      guard state.outcome == nil else { return false }
      state.outcome = outcome
      return true
    }
    guard isFirst else { return false }
    self.arrival.broadcast()
    switch outcome {
    case .success: self.onEvent(.end(nil))
    case .failure(let error): self.onEvent(.end(error))
    }
    self.runEnding()
    return true
  }

  private func runEnding() {
    let body = self.ending.withLock { ending in
      defer { ending = nil }
      return ending
    }
    body?()
  }
}
