import Hummingbird
import Synchronization

/// The events to be sent to one reader of changes, bounded by their size.
///
/// Readers share the bytes of events. Each holds at most the limit and one buffer beyond it.
package final class ChangeReader: Sendable {
  /// How many bytes a reader may be behind.
  package static var limit: Int { 1 << 20 }

  /// The events to be sent. Ends with the reader.
  package let events: AsyncStream<ByteBuffer>

  private let continuation: AsyncStream<ByteBuffer>.Continuation
  private let behind = Atomic(0)
  private let onDisconnect: @Sendable () -> Void

  /// - Parameter onDisconnect: Ends the connection, even if a write to it is waiting.
  package init(onDisconnect: @escaping @Sendable () -> Void) {
    (self.events, self.continuation) = AsyncStream.makeStream()
    self.onDisconnect = onDisconnect
  }

  /// Adds bytes to be sent.
  ///
  /// - Returns: Whether they were added; `false` if the reader is too far behind.
  func send(_ bytes: ByteBuffer) -> Bool {
    guard self.behind.load(ordering: .relaxed) <= Self.limit else { return false }
    self.behind.wrappingAdd(bytes.readableBytes, ordering: .relaxed)
    self.continuation.yield(bytes)
    return true
  }

  /// Subtracts bytes that have been sent.
  package func sent(_ bytes: ByteBuffer) {
    self.behind.wrappingSubtract(bytes.readableBytes, ordering: .relaxed)
  }

  /// Ends the reader after the events added so far.
  package func end() {
    self.continuation.finish()
  }

  /// Ends the reader and its connection.
  func disconnect() {
    self.continuation.finish()
    self.onDisconnect()
  }
}
