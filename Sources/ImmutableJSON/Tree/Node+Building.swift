extension Node {
  /// Builds a tree of values, with nodes of the sizes of ``ranges(_:)``. O(n).
  static func build(_ values: ContiguousArray<Value>) -> Node? {
    self.build(
      self.leaves(values.count) { range in
        .leaf(keys: nil, count: range.count) { values[range.lowerBound + $0] }
      })
  }

  /// Builds a tree of members, with nodes of the sizes of ``ranges(_:)``. O(n).
  ///
  /// - Parameters:
  ///   - keys: The keys in ascending order.
  ///   - values: The values, which are moved out.
  ///   - order: For each key, the index of its value.
  static func build(
    _ keys: [KeyBytes], _ values: UnsafeMutableBufferPointer<Value>,
    _ order: ContiguousArray<UInt32>
  ) -> Node? {
    self.build(
      self.leaves(order.count) { range in
        .leaf(keys: .make(Array(keys[range])), count: range.count) { slot in
          values.moveElement(from: Int(order[range.lowerBound + slot]))
        }
      })
  }

  /// Creates the leaf of an object with one member.
  static func leaf(_ key: KeyBytes, _ value: Value) -> Node {
    .leaf(keys: .make([key]), count: 1) { _ in value }
  }

  /// Creates a leaf of an array by moving values out of memory. Packs them if possible.
  static func leaf(moving values: UnsafeMutableBufferPointer<Value>) -> Node? {
    guard !values.isEmpty else { return nil }
    return self.packed(values)
      ?? self.leaf(keys: nil, count: values.count) { values.moveElement(from: $0) }
  }

  private static func leaves(
    _ count: Int, _ leaf: (Range<Int>) -> Node
  ) -> ContiguousArray<Node> {
    ContiguousArray(self.ranges(count).map(leaf))
  }

  private static func build(_ leaves: ContiguousArray<Node>) -> Node? {
    var level = leaves
    while level.count > 1 {
      level = ContiguousArray(
        self.ranges(level.count).map { range in
          let children = level[range]
          let bounds = children.compactMap { child in child.keys?.run(0..<1) }
          return .inner(keys: bounds.isEmpty ? nil : .joining(bounds), children)
        })
    }
    return level.first
  }

  /// Splits a count into ranges that fit in nodes, whose sizes differ by at most one.
  ///
  /// Leaves room for a part in each node, so that the next insertion need not split it, unless this
  /// makes the tree higher.
  static func ranges(_ count: Int) -> [Range<Int>] {
    let fewest = self.nodes(for: count, of: self.maxParts)
    let more = self.nodes(for: count, of: self.maxParts - 1)
    let nodes = self.height(above: more) == self.height(above: fewest) ? more : fewest
    return (0..<nodes).map { node in
      (node * count / nodes)..<((node + 1) * count / nodes)
    }
  }

  private static func nodes(for count: Int, of size: Int) -> Int {
    (count + size - 1) / size
  }

  /// The number of levels above nodes.
  private static func height(above nodes: Int) -> Int {
    var (nodes, height) = (nodes, 0)
    while nodes > 1 {
      nodes = self.nodes(for: nodes, of: self.maxParts)
      height += 1
    }
    return height
  }
}
