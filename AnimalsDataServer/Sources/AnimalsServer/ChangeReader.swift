import Hummingbird
import Synchronization

/// One who reads changes: what is still to be sent, and how much that is.
///
/// The bytes that are to be sent are shared by all readers, and each holds no more than the limit and
/// one buffer beyond it.
package final class ChangeReader: Sendable {
  /// How many bytes a reader may be behind.
  package static var limit: Int { 1 << 20 }

  /// What is to be sent. Ends with the reader.
  package let events: AsyncStream<ByteBuffer>

  private let continuation: AsyncStream<ByteBuffer>.Continuation
  private let behind = Atomic(0)
  private let onCut: @Sendable () -> Void

  /// - Parameter onCut: Ends the connection, even if a write to it is waiting.
  package init(onCut: @escaping @Sendable () -> Void) {
    (self.events, self.continuation) = AsyncStream.makeStream()
    self.onCut = onCut
  }

  /// Has bytes sent, unless the reader is too far behind.
  func send(_ bytes: ByteBuffer) -> Bool {
    guard self.behind.load(ordering: .relaxed) <= Self.limit else { return false }
    self.behind.wrappingAdd(bytes.readableBytes, ordering: .relaxed)
    self.continuation.yield(bytes)
    return true
  }

  /// Notes that bytes have been sent.
  package func sent(_ bytes: ByteBuffer) {
    self.behind.wrappingSubtract(bytes.readableBytes, ordering: .relaxed)
  }

  /// Ends the reader once it has what was sent so far.
  package func end() {
    self.continuation.finish()
  }

  /// Ends the reader and its connection.
  func cut() {
    self.continuation.finish()
    self.onCut()
  }
}
