// Packed leaves store numbers as bare integers of one width that fits them all, or as doubles. A
// small integer takes one byte instead of the 24 of a value.
//
// The parser and the reader of jansson's values create them, with the narrowest width, for arrays
// and for objects with a `Shape` (`ShapeCache.swift`). Setting a value keeps a leaf packed if all
// its values are then integers, or all are doubles. Any other update converts it to a leaf of
// values.

extension NodeHeader.Kind {
  var isPacked: Bool {
    self.rawValue > Self.leaf.rawValue
  }

  /// The size of a part, in bytes.
  var stride: Int {
    switch self {
    case .inner: MemoryLayout<Child>.stride
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
    self.withNumbers(of: Number.self) { header, numbers in
      let count = Int(header.pointee.count)
      var text = 0
      for slot in 0..<count {
        text &+= textSize(numbers[slot]) &+ 1
      }
      return SubtreeSize(text: UInt64(text), values: UInt32(count), depth: 0)
    }
  }

  /// Calls `body` with pointers to the header and the numbers of a packed leaf. `Number` must be
  /// the type of the numbers.
  private func withNumbers<Number, Result>(
    of type: Number.Type,
    _ body: (UnsafeMutablePointer<NodeHeader>, UnsafeMutablePointer<Number>) -> Result
  ) -> Result {
    self.withUnsafeMutablePointers { header, words in
      body(header, UnsafeMutableRawPointer(words).assumingMemoryBound(to: type))
    }
  }

  private func load<Number>(_ type: Number.Type, at slot: Int) -> Number {
    self.withNumbers(of: type) { _, numbers in numbers[slot] }
  }
}

// MARK: Creating

extension Node {
  /// Creates a packed leaf of values that are all integers or all reals; `nil` otherwise, or if
  /// there are none. The values are numbers, so they need not be moved out of memory.
  ///
  /// - Parameter order: The index of the value for each slot; `nil` for all values in their order.
  static func packed(
    _ values: UnsafeMutableBufferPointer<Value>, keys: KeyBlock? = nil,
    order: UnsafeMutableBufferPointer<UInt32>? = nil
  ) -> Node? {
    let numbers = Numbers(values: values, order: order)
    guard numbers.count > 0, let kind = numbers.kind else { return nil }
    let leaf = self.make(kind, keys: keys, capacity: numbers.count)
    switch kind {
    case .inner, .leaf: break
    case .integers8: leaf.fill(numbers) { Int8(truncatingIfNeeded: $0) }
    case .integers16: leaf.fill(numbers) { Int16(truncatingIfNeeded: $0) }
    case .integers32: leaf.fill(numbers) { Int32(truncatingIfNeeded: $0) }
    case .integers64, .reals: leaf.fill(numbers) { $0 }
    }
    leaf.measure()
    return leaf
  }

  @inline(__always)
  private func fill<Number>(_ numbers: Numbers, _ number: (Int64) -> Number) {
    self.withNumbers(of: Number.self) { header, parts in
      for slot in 0..<numbers.count {
        (parts + slot).initialize(to: number(numbers.bits(at: slot)))
      }
      header.pointee.count = UInt8(truncatingIfNeeded: numbers.count)
    }
  }
}

/// The values of a new leaf, in the order of its slots.
private struct Numbers {
  let values: UnsafeMutableBufferPointer<Value>
  let order: UnsafeMutableBufferPointer<UInt32>?

  var count: Int {
    self.order?.count ?? self.values.count
  }

  @inline(__always)
  private func index(of slot: Int) -> Int {
    self.order.map { Int($0[slot]) } ?? slot
  }

  @inline(__always)
  func bits(at slot: Int) -> Int64 {
    self.values[self.index(of: slot)].bits ?? 0
  }

