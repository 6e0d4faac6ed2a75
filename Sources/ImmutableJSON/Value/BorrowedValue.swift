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
