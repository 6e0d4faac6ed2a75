/// The values of an object or array, in order.
public struct NodeValues: Sequence, Sendable {
  let root: Node?

  public struct Iterator: IteratorProtocol {
    /// What is left of the current leaf.
    private var leaf: IndexingIterator<ContiguousArray<Value>>

    /// The nodes behind it, the next one last.
    private var nodes: [Node]

    fileprivate init(_ root: Node?) {
      self.leaf = ContiguousArray().makeIterator()
      self.nodes = root.map { [$0] } ?? []
    }

    public mutating func next() -> Value? {
      while true {
        if let value = self.leaf.next() { return value }
        guard let node = self.nodes.popLast() else { return nil }
        self.leaf = node.values.makeIterator()
        self.nodes.append(contentsOf: node.children.reversed())
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
    for value in self.values {
      try body(value)
    }
    for child in self.children {
      try child.forEachValue(body)
    }
  }

  /// In leaves of objects: less than 0, 0 or more, as a key stands before, at or behind another.
  func compareKey(at slot: Int, with other: Node, at otherSlot: Int) -> Int {
    guard let keys, let others = other.keys, keys !== others || slot != otherSlot else { return 0 }
    return keys.withKey(at: slot) { key in
      others.withKey(at: otherSlot) { key.compare($0) }
    }
  }

  /// A root above two nodes.
  convenience init(joining left: Node, _ right: Node) {
    var keys: KeyBlock?
    if let first = left.keys, let second = right.keys {
      keys = .joining([first.run(0..<1), second.run(0..<1)])
    }
    self.init(keys: keys, children: [left, right])
  }

  /// The same tree without roots that have one child, and nothing if it is empty.
  var collapsed: Node? {
    var node = self
    while node.children.count == 1 {
      node = node.children[0]
    }
    return node.total == 0 ? nil : node
  }
}
