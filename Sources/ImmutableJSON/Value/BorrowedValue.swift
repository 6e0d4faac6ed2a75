/// A value that is not retained. It is valid while the array or object that contains it exists.
@usableFromInline package enum BorrowedValue {
  /// Null, or no value.
  case null
  case integer(Int64)
  case real(Double)

  /// A boolean, a string, an array or an object.
  case other(UnsafePointer<Value>)
}

extension BorrowedValue {
  @inline(__always)
  package init(_ value: UnsafePointer<Value>) {
    switch value.pointee {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .bool, .string, .array, .object: self = .other(value)
    }
  }

  /// A copy of the value, which is retained.
  package var value: Value {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .other(let value): value.pointee
    }
  }
}

extension UnsafePointer<Value> {
  /// The root of the tree of an object, which is not retained; `nil` for other values, and for an
  /// object without members.
  @inline(__always)
  var objectRoot: Unmanaged<Node>? {
    guard case .object(let object) = self.pointee, let root = object.root else { return nil }
    return .passUnretained(root)
  }
}

// A payload that is copied out of a value is retained. These functions read its bits instead.
extension UnsafePointer<Value> {
  /// The root of an array or object, which is not retained; `nil` if it is empty.
  @inline(__always)
  var unretainedRoot: Unmanaged<Node>? {
    UnsafeRawPointer(self).load(as: Unmanaged<Node>?.self)
  }

  /// Calls `body` with the bytes of a string, which is not retained.
  @inline(__always)
  func withUnretainedString(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeTemporaryAllocation(of: String.self, capacity: 1) { copy in
      // The copy is not deinitialized, so it needs no reference.
      UnsafeMutableRawBufferPointer(copy).copyMemory(
        from: UnsafeRawBufferPointer(start: self, count: MemoryLayout<String>.size))
      if copy[0].utf8.withContiguousStorageIfAvailable({ _ in }) != nil {
        copy[0].withUTF8 { body(UnsafeRawBufferPointer($0)) }
      } else {
        // A string of Objective-C. `withUTF8` would replace the copy, and release the string.
        var string = copy[0]
        string.withUTF8 { body(UnsafeRawBufferPointer($0)) }
      }
    }
  }
}
