import Threading

/// A request in flight, which the program answers.
///
/// It ends with its response, with the reason for its failure, or when its effect cancels it or
/// stops waiting.
public final class FetchTask: ProgramTask, @unchecked Sendable {
  /// The events of a response, in this order.
  public enum Event: Sendable {
    /// The status and the headers; the body is empty.
    case response(FetchResponse)
    case part([UInt8])
    /// The response is complete, or has failed. This is the last event.
    case end(ProgramTaskError?)
  }

  fileprivate struct Response {
    var hasBegun = false
    /// The length of the body so far, in bytes.
    var length = 0
    /// The events to deliver, in order.
    var events = Queue<Event>()
    var delivery = Claim()
    /// `nil` after the last event.
    var onEvent: (@Sendable (Event) -> Void)?
  }

  public let request: FetchRequest

  private let response: Mutex<Response>

  /// - Parameter onEvent: Called with one event at a time.
  init(_ request: FetchRequest, onEvent: @escaping @Sendable (Event) -> Void) {
    self.request = request
    self.response = Mutex(Response(onEvent: onEvent))
    super.init()
  }

  /// The limit of a body that is not streamed, in bytes.
  static var bodyLimit: Int { 64 << 20 }

  package override class var ended: EngineError {
    EngineError(
      .closed, "the request has ended: it was answered or cancelled, or its store was closed")
  }

  @discardableResult
  override func end(_ error: ProgramTaskError) -> Bool {
    self.update {
      self.response.withLock { $0.events.append(.end(error)) }
      return true
    } then: {
      self.deliverEvents()
    }
  }
}

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

  /// Ends the request, if it has not ended.
  public func cancel() {
    self.end(.closed)
  }

  /// Ends the request because an argument of the program exceeds a limit.
  package func endBeyondLimit(_ message: String) {
    self.end(.limit(message))
  }

  private func receive(
    _ status: Int, _ headers: [FetchHeader], _ part: [UInt8], isLast: Bool
  ) throws(EngineError) {
    let limit = self.request.isStreamed ? Int.max : Self.bodyLimit
    var isTooLong = false
    let wasOpen = self.update {
      self.response.withLock { response in
        isTooLong = !response.add(status, headers, part, limit: limit)
        if isTooLong {
          let reason = "the response is longer than \(Self.bodyLimit) bytes"
          response.events.append(.end(.limit(reason)))
        } else if isLast {
          response.events.append(.end(nil))
        }
      }
      return isTooLong || isLast
    } then: {
      self.deliverEvents()
    }
    guard wasOpen else { throw Self.ended }
    if isTooLong {
      throw EngineError(.limit, "the body is longer than \(Self.bodyLimit) bytes")
    }
  }

  /// Delivers the queued events, unless another thread is delivering, which then delivers these.
  private func deliverEvents() {
    guard self.response.withLock({ $0.delivery.take() }) else { return }
    while let (event, onEvent) = self.response.withLock({ $0.next() }) {
      onEvent(event)
    }
  }
}

extension FetchTask.Response {
  /// - Returns: Whether the body is within the limit.
  fileprivate mutating func add(
    _ status: Int, _ headers: [FetchHeader], _ part: [UInt8], limit: Int
  ) -> Bool {
    guard part.count <= limit - self.length else { return false }
    if limit < .max { self.length += part.count }
    if !self.hasBegun { self.events.append(.response(.init(status: status, headers: headers))) }
    self.hasBegun = true
    if !part.isEmpty { self.events.append(.part(part)) }
    return true
  }

  fileprivate mutating func next() -> (FetchTask.Event, @Sendable (FetchTask.Event) -> Void)? {
    guard let event = self.delivery.next(of: &self.events), let onEvent else { return nil }
    if case .end = event { self.onEvent = nil }
    return (event, onEvent)
  }
}
