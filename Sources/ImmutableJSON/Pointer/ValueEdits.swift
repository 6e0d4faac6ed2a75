internal import CSpinLock
import Synchronization

/// Replaced scalars of a value: changes that have been described, but not made.
///
/// A reducer returns its state with edits. If nobody has read the result, a store makes them in the
/// state itself, in place if possible.
package final class ValueEdits: Sendable {
  private let path: NodePath
  private let scalar: Value
  /// Whether null is replaced by another value, or the reverse.
  private let changesNull: Bool
  private let previous: ValueEdits?
  package let count: Int

  /// The value for its readers, once ``isRead``.
  nonisolated(unsafe) private var edited = Value.null
  private let hasEdited = Atomic(false)

  /// Bounds the recursion.
  private static var maxCount: Int { 16 }

  private init(
    _ path: NodePath, _ scalar: Value, changesNull: Bool, after previous: ValueEdits?
  ) {
    self.path = path
    self.scalar = scalar
    self.changesNull = changesNull
    self.previous = previous
    self.count = (previous?.count ?? 0) + 1
  }
}

extension ValueEdits {
  /// Describes that a scalar at a JSON Pointer is replaced by another one.
  ///
  /// - Parameters:
  ///   - value: The value without `previous`.
  ///   - previous: The edits before this one.
  /// - Returns: `nil` if the change must be made at once: unless it replaces a scalar by a
  ///   different one, within the limits.
  package static func replacing(
    _ pointer: UnsafeRawBufferPointer, by scalar: Value, in value: Value,
    after previous: ValueEdits?
  ) -> ValueEdits? {
    guard scalar.isScalar, (previous?.count ?? 0) < self.maxCount,
      let (path, old) = value.path(to: pointer), old.isScalar,
      // The last edit of a path may have made it equal, or unequal.
      previous != nil || !old.value.isIdentical(to: scalar)
    else { return nil }
    var size = value.size
    size.add(scalar.size)
    var wasNull = old.isNull
    var (edits, isFirst) = (previous, true)
    while let edit = edits {
      size.add(edit.scalar.size)
      if isFirst, edit.path == path { (wasNull, isFirst) = (edit.scalar.isNull, false) }
      edits = edit.previous
    }
    guard size.isWithinLimits else { return nil }
    let changesNull = wasNull != scalar.isNull
    return ValueEdits(path, scalar, changesNull: changesNull, after: previous)
  }

  /// Calls `body` with the path of each edit, and whether the value there became null, or no longer
  /// is.
  package func forEachPath(_ body: (_ path: NodePath, _ changesNull: Bool) -> Void) {
    self.previous?.forEachPath(body)
    body(self.path, self.changesNull)
  }

  /// Whether `body` returns `true` for the path and the new scalar of each edit.
  package func allSatisfy(_ body: (_ path: NodePath, _ scalar: Value) -> Bool) -> Bool {
    (self.previous?.allSatisfy(body) ?? true) && body(self.path, self.scalar)
  }

  /// Makes the changes, in place where nobody else has the nodes. O(log n) for each.
  package func make(in value: inout Value) {
    self.previous?.make(in: &value)
    value.replace(self.path, by: self.scalar)
  }

  /// Whether somebody has read the value with the edits.
  package var isRead: Bool {
    self.hasEdited.load(ordering: .acquiring)
  }

  /// Returns the value with the edits, which are made in a copy once. Any thread may read it.
  ///
  /// - Parameter value: The value without the edits.
  package func read(in value: Value) -> Value {
    guard !self.isRead else { return self.edited }
    var edited = value
    // Without the lock: the nodes have locks of the same kind. Another thread may do the same.
    self.make(in: &edited)
    // Spreads the objects over the locks. Their addresses are multiples of 16.
    let lock = UInt8(truncatingIfNeeded: UInt(bitPattern: ObjectIdentifier(self)) >> 4)
    spinlock_lock(lock)
    defer { spinlock_unlock(lock) }
    if !self.hasEdited.load(ordering: .relaxed) {
      swap(&self.edited, &edited)
      self.hasEdited.store(true, ordering: .releasing)
    }
    return self.edited
  }
}

extension Value {
  fileprivate var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }
}

extension BorrowedValue {
  fileprivate var isScalar: Bool {
    if case .other(let value) = self { value.pointee.isScalar } else { true }
  }

  fileprivate var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
