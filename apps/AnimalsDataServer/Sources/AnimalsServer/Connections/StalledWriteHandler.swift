import NIOCore

/// Closes a connection whose client reads nothing for too long.
///
/// A client is slow, not stalled, as long as any byte leaves within the timeout. So a large
/// response may take as long as the network needs.
final class StalledWriteHandler: ChannelOutboundHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let timeout: Duration
  private var timer: DeadlineTimer?
  private var isWatching = false
  private var written = 0
  private var lastSent = 0

  init(timeout: Duration) {
    self.timeout = timeout
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.timer = DeadlineTimer(on: context.eventLoop) { self.check(context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.timer?.cancel()
    self.timer = nil
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    self.written &+= Self.unwrapOutboundIn(data).readableBytes
    context.write(data, promise: promise)
    if !self.isWatching {
      self.isWatching = true
      self.timer?.set(self.timeout)
    }
  }

  func close(
    context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
  ) {
    guard mode == .output else {
      context.close(mode: mode, promise: promise)
      return
    }
    // If the client has closed its half, SwiftNIO closes both halves immediately and drops pending
    // writes. An empty write completes after all writes before it.
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.assumeIsolated().whenComplete { _ in
      context.close(mode: mode, promise: promise)
    }
    context.writeAndFlush(Self.wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: sent)
  }

  private func check(_ context: ChannelHandlerContext) {
    let options = context.channel.syncOptions
    let waiting = (try? options?.getOption(.bufferedWritableBytes)) ?? 0
    let sent = self.written &- waiting
    if waiting > 0, sent == self.lastSent {
      context.close(promise: nil)
      return
    }
    self.lastSent = sent
    self.isWatching = waiting > 0
    self.timer?.set(waiting > 0 ? self.timeout : nil)
  }
}
