import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Enforces the limits of one connection: its deadlines, its refusals, and its last response.
///
/// Hummingbird answers requests in order, and answers input that cannot be parsed with an empty
/// 400. To refuse a request, the handler records the refusal, fires a parser error, and replaces
///      the
/// empty 400 that follows. So a refusal never lands inside another response.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// What the connection waits for.
  private enum Phase {
    /// A request, for the idle timeout.
    case idle
    /// The rest of a request, for the request timeout.
    case receiving
    /// The end of the response, for as long as the client reads it.
    case responding
    /// The client to close its half of the connection, after the last response.
    case lingering
  }

  private let limits: ConnectionLimits
  private let isSurplus: Bool
  private var timer: DeadlineTimer?
  private var phase = Phase.idle

  /// Whether a request has partly arrived, and whether its head is complete.
  private var isReceiving = false
  private var hasHead = false

  /// The number of requests whose head has arrived and whose response is not completely written.
  private var unanswered = 0

  /// The number of responses that are written and not completely sent.
  private var unsent = 0

  /// The number of bytes of a body that arrived after its request was answered.
  private var discarded = 0

  /// Replaces Hummingbird's next error response.
  private var refusal: RequestError?

  /// Whether the client asked for another protocol, so that the parser has stopped.
  private var isUpgrade = false

  /// Whether the response being written is the last one.
  private var isLast = false

  /// - Parameter isSurplus: Whether the server already has as many connections as it allows.
  init(limits: ConnectionLimits, isSurplus: Bool) {
    self.limits = limits
    self.isSurplus = isSurplus
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.timer = DeadlineTimer(on: context.eventLoop) { self.expire(context) }
    self.enter(.idle)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.timer?.cancel()
    self.timer = nil
  }
}

// MARK: Requests

extension ConnectionHandler {
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case RequestLineEvent.began where self.isSurplus:
      self.refuse(.tooManyConnections(self.limits.connections), context)
    case RequestLineEvent.began:
      self.isReceiving = true
      self.updatePhase()
    case RequestLineEvent.tooLong:
      self.refuse(.urlTooLong, context)
    case ChannelEvent.outputClosed:
      self.enter(.lingering)
      context.fireUserInboundEventTriggered(event)
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard self.refusal == nil, !self.isLast else { return }
    switch Self.unwrapInboundIn(data) {
    case .head(let head):
      self.isReceiving = true
      self.hasHead = true
      self.unanswered += 1
      self.isUpgrade = head.method == .connect || head.headerFields[.upgrade] != nil
    case .body(let bytes) where self.unanswered == 0:
      // Hummingbird skips the rest of the body without a limit.
      self.discarded += bytes.readableBytes
      guard self.discarded <= self.limits.body else {
        context.close(promise: nil)
        return
      }
    case .body: break
    case .end:
      self.isReceiving = false
      self.hasHead = false
      self.discarded = 0
      context.triggerUserOutboundEvent(RequestReadingEvent.requestEnded, promise: nil)
    }
    self.updatePhase()
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case HTTPParserError.headerOverflow: self.refuse(.headersTooLarge, context)
    case HTTPParserError.invalidEOFState: self.refuse(.incomplete, context)
    case is IOError, is ChannelError: context.fireErrorCaught(error)
    default: self.refuse(.invalidHTTP, context)
    }
  }

  /// Answers with an error, after the responses in progress, and closes the connection.
  private func refuse(_ error: RequestError, _ context: ChannelHandlerContext) {
    guard self.refusal == nil, !self.isLast else { return }
    guard !self.hasHead || self.unanswered > 0 else {
      // The request whose rest is arriving has its response already.
      context.close(promise: nil)
      return
    }
    self.refusal = error
    self.enter(.responding)
    context.triggerUserOutboundEvent(RequestReadingEvent.discard, promise: nil)
    context.fireErrorCaught(HTTPParserError.unknown)
  }
}

// MARK: Responses

extension ConnectionHandler {
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch Self.unwrapOutboundIn(data) {
    case .head(let head):
      if let refusal = self.refusal, head.isParserError {
        self.isLast = true
        let (head, body) = refusal.parts
        context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        context.write(Self.wrapOutboundOut(.body(body)), promise: nil)
        return
      }
      context.write(Self.wrapOutboundOut(.head(self.marked(head))), promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      let sent = promise ?? context.eventLoop.makePromise()
      self.unsent += 1
      sent.futureResult.assumeIsolated().whenComplete { _ in
        self.unsent -= 1
        self.updatePhase()
      }
      context.write(data, promise: sent)
      self.unanswered = max(0, self.unanswered - 1)
      if self.isLast {
        self.finish(context)
      } else {
        self.updatePhase()
      }
    }
  }

  func close(
    context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
  ) {
    if mode == .output, self.phase != .lingering {
      self.isLast = true
      self.enter(.responding)
    }
    if mode == .all, self.unsent > 0, self.unanswered == 0, self.phase != .lingering {
      // When the server stops, Hummingbird closes the connection as soon as a response is written,
      // even if it is not completely sent.
      context.channel.closeFuture.cascade(to: promise)
      self.isLast = true
      return self.finish(context)
    }
    context.close(mode: mode, promise: promise)
  }

  /// Determines whether a response is the last one, and marks its head accordingly.
  private func marked(_ head: HTTPResponse) -> HTTPResponse {
    var head = head
    if self.isUpgrade, self.unanswered == 1 {
      // The server speaks nothing but HTTP/1.1, and the parser will not read another request.
      head.headerFields[.connection] = "close"
    }
    self.isLast = head.headerFields[.connection] == "close"
    return head
  }

  /// Closes the server's half of the connection once everything is sent.
  private func finish(_ context: ChannelHandlerContext) {
    self.enter(.responding)
    context.flush()
    context.triggerUserOutboundEvent(RequestReadingEvent.discard, promise: nil)
    context.close(mode: .output, promise: nil)
  }
}

// MARK: Deadlines

extension ConnectionHandler {
  private func updatePhase() {
    guard self.phase != .lingering else { return }
    let phase: Phase =
      if self.refusal != nil || self.isLast {
        .responding
      } else if self.isReceiving, self.unanswered <= (self.hasHead ? 1 : 0) {
        .receiving
      } else {
        // The timeout of a request begins when the previous request has been answered: until then
        // the server does not read it.
        self.unanswered > 0 || self.unsent > 0 ? .responding : .idle
      }
    if phase != self.phase {
      self.enter(phase)
    }
  }

  private func enter(_ phase: Phase) {
    self.phase = phase
    switch phase {
    case .idle:
      self.timer?.set(self.isSurplus ? ConnectionLimits.linger : self.limits.idleTimeout)
    case .receiving: self.timer?.set(self.limits.requestTimeout)
    case .responding: self.timer?.set(nil)
    case .lingering: self.timer?.set(ConnectionLimits.linger)
    }
  }

  private func expire(_ context: ChannelHandlerContext) {
    switch self.phase {
    case .idle, .lingering: context.close(promise: nil)
    case .receiving: self.refuse(.requestTimeout(self.limits.requestTimeout), context)
    case .responding: break
    }
  }
}

extension HTTPResponse {
  /// Whether this is Hummingbird's response to a parser error: no other 400 has no body.
  fileprivate var isParserError: Bool {
    self.status == .badRequest && self.headerFields[.connection] == "close"
      && self.headerFields[.contentLength] == "0"
  }
}
