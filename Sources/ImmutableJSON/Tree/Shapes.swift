/// The keys that objects had, so that the next object with the same members need not sort them and
/// shares them: the records of a list, the actions of a store.
///
/// A table of fixed size, in which an object has its place by its number of members and its first and
/// last key as they stand in the text; another that has the same place takes it.
struct Shapes {
  private var known = [Shape?](repeating: nil, count: Self.places)

  private static var places: Int { 64 }

  /// The most members of an object that is remembered, and the most bytes of its keys.
  private static var mostMembers: Int { Node.mostParts * Node.mostParts }
  private static var mostBytes: Int { 4096 }
}

extension Shapes {
  /// The tree of an object, whose values it takes from their memory. Of equal keys the last counts.
  mutating func makeTree(
    _ keys: UnsafeMutableBufferPointer<KeyBytes>, moving values: UnsafeMutableBufferPointer<Value>
  ) -> Node? {
    guard let first = keys.first, let last = keys.last else { return nil }
    let place = Self.place(keys.count, first, last)
    if let shape = self.known[place], shape.fits(keys) {
      return shape.makeTree(moving: values)
    }
    let order = Self.order(keys, values)
    guard order.count == keys.count, keys.count <= Self.mostMembers,
      keys.reduce(0, { $0 + $1.bytes.count }) <= Self.mostBytes
    else {
      return .build(order.map { keys[Int($0)] }, values, order)
    }
    let shape = Shape(keys, order)
    self.known[place] = shape
    return shape.makeTree(moving: values)
  }

  /// A number below ``places``.
  private static func place(_ count: Int, _ first: KeyBytes, _ last: KeyBytes) -> Int {
    let mixed = (first.prefix ^ (last.prefix &* 31) ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 58)
  }

  /// The members in the order of their keys. Of equal keys it has the last, and destroys the values
  /// of the others.
  private static func order(
    _ keys: UnsafeMutableBufferPointer<KeyBytes>, _ values: UnsafeMutableBufferPointer<Value>
  ) -> ContiguousArray<UInt32> {
    var order = ContiguousArray(0..<UInt32(truncatingIfNeeded: keys.count))
    func compare(_ left: UInt32, _ right: UInt32) -> Int {
      keys[Int(left)].compare(keys[Int(right)])
    }
    // Canonical text has them in order.
    let isInOrder = zip(order, order.dropFirst()).allSatisfy { compare($0, $1) < 0 }
    guard !isInOrder else { return order }
    order.sort { left, right in
      let order = compare(left, right)
      return order < 0 || order == 0 && left < right
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