  /// The narrowest kind of leaf for these values; `nil` if they cannot be packed.
  @inline(__always)
  var kind: NodeHeader.Kind? {
    if case .real = self.values[self.index(of: 0)] {
      for slot in 0..<self.count {
        guard case .real = self.values[self.index(of: slot)] else { return nil }
      }
      return .reals
    }
    // The highest bit that differs from the sign bit, in any of the integers, determines the width.
    var bits: Int64 = 0
    for slot in 0..<self.count {
      guard case .integer(let integer) = self.values[self.index(of: slot)] else { return nil }
      bits |= integer < 0 ? ~integer : integer
    }
    return .integers(bits)
  }
}

extension NodeHeader.Kind {
  /// The narrowest kind for some integers.
  ///
  /// - Parameter bits: The bits that differ from the sign bit in any of them.
  fileprivate static func integers(_ bits: Int64) -> Self {
    switch bits {
    case ...Int64(Int8.max): .integers8
    case ...Int64(Int16.max): .integers16
    case ...Int64(Int32.max): .integers32
    default: .integers64
    }
  }

  /// Whether a packed leaf of this kind can store a value.
  fileprivate func canStore(_ value: Value) -> Bool {
    switch (self, value) {
    case (.integers8, .integer(let integer)): Int8(exactly: integer) != nil
    case (.integers16, .integer(let integer)): Int16(exactly: integer) != nil
    case (.integers32, .integer(let integer)): Int32(exactly: integer) != nil
    case (.integers64, .integer), (.reals, .real): true
    default: false
    }
  }
}

// MARK: Changing

extension Node {
  /// Whether this is a packed leaf of numbers like this value.
  func canStore(_ value: Value) -> Bool {
    self.kind.canStore(value)
  }

  /// Returns a packed copy of a packed leaf with the value in a slot replaced; `nil` if this leaf
  /// is not packed, or the values cannot be packed any more. Its size is that of this leaf.
  func packedCopy(replacing slot: Int, by value: Value) -> Node? {
    guard self.isPacked else { return nil }
    guard self.canStore(value) else { return self.widenedCopy(replacing: slot, by: value) }
    let count = self.count
    let copy = Self.make(self.kind, keys: self.keys, capacity: count)
    copy.withNumbers(of: UInt8.self) { header, bytes in
      self.withNumbers(of: UInt8.self) { original, others in
        bytes.initialize(from: others, count: count * original.pointee.kind.stride)
        (header.pointee.size, header.pointee.total) = (
          original.pointee.size, original.pointee.total
        )
      }
      header.pointee.count = UInt8(truncatingIfNeeded: count)
    }
    copy.store(value, at: slot)
    return copy
  }

  /// Returns a packed copy of a wider kind, for an integer that this leaf cannot store.
  private func widenedCopy(replacing slot: Int, by value: Value) -> Node? {
    guard self.kind != .reals, case .integer(let integer) = value else { return nil }
    let count = self.count
    let copy = Self.make(
      .integers(integer < 0 ? ~integer : integer), keys: self.keys, capacity: count)
    for slot in 0..<count {
      copy.store(self.packedValue(at: slot), at: slot)
    }
    copy.store(value, at: slot)
    copy.withUnsafeMutablePointerToHeader { header in
      header.pointee.count = UInt8(truncatingIfNeeded: count)
      header.pointee.total = UInt32(truncatingIfNeeded: count)
      header.pointee.size = self.size
    }
    return copy
  }

  /// Replaces a number in a packed leaf that can store it. The caller updates the size.
  func store(_ value: Value, at slot: Int) {
    guard let bits = value.bits else { return }
    switch self.kind {
    case .inner, .leaf: break
    case .integers8: self.store(Int8(truncatingIfNeeded: bits), at: slot)
    case .integers16: self.store(Int16(truncatingIfNeeded: bits), at: slot)
    case .integers32: self.store(Int32(truncatingIfNeeded: bits), at: slot)
    case .integers64, .reals: self.store(bits, at: slot)
    }
  }

  private func store<Number>(_ number: Number, at slot: Int) {
    self.withNumbers(of: Number.self) { _, numbers in numbers[slot] = number }
  }
}

extension Value {
  /// The bits of a number.
  fileprivate var bits: Int64? {
    switch self {
    case .integer(let integer): integer
    case .real(let real): Int64(bitPattern: real.bitPattern)
    default: nil
    }
  }
}
