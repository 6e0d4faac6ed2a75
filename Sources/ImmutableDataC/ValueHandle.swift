import CImmutableData
internal import CSpinLock
import ImmutableJSON
import StateEngine

/// The object behind an `imd_value *`. Its value never changes while the program may use it, so any
/// thread can read it.
final class ValueHandle: Sendable {
  /// Not copyable, so that to read it counts no references of the value: threads read one at once.
  private struct Content: ~Copyable {
    var value: Value

    borrowing func get(_ pointer: UnsafeRawBufferPointer) -> Value? {
      self.value.fastPathGet(pointer)
    }
  }

  @exclusivity(unchecked) nonisolated(unsafe) private var content: Content

  /// Edits of ``content``, in the result of a reducer.
  private let edits: ValueEdits?

  /// The value of a lent action that is a short text.
  @exclusivity(unchecked) nonisolated(unsafe) private(set) var shortText: ShortText?

  /// Whether the library owns the handle and the program only borrows it.
  ///
  /// Retaining a borrowed handle creates an owned one; releasing it does nothing. So a program that
  /// miscounts cannot destroy a borrowed value or keep it too long, and a reducer may return either
  /// kind: an owned handle is released, a borrowed one is not.
  private let isBorrowed: Bool

  /// Whether it is the lent state of a reducer, or was retained from it: its changes may be
  /// described.
  private let isState: Bool

  /// The strings that were viewed with this handle. Guarded by a lock of `CSpinLock`, for which a
  /// fork waits.
  nonisolated(unsafe) private var viewedTexts: ViewedText?

  private init(
    _ value: Value, _ edits: ValueEdits? = nil, isBorrowed: Bool, isState: Bool = false
  ) {
    self.content = Content(value: value)
    self.edits = edits
    self.isBorrowed = isBorrowed
    self.isState = isState
  }

  var value: Value {
    if let shortText { return shortText.value }
    return self.edits?.read(in: self.content.value) ?? self.content.value
  }

  /// The edits that nobody has read.
  private var unreadEdits: ValueEdits? {
    self.edits.flatMap { $0.isRead ? nil : $0 }
  }
}

extension ValueHandle {
  /// Creates a handle, owned by the caller.
  static func create(_ value: Value) -> OpaquePointer {
    self.makeOpaque(ValueHandle(value, isBorrowed: false))
  }

  /// Creates the object behind a handle.
  static func make(_ value: Value) -> AnyObject {
    ValueHandle(value, isBorrowed: false)
  }

