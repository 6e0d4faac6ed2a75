import NIOCore

/// The events of a request before its head is complete.
enum RequestLineEvent {
  /// The first byte of a request has arrived.
  case began
  /// The request line is longer than ``ConnectionLimits/requestLine``.
  case tooLong
}

/// The events that a handler of HTTP messages reports to the handler of bytes.
enum RequestReadingEvent {
  /// The request has been read to its end.
  case requestEnded
  /// No further request will be answered: drop the bytes that arrive from now on.
  case discard
}

/// Inspects bytes before they are parsed: detects where a request begins, and bounds its first
/// line.
///
/// The parser does neither: it is silent until a head is complete, and reports a long URL and long
/// header fields as the same error.
final class RequestLineHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private enum State {
    case betweenRequests
    case line(length: Int)
    case afterLine
    case discarding(budget: Int)
  }

  private var state = State.betweenRequests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = Self.unwrapInboundIn(data).readableBytesView
    if case .betweenRequests = self.state {
      // Line breaks before a request line are ignored (RFC 9112, section 2.2).
      guard bytes.contains(where: { $0 != cr && $0 != lf }) else { return }
      self.state = .line(length: 0)
      context.fireUserInboundEventTriggered(RequestLineEvent.began)
    }
    if case .line(let length) = self.state {
      let start = length == 0 ? bytes.drop(while: { $0 == cr || $0 == lf }) : bytes
      let end = start.firstIndex(of: lf)
      let total = length + start.distance(from: start.startIndex, to: end ?? start.endIndex)
      guard total <= ConnectionLimits.requestLine else {
        self.discard(context)
        context.fireUserInboundEventTriggered(RequestLineEvent.tooLong)
        return
      }
      self.state = end == nil ? .line(length: total) : .afterLine
    }
    if case .discarding(let budget) = self.state {
      self.state = .discarding(budget: budget - bytes.count)
    } else {
      context.fireChannelRead(data)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if case .discarding(let budget) = self.state, budget > 0 {
      context.read()
    }
  }

  /// Drops bytes, and keeps reading. The other handlers no longer request bytes, and a client that
  /// sends its whole body before it reads the response would wait forever.
  private func discard(_ context: ChannelHandlerContext) {
    if case .discarding = self.state { return }
    self.state = .discarding(budget: ConnectionLimits.discarded)
    context.read()
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    switch (event as? RequestReadingEvent, self.state) {
    case (.requestEnded, .line), (.requestEnded, .afterLine):
      // The same bytes may contain the start of the next request, which the parser then has. The
      // length of its line is counted without this start, which the parser's own limits bound.
      self.state = .betweenRequests
      promise?.succeed()
    case (.requestEnded, _):
      promise?.succeed()
    case (.discard, _):
      self.discard(context)
      promise?.succeed()
    case (nil, _):
      context.triggerUserOutboundEvent(event, promise: promise)
    }
  }
}

private let cr = UInt8(ascii: "\r")
private let lf = UInt8(ascii: "\n")
