extension Node {
  /// A tree of values in order, as full as it can be. O(n).
  static func build(_ values: ContiguousArray<Value>) -> Node? {
    self.build(
      self.leaves(values.count) { range in
        .leaf(keys: nil, count: range.count) { values[range.lowerBound + $0] }
      })
  }

  /// A tree of values with their keys in ascending order, as full as it can be. O(n).
  ///
  /// - Parameter order: Which value stands at which place. It is taken from its memory.
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

  /// A leaf of values without keys, which it takes from their memory; packed, if that can be.
  static func leaf(moving values: UnsafeMutableBufferPointer<Value>) -> Node? {
    guard !values.isEmpty else { return nil }
    return self.packed(UnsafeBufferPointer(values))
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

  /// As few ranges as fit into nodes, of sizes that differ by one at most.
  static func ranges(_ count: Int) -> [Range<Int>] {
    let nodes = (count + self.mostParts - 1) / self.mostParts
    return (0..<nodes).map { node in
      (node * count / nodes)..<((node + 1) * count / nodes)
    }
  }
}
