/// The values of an object or array, in order.
public struct ValueSequence: Sequence, @unchecked Sendable {
  let root: Node?

  public struct Iterator: IteratorProtocol {
    private var leaf: Node?
    private var slot = 0

    /// The nodes after the leaf, in reverse order.
    private var nodes: [Node]

    fileprivate init(_ root: Node?) {
      self.nodes = root.map { [$0] } ?? []
    }

    public mutating func next() -> Value? {
      while true {
        if let leaf, self.slot < leaf.count {
          defer { self.slot += 1 }
          return leaf.value(at: self.slot)
        }
        guard let node = self.nodes.popLast() else { return nil }
        if node.isLeaf {
          (self.leaf, self.slot) = (node, 0)
        } else {
          node.withChildren { self.nodes.append(contentsOf: $0.reversed()) }
        }
      }
    }
  }

  public func makeIterator() -> Iterator {
    Iterator(self.root)
  }

  public var underestimatedCount: Int {
    self.root?.total ?? 0
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
        try child.forEachValue(body)
      }
    }
    guard self.isPacked else { return }
    for slot in 0..<self.count {
      try body(self.packedValue(at: slot))
    }
  }
}
