internal import CSpinLock
import ImmutableJSON
import StateEngine

/// The object behind an `imd_value *`. Immutable while the program may use it, so any thread can read
/// it.
final class ValueHandle: Sendable {
  @exclusivity(unchecked) nonisolated(unsafe) private var content: Value

  /// The value of a lent action that is a short text.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var shortText: ShortText?

  /// Whether the library owns the handle and the program only borrows it.
  ///
  /// Retaining a borrowed handle creates an owned one; releasing it does nothing. So a program that
  /// miscounts cannot destroy a borrowed value or keep it too long, and a reducer may return either
  /// kind: an owned handle is released, a borrowed one is not.
  private let isBorrowed: Bool

  /// The strings that were viewed with this handle. Guarded by a lock of `CSpinLock`, for which a
  /// fork waits.
  nonisolated(unsafe) private var viewedTexts: ViewedText?

  private init(_ value: Value, isBorrowed: Bool) {
    self.content = value
    self.isBorrowed = isBorrowed
  }

  var value: Value {
    self.shortText?.value ?? self.content
  }
}

extension ValueHandle {
  /// Creates a handle, owned by the caller.
  static func create(_ value: Value) -> OpaquePointer {
    OpaquePointer(self.passRetained(value, isBorrowed: false).toOpaque())
  }

  /// Returns the value of a handle.
  static func borrow(_ handle: OpaquePointer?, _ name: String) throws(EngineError) -> Value {
    self.unmanaged(try required(handle, name)).takeUnretainedValue().value
  }

  /// Returns the value of a handle that may be NULL.
  static func borrow(_ handle: OpaquePointer?) -> Value? {
    handle.map { self.unmanaged($0).takeUnretainedValue().value }
  }

  /// Returns a handle with the same value, owned by the caller: a new one if this one is borrowed.
  static func retain(_ handle: OpaquePointer?) -> OpaquePointer? {
    guard let handle else { return nil }
    let unmanaged = self.unmanaged(handle)
    guard !self.isBorrowed(unmanaged) else {
      return self.create(unmanaged.takeUnretainedValue().value)
    }
    _ = unmanaged.retain()
    return handle
  }

  /// Releases a handle that the program owns. Does nothing for a borrowed one.
  static func release(_ handle: OpaquePointer?) {
    guard let handle else { return }
    let unmanaged = self.unmanaged(handle)
    guard !self.isBorrowed(unmanaged) else { return }
    unmanaged.release()
  }
}

extension ValueHandle {
  /// The value at a JSON Pointer; `nil` if there is none, and for a pointer with an escape.
  static func get(
    _ handle: OpaquePointer?, _ pointer: UnsafeRawBufferPointer
  ) throws(EngineError) -> Value? {
    self.unmanaged(try required(handle, "value"))._withUnsafeGuaranteedRef {
      if let text = $0.shortText { text.get(pointer) } else { $0.content.fastPathGet(pointer) }
    }
  }

  /// Calls `body` with the bytes of the string at a JSON Pointer, if the value is a short text and
  /// has one there; otherwise returns `nil`.
  static func withShortString<Result>(
    of handle: OpaquePointer?, at pointer: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(EngineError) -> Result? {
    self.unmanaged(try required(handle, "value"))._withUnsafeGuaranteedRef {
      $0.shortText?.withString(at: pointer, body)
    }
  }

  /// Returns the text at a JSON Pointer, which is valid until the handle is destroyed.
  ///
  /// - Parameter makeText: Called if the string was not viewed with the handle yet.
  static func text(
    of handle: OpaquePointer?, at pointer: UnsafeRawBufferPointer,
    orMake makeText: () throws(EngineError) -> Text
  ) throws(EngineError) -> Text {
    let handle = self.unmanaged(try required(handle, "value")).takeUnretainedValue()
    if let viewed = handle.withViewedTexts({ ViewedText.find(pointer, in: $0) }) {
      return viewed.text
    }
    let new = ViewedText(try makeText(), pointer)
    // Another thread may have viewed it meanwhile.
    return handle.withViewedTexts { ViewedText.insert(new, into: &$0) }.text
  }

  /// Calls `body` with the lock held that guards the strings.
  private func withViewedTexts<Result>(_ body: (inout ViewedText?) -> Result) -> Result {
    // Spreads the handles over the locks. Their addresses are multiples of 16.
    let lock = UInt8(truncatingIfNeeded: UInt(bitPattern: ObjectIdentifier(self)) >> 4)
    spinlock_lock(lock)
    defer { spinlock_unlock(lock) }
    return body(&self.viewedTexts)
  }
}

// MARK: Handles that the program borrows

extension ValueHandle {
  /// Creates a handle that the program borrows until ``endBorrow(_:)``.
  static func lend(_ value: Value) -> OpaquePointer {
    OpaquePointer(self.passRetained(value, isBorrowed: true).toOpaque())
  }

  /// Destroys a handle that the program borrowed.
  static func endBorrow(_ handle: OpaquePointer?) {
    guard let handle else { return }
    self.unmanaged(handle).release()
  }

  /// Creates a handle that is lent again and again with ``lend(_:)``, by one thread at a time.
  static func makeReusable() -> ValueHandle {
    ValueHandle(.null, isBorrowed: true)
  }

  /// Lends this handle with another value, until ``endLoan()``.
  func lend(_ value: Value) -> OpaquePointer {
    self.content = value
    return OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
  }

  /// The same for an action.
  func lend(_ action: ValueAction) -> OpaquePointer {
    switch action {
    case .value(let value): return self.lend(value)
    case .text(let text):
      self.shortText = text
      return OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
    }
  }

  func endLoan() {
    self.content = .null
    self.shortText = nil
    if self.viewedTexts != nil { self.viewedTexts = nil }
  }

  /// Calls `body` with a handle that the program borrows for the call.
  static func withBorrowed<Result>(_ value: Value, _ body: (OpaquePointer) -> Result) -> Result {
    let handle = self.lend(value)
    defer { self.endBorrow(handle) }
    return body(handle)
  }
}

extension ValueHandle {
  private static func passRetained(_ value: Value, isBorrowed: Bool) -> Unmanaged<ValueHandle> {
    Unmanaged.passRetained(ValueHandle(value, isBorrowed: isBorrowed))
  }

  private static func unmanaged(_ handle: OpaquePointer) -> Unmanaged<ValueHandle> {
    Unmanaged.fromOpaque(UnsafeRawPointer(handle))
  }

  private static func isBorrowed(_ handle: Unmanaged<ValueHandle>) -> Bool {
    handle._withUnsafeGuaranteedRef { $0.isBorrowed }
  }
}