  /// Returns a handle to an object that ``make(_:)`` has created, owned by the caller.
  static func own(_ object: AnyObject) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(object).toOpaque())
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
      let borrowed = unmanaged.takeUnretainedValue()
      return self.makeOpaque(
        ValueHandle(borrowed.value, isBorrowed: false, isState: borrowed.isState))
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
      if let text = $0.shortText { return text.get(pointer) }
      return $0.edits == nil ? $0.content.get(pointer) : $0.value.fastPathGet(pointer)
    }
  }

  /// Calls `body` with the bytes of the string at a JSON Pointer, if the value is a short text and
  /// has one there.
  ///
  /// - Returns: Whether it was called.
  static func withShortString(
    of handle: OpaquePointer?, at pointer: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(EngineError) -> Bool {
    self.unmanaged(try required(handle, "value"))._withUnsafeGuaranteedRef {
      $0.shortText?.withString(at: pointer, body) ?? false
    }
  }

  /// Returns the text at a JSON Pointer, which is valid until the handle is destroyed.
  ///
  /// - Parameter makeText: Called if the string was not viewed with the handle yet.
  static func text(
    of handle: OpaquePointer?, at pointer: UnsafeRawBufferPointer,
    orMake makeText: () throws -> Text
  ) throws -> Text {
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
    self.makeOpaque(ValueHandle(value, isBorrowed: true))
  }

  /// Destroys a handle that the program borrowed.
  static func endBorrow(_ handle: OpaquePointer?) {
    guard let handle else { return }
    self.unmanaged(handle).release()
  }

  /// Creates a handle that is lent again and again with ``lend(_:)``, by one thread at a time.
  static func makeReusable(isState: Bool = false) -> ValueHandle {
    ValueHandle(.null, isBorrowed: true, isState: isState)
  }

  /// Lends this handle with another value, until ``endLoan()``.
  func lend(_ value: consuming Value) -> OpaquePointer {
    self.content.value = value
    return OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
  }

  /// The same for an action.
  func lend(_ action: ValueAction) -> OpaquePointer {
    switch action {
    case .value(let value), .logged(let value): return self.lend(value)
    case .text(let text):
      self.shortText = text
      return OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
    }
  }

  func endLoan() {
    self.content.value = .null
    self.shortText = nil
    if self.viewedTexts != nil { self.viewedTexts = nil }
  }

  /// Describes that a scalar of a reducer's state is replaced.
  ///
  /// - Returns: A handle, owned by the caller; `nil` if the change must be made at once.
  static func replace(
    _ pointer: UnsafeRawBufferPointer, by scalar: Value, in handle: OpaquePointer?
  ) -> OpaquePointer? {
    guard let handle else { return nil }
    return self.unmanaged(handle)._withUnsafeGuaranteedRef { handle in
      let (value, previous) = (handle.content.value, handle.unreadEdits)
      guard handle.isState || previous != nil else { return nil }
      let edits = ValueEdits.replacing(pointer, by: scalar, in: value, after: previous)
      return edits.map { self.makeOpaque(ValueHandle(value, $0, isBorrowed: false)) }
    }
  }

  /// The edits of a value that a reducer has described, if they are edits of a state.
  static func edits(of handle: OpaquePointer?, in state: Value) -> ValueEdits? {
    handle.flatMap {
      self.unmanaged($0)._withUnsafeGuaranteedRef { handle in
        handle.unreadEdits.flatMap { handle.content.value.isIdentical(to: state) ? $0 : nil }
      }
    }
  }

  /// Calls `body` with handles that the program borrows for the call.
  static func withBorrowed<Result>(
    _ values: [Value], _ body: ([OpaquePointer?]) throws -> Result
  ) rethrows -> Result {
    let handles: [OpaquePointer?] = values.map(self.lend)
    defer { handles.forEach(self.endBorrow) }
    return try body(handles)
  }

  /// The same for one value.
  static func withBorrowed<Result>(
    _ value: Value, _ body: (OpaquePointer) throws -> Result
  ) rethrows -> Result {
    let handle = self.lend(value)
    defer { self.endBorrow(handle) }
    return try body(handle)
  }

  /// Calls a function of the program that returns a handle, and releases the handle: before those
  /// that the function borrows end, because it may be one of them.
  ///
  /// - Parameter code: The code of the error if the function fails; by default, that of its status.
  static func returned(
    by function: String, failingWith code: EngineError.Code? = nil,
    _ call: (Out<OpaquePointer?>, Out<imd_error>) -> imd_status
  ) throws(EngineError) -> Value? {
    var returned: OpaquePointer?
    var error = imd_error()
    let status = call(&returned, &error)
    defer { self.release(returned) }
    guard status == IMD_OK else {
      let code = code ?? EngineError.Code.allCases.first { $0.status == status }
      throw error.failure(code ?? .invalidArgument, status, of: function)
    }
    return self.borrow(returned)
  }
}

extension ValueHandle {
  private static func makeOpaque(_ handle: ValueHandle) -> OpaquePointer {
    OpaquePointer(Unmanaged.passRetained(handle).toOpaque())
  }

  private static func unmanaged(_ handle: OpaquePointer) -> Unmanaged<ValueHandle> {
    Unmanaged.fromOpaque(UnsafeRawPointer(handle))
  }

  private static func isBorrowed(_ handle: Unmanaged<ValueHandle>) -> Bool {
    handle._withUnsafeGuaranteedRef { $0.isBorrowed }
  }
}
