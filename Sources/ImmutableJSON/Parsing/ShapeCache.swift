/// A cache of shapes. Objects with the same keys, such as the records of a list or the actions of a
/// store, share one shape, and their keys are sorted only once.
///
/// A direct-mapped table. The number of members and the first and last key in the text determine
/// the slot; a new shape replaces the one in its slot.
struct ShapeCache {
  private var shapes = [Shape?](repeating: nil, count: Self.slotCount)

  private static var slotCount: Int { 64 }

  /// The limits of cached shapes: the number of members, and the total size of the keys in bytes.
  private static var maxMembers: Int { Node.maxParts * Node.maxParts }
  private static var maxBytes: Int { 4096 }
}

extension ShapeCache {
  /// Builds the tree of an object by moving its values out of memory. If a key is repeated, the
  /// last value wins.
  mutating func makeTree(
    _ keys: UnsafeMutableBufferPointer<KeyBytes>, moving values: UnsafeMutableBufferPointer<Value>
  ) -> Node? {
    guard let first = keys.first, let last = keys.last else { return nil }
    let slot = Self.slot(keys.count, first, last)
    if let shape = self.shapes[slot], shape.fits(keys) {
      return shape.makeTree(moving: values)
    }
    let order = Self.order(keys, values)
    guard order.count == keys.count, keys.count <= Self.maxMembers,
      keys.reduce(0, { $0 + $1.bytes.count }) <= Self.maxBytes
    else {
      return .build(order.map { keys[Int($0)] }, values, order)
    }
    let shape = Shape(keys, order)
    self.shapes[slot] = shape
    return shape.makeTree(moving: values)
  }

  /// A hash below ``slotCount``.
  private static func slot(_ count: Int, _ first: KeyBytes, _ last: KeyBytes) -> Int {
    let mixed = (first.prefix ^ (last.prefix &* 31) ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 58)
  }

  /// Returns the indexes of the members in key order. Drops all but the last of repeated keys, and
  /// destroys the values of the dropped ones.
  private static func order(
    _ keys: UnsafeMutableBufferPointer<KeyBytes>, _ values: UnsafeMutableBufferPointer<Value>
  ) -> ContiguousArray<UInt32> {
    var order = ContiguousArray(0..<UInt32(truncatingIfNeeded: keys.count))
    func compare(_ left: UInt32, _ right: UInt32) -> Int {
      keys[Int(left)].compare(keys[Int(right)])
    }
    // In canonical text the keys are already sorted.
    let isInOrder = zip(order, order.dropFirst()).allSatisfy { compare($0, $1) < 0 }
    guard !isInOrder else { return order }
    order.sort { left, right in
      let comparison = compare(left, right)
      return comparison < 0 || comparison == 0 && left < right
    }
    var count = 0
    for index in order.indices {
      let isLast = index + 1 == order.count || compare(order[index], order[index + 1]) != 0
      if isLast {
        order[count] = order[index]
        count += 1
      } else {
        values.deinitializeElement(at: Int(order[index]))
      }
    }
    order.removeLast(order.count - count)
    return order
  }
}
