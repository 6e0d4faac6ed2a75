import ImmutableJSON
import StateEngine

/// What an `imd_value *` points to. Immutable, so that any thread may read it.
final class ValueHandle: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

extension ValueHandle {
  /// A handle, of which the caller owns a share.
  static func create(_ value: Value) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(ValueHandle(value)).toOpaque())
  }

  /// The value of a handle.
  static func borrow(_ handle: OpaquePointer?, _ name: String) throws(EngineError) -> Value {
    self.unmanaged(try required(handle, name)).takeUnretainedValue().value
  }

  /// The value of a handle that may be NULL.
  static func borrow(_ handle: OpaquePointer?) -> Value? {
    handle.map { self.unmanaged($0).takeUnretainedValue().value }
  }

  static func retain(_ handle: OpaquePointer?) -> OpaquePointer? {
    guard let handle else { return nil }
    _ = self.unmanaged(handle).retain()
    return handle
  }

  static func release(_ handle: OpaquePointer?) {
    guard let handle else { return }
    self.unmanaged(handle).release()
  }

  private static func unmanaged(_ handle: OpaquePointer) -> Unmanaged<ValueHandle> {
    Unmanaged.fromOpaque(UnsafeRawPointer(handle))
  }
}
