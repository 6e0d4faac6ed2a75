import ImmutableJSON
import Threading

/// The state that a reader of commits has encoded last. It is also the state before the next
/// commit.
final class LastState: Sendable {
  private let encoded = Mutex<(number: Int, value: Value)?>(nil)

  /// - Parameter number: The number of a commit.
  func value(after number: Int) -> Value? {
    self.encoded.withLock { $0?.number == number ? $0?.value : nil }
  }

  func set(_ value: Value, after number: Int) {
    let old = self.encoded.withLock { encoded in
      defer { encoded = (number, value) }
      return encoded
    }
    // Released without the lock: it may be large.
    withExtendedLifetime(old) {}
  }
}
