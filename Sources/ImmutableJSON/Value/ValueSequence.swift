/// The values of an object or array, in order.
public struct ValueSequence: Sequence, @unchecked Sendable {
  let root: Node?

  public struct Iterator: IteratorProtocol {
    /// Retains the values.
    private let sequence: ValueSequence
    private var batches: ValueBatches
    private var batch: ValueBatch?
    private var slot = 0

    fileprivate init(_ sequence: ValueSequence) {
      self.sequence = sequence
      self.batches = ValueBatches(sequence)
      self.batch = self.batches.next()
    }

    public mutating func next() -> Value? {
      withExtendedLifetime(self.sequence) {
        guard let batch else { return nil }
        let value = batch.value(at: self.slot)
        self.slot += 1
        if self.slot == batch.count {
          self.batch = self.batches.next()
          self.slot = 0
        }
        return value
      }
    }
  }

  public func makeIterator() -> Iterator {
    Iterator(self)
  }

  public var underestimatedCount: Int {
    self.root?.total ?? 0
  }

  /// The array that these are the elements of; `nil` for the values of an object. O(1).
  package var array: JSONArray? {
    self.root?.keys == nil ? JSONArray(root: self.root) : nil
  }

  /// Whether an array of the values is within ``ValueLimits``. O(1), so it may be `false` although
  /// the array is.
  package var isWithinLimits: Bool {
    let size = (self.root?.size ?? .none).enclosed
    return size.isWithinLimits && size.text <= UInt64(ValueLimits.text)
  }

  /// Calls `body` with each value, faster than iteration.
  public func forEach(_ body: (Value) throws -> Void) rethrows {
    try self.root?.forEachValue(body)
  }
}

extension Node {
  func forEachValue(_ body: (Value) throws -> Void) rethrows {
    try self.withValues { values in
      for value in values {
        try body(value)
      }
    }
    try self.withChildren { children in
      for child in children {
        try child.node.forEachValue(body)
      }
    }
    guard self.isPacked else { return }
    for slot in 0..<self.count {
      try body(self.packedValue(at: slot))
    }
  }
}
