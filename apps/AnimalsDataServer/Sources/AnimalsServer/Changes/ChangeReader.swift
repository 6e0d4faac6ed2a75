import Hummingbird
import Synchronization

/// The events to be sent to one reader of changes, bounded by their size.
///
/// Readers share the memory of events. A reader holds at most ``limit`` bytes and one more buffer.
package final class ChangeReader: Sendable {
  /// The maximum number of unsent bytes, in addition to the last buffer.
  package static var limit: Int { 1 << 20 }

  /// The events to be sent. Ends with the reader.
  package let events: AsyncStream<ByteBuffer>

  private let continuation: AsyncStream<ByteBuffer>.Continuation
  private let unsentBytes = Atomic(0)
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
    guard self.unsentBytes.load(ordering: .relaxed) <= Self.limit else { return false }
    self.unsentBytes.wrappingAdd(bytes.readableBytes, ordering: .relaxed)
    self.continuation.yield(bytes)
    return true
  }

  /// Subtracts bytes that have been sent.
  package func sent(_ bytes: ByteBuffer) {
    self.unsentBytes.wrappingSubtract(bytes.readableBytes, ordering: .relaxed)
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
