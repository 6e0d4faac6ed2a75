import ImmutableJSON
import Synchronization

/// A JSON value that is stored once, by any thread.
///
/// `AtomicLazyReference` would do the same, but it is generic code of another module, which looks
/// up types at run time: 600 instructions for each call.
struct CachedValue: ~Copyable, Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  /// The address of a retained box; 0 if there is none.
  private let address = Atomic<UInt>(0)

  deinit {
    self.box?.release()
  }

  private var box: Unmanaged<Box>? {
    UnsafeRawPointer(bitPattern: self.address.load(ordering: .acquiring))
      .map { Unmanaged.fromOpaque($0) }
  }
}

extension CachedValue {
  /// The stored value; `nil` if there is none yet.
  var value: Value? {
    self.box?._withUnsafeGuaranteedRef { $0.value }
  }

  /// Stores a value unless there is one.
  ///
  /// - Returns: The stored value. If threads store concurrently, all get the first one.
  func storeIfNil(_ value: Value) -> Value {
    let box = Unmanaged.passRetained(Box(value))
    let (isStored, _) = self.address.compareExchange(
      expected: 0, desired: UInt(bitPattern: box.toOpaque()), ordering: .acquiringAndReleasing)
    if isStored { return value }
    box.release()
    return self.value ?? value
  }
}
