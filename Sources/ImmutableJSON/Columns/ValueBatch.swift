/// Up to 16 consecutive values, which are not retained. Valid while the collection that contains
/// them exists.
package struct ValueBatch {
  package let count: Int

  /// The values; `nil` if they are packed.
  let values: UnsafePointer<Value>?

  /// The leaf of packed values.
  private let leaf: Unmanaged<Node>?

  init(_ leaf: Node) {
    self.count = leaf.count
    self.values = leaf.isPacked ? nil : leaf.withValues { UnsafePointer($0.baseAddress) }
    self.leaf = .passUnretained(leaf)
  }

  fileprivate init(_ values: UnsafeBufferPointer<Value>) {
    self.count = values.count
    self.values = values.baseAddress
    self.leaf = nil
  }
}

extension ValueBatch {
  /// The slots of all values.
  package var slots: SlotSet {
    SlotSet(rawValue: .slots(below: self.count))
  }

  /// The slots of the values that are not null.
  package var slotsWithoutNulls: SlotSet {
    guard let values else { return self.slots }
    return self.slots.filter { slot in
      if case .null = values[slot] { false } else { true }
    }
  }

  /// A copy of a value, which is retained.
  package func value(at slot: Int) -> Value {
    if let values { return values[slot] }
    return self.leaf?._withUnsafeGuaranteedRef { $0.packedValue(at: slot) } ?? .null
  }

  /// Reads the values in some slots.
  package func read(_ slots: SlotSet, into column: ValueColumn) {
    if let values {
      slots.forEach { column[$0] = BorrowedValue(values + $0) }
    } else {
      leaf?._withUnsafeGuaranteedRef { leaf in
        slots.forEach { column[$0] = BorrowedValue(packed: leaf.packedValue(at: $0)) }
      }
    }
  }
}

extension BorrowedValue {
  /// A number.
  @inline(__always)
  fileprivate init(packed value: Value) {
    switch value {
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    default: self = .null
    }
  }
}

/// Some of the slots of a ``ValueBatch``.
@usableFromInline package struct SlotSet: OptionSet, Sendable {
  @usableFromInline package let rawValue: UInt16

  @inlinable package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  @inlinable package init(slot: Int) {
    self.rawValue = 1 &<< UInt16(truncatingIfNeeded: slot)
  }

  @inlinable package var count: Int {
    self.rawValue.nonzeroBitCount
  }

  /// Calls `body` with the slots, in ascending order.
  @inlinable package func forEach<Failure>(
    _ body: (Int) throws(Failure) -> Void
  ) throws(Failure) {
    var rest = self.rawValue
    while rest != 0 {
      try body(rest.trailingZeroBitCount)
      rest &= rest &- 1
    }
  }

  /// The slots for which `condition` holds.
  @inlinable package func filter<Failure>(
    _ condition: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> SlotSet {
    var bits: UInt16 = 0
    try self.forEach { (slot) throws(Failure) in
      let bit: UInt16 = try condition(slot) ? 1 : 0
      bits |= bit &<< UInt16(truncatingIfNeeded: slot)
    }
    return SlotSet(rawValue: bits)
  }
}

/// A borrowed value for each slot of a ``ValueBatch``.
@usableFromInline package struct ValueColumn {
  @usableFromInline let values: UnsafeMutableBufferPointer<BorrowedValue>

  /// - Parameter memory: Memory for ``capacity`` values.
  @inlinable package init(_ memory: UnsafeMutableBufferPointer<BorrowedValue>) {
    self.values = memory
  }

  package static var capacity: Int { Node.maxParts }

  @inlinable package subscript(slot: Int) -> BorrowedValue {
    get { self.values[slot] }
    nonmutating set { self.values[slot] = newValue }
  }
}

/// The values of a collection in batches. The collection must exist for longer: nothing is
/// retained.
package struct ValueBatches: IteratorProtocol {
  /// The nodes that remain, in reverse order.
  private var nodes: [Unmanaged<Node>] = []

  /// The values of an array that is not a tree.
  private var values = UnsafeBufferPointer<Value>(start: nil, count: 0)

  package init(_ sequence: ValueSequence) {
    if let root = sequence.root {
      self.nodes = [.passUnretained(root)]
    }
  }

  package init(_ values: UnsafeBufferPointer<Value>) {
    self.values = values
  }

  package mutating func next() -> ValueBatch? {
    while let node = self.nodes.popLast() {
      let batch = node._withUnsafeGuaranteedRef { node -> ValueBatch? in
        guard !node.isLeaf else { return ValueBatch(node) }
        for slot in (0..<node.count).reversed() {
          self.nodes.append(node.borrowChild(at: slot))
        }
        return nil
      }
      if let batch { return batch }
    }
    guard !self.values.isEmpty else { return nil }
    let count = min(self.values.count, Node.maxParts)
    defer { self.values = UnsafeBufferPointer(rebasing: self.values[count...]) }
    return ValueBatch(UnsafeBufferPointer(rebasing: self.values[..<count]))
  }
}
