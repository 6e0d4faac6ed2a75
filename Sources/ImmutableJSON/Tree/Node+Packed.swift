// Packed leaves store numbers as bare integers of the narrowest width that fits them all, or as
// doubles. A small integer takes one byte instead of the 24 of a value.
//
// The parser creates them. They are immutable: an update converts a packed leaf to one of values
// first.

extension NodeHeader.Kind {
  var isPacked: Bool {
    self.rawValue > Self.leaf.rawValue
  }

  /// The size of a part, in bytes.
  var stride: Int {
    switch self {
    case .inner: MemoryLayout<Node>.stride
    case .leaf: MemoryLayout<Value>.stride
    case .integers8: 1
    case .integers16: 2
    case .integers32: 4
    case .integers64, .reals: 8
    }
  }
}

extension Node {
  var isPacked: Bool {
    self.kind.isPacked
  }

  /// The value in a slot of a packed leaf.
  func packedValue(at slot: Int) -> Value {
    switch self.kind {
    case .inner, .leaf: .null
    case .integers8: .integer(Int64(self.load(Int8.self, at: slot)))
    case .integers16: .integer(Int64(self.load(Int16.self, at: slot)))
    case .integers32: .integer(Int64(self.load(Int32.self, at: slot)))
    case .integers64: .integer(self.load(Int64.self, at: slot))
    case .reals: .real(self.load(Double.self, at: slot))
    }
  }

  /// The total size of the values of a packed leaf.
  var packedSize: SubtreeSize {
    switch self.kind {
    case .inner, .leaf: .none
    case .integers8: self.packedSize { (integer: Int8) in Int64(integer).textSizeBound }
    case .integers16: self.packedSize { (integer: Int16) in Int64(integer).textSizeBound }
    case .integers32: self.packedSize { (integer: Int32) in Int64(integer).textSizeBound }
    case .integers64: self.packedSize { (integer: Int64) in integer.textSizeBound }
    case .reals: self.packedSize { (_: Double) in Double.textSizeBound }
    }
  }

  @inline(__always)
  private func packedSize<Number>(_ textSize: (Number) -> Int) -> SubtreeSize {
    self.withParts(of: Number.self) { header, numbers in
      let count = Int(header.pointee.count)
      var text = 0
      for slot in 0..<count {
        text &+= textSize(numbers[slot]) &+ 1
      }
      return SubtreeSize(text: UInt64(text), values: UInt32(count), depth: 0)
    }
  }

  private func load<Number>(_ type: Number.Type, at slot: Int) -> Number {
    self.withParts(of: type) { _, numbers in numbers[slot] }
  }
}

// MARK: Creating

extension Node {
  /// Creates a packed leaf of values that are all integers or all reals; `nil` otherwise, or if
  /// `values` is empty.
  static func packed(_ values: UnsafeBufferPointer<Value>) -> Node? {
    switch values.first {
    case .integer: self.packedIntegers(values)
    case .real: self.packedReals(values)
    default: nil
    }
  }

  private static func packedIntegers(_ values: UnsafeBufferPointer<Value>) -> Node? {
    // The highest bit that differs from the sign bit, in any of the integers, determines the width.
    var bits: Int64 = 0
    for value in values {
      guard case .integer(let integer) = value else { return nil }
      bits |= integer < 0 ? ~integer : integer
    }
    switch bits {
    case ...Int64(Int8.max):
      return self.packed(.integers8, values) { Int8(truncatingIfNeeded: $0.bits) }
    case ...Int64(Int16.max):
      return self.packed(.integers16, values) { Int16(truncatingIfNeeded: $0.bits) }
    case ...Int64(Int32.max):
      return self.packed(.integers32, values) { Int32(truncatingIfNeeded: $0.bits) }
    default:
      return self.packed(.integers64, values) { $0.bits }
    }
  }

  private static func packedReals(_ values: UnsafeBufferPointer<Value>) -> Node? {
    for value in values {
      guard case .real = value else { return nil }
    }
    return self.packed(.reals, values) { $0.bits }
  }

  private static func packed<Number>(
    _ kind: NodeHeader.Kind, _ values: UnsafeBufferPointer<Value>, _ number: (Value) -> Number
  ) -> Node {
    let leaf = self.make(kind, keys: nil, capacity: values.count)
    leaf.withParts(of: Number.self) { header, numbers in
      for (slot, value) in values.enumerated() {
        (numbers + slot).initialize(to: number(value))
      }
      header.pointee.count = UInt8(values.count)
    }
    leaf.measure()
    return leaf
  }
}

extension Value {
  /// The bits of a number.
  fileprivate var bits: Int64 {
    switch self {
    case .integer(let integer): integer
    case .real(let real): Int64(bitPattern: real.bitPattern)
    default: 0
    }
  }
}
