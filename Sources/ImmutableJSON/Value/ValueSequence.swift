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

  /// Compares keys of two leaves of objects; see ``KeyBytes/compare(_:)``.
  func compareKey(at slot: Int, with other: Node, at otherSlot: Int) -> Int {
    guard let keys, let others = other.keys, keys !== others || slot != otherSlot else { return 0 }
    return keys.withKey(at: slot) { key in
      others.withKey(at: otherSlot) { key.compare($0) }
    }
  }

  /// Creates a root above two nodes.
  static func root(above left: Node, _ right: Node) -> Node {
    var keys: KeyBlock?
    if let first = left.keys, let second = right.keys {
      keys = .joining([first.run(0..<1), second.run(0..<1)])
    }
    return .inner(keys: keys, [left, right])
  }

  /// The tree without roots that have a single child; `nil` if it is empty.
  var collapsed: Node? {
    var node = self
    while !node.isLeaf, node.count == 1 {
      node = node.child(at: 0)
    }
    return node.total == 0 ? nil : node
  }
}
