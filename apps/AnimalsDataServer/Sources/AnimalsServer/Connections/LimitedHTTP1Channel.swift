import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Hummingbird's HTTP/1 connections with the limits of a server.
///
/// ```text
/// StalledWriteHandler   bytes    closes the connection if the client reads nothing for too long
/// RequestLineHandler    bytes    detects where requests begin; bounds the request line
/// HTTP parser           bytes ↔ parts of messages
/// ConnectionHandler     parts    deadlines, refusals, the last response
/// Hummingbird           parts    requests, one after the other
/// ```
struct LimitedHTTP1Channel: ServerChildChannel {
  private let http: HTTP1Channel
  private let limits: ConnectionLimits
  private let connections = ConnectionCount()

  init(limits: ConnectionLimits, responder: @escaping HTTPChannelHandler.Responder) {
    self.http = HTTP1Channel(responder: responder)
    self.limits = limits
  }

  func setup(
    channel: any Channel, logger: Logger
  ) -> EventLoopFuture<HTTP1Channel.Value> {
    let limits = self.limits
    let isSurplus = self.connections.add(channel) > limits.connections
    let http = HTTP1Channel(
      responder: self.http.responder,
      configuration: .init(
        additionalChannelHandlers: [ConnectionHandler(limits: limits, isSurplus: isSurplus)],
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: ConnectionLimits.headerFieldSize,
          maxHeaderListSize: ConnectionLimits.head,
          maxHeaderFieldCount: ConnectionLimits.headerFieldCount)))
    do {
      try channel.pipeline.syncOperations.addHandlers(
        StalledWriteHandler(timeout: limits.idleTimeout), RequestLineHandler())
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return http.setup(channel: channel, logger: logger)
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await self.http.handle(value: value, logger: logger)
  }
}

/// The number of connections that are open.
private final class ConnectionCount: Sendable {
  private let count = Atomic(0)

  /// Counts a connection until it closes.
  ///
  /// - Returns: The number of open connections, including this one.
  func add(_ channel: any Channel) -> Int {
    let number = self.count.wrappingAdd(1, ordering: .relaxed).newValue
    channel.closeFuture.whenComplete { _ in
      self.count.wrappingSubtract(1, ordering: .relaxed)
    }
    return number
  }
}
