/// A cache of shapes. Objects with the same keys, such as the records of a list or the actions of a
/// store, share one shape, and their keys are sorted only once.
///
/// A direct-mapped table. The first and the last eight bytes of each key determine the slot; a new
/// shape replaces the one in its slot.
///
/// Also remembers, for each first key and depth, the shape of the last object with both.
struct ShapeCache: ~Copyable {
  private var shapes = [Shape?](repeating: nil, count: Self.slotCount)

  /// The shapes whose keys have no escapes, and these keys, to be read without counting references.
  private let expectations = UnsafeMutablePointer<Expectation>.allocate(capacity: Self.slotCount)

  /// The last shapes, by first key and depth.
  private let last = UnsafeMutablePointer<ID>.allocate(capacity: Self.slotCount)

  /// The number of shapes that were cached so far.
  private var count = 0

  /// Identifies a shape. Not reused when another shape takes its slot.
  struct ID: Equatable {
    fileprivate let number: Int

    fileprivate var slot: Int {
      self.number & (ShapeCache.slotCount - 1)
    }

    static var none: ID { ID(number: 0) }
  }

  private struct Expectation {
    var id = ID.none
    var shape: Unmanaged<Shape>?
    var keys = UnsafeMutableBufferPointer<KeyBytes>(start: nil, count: 0)
  }

  private static var slotCount: Int { 256 }

  /// The limits of cached shapes: the number of members, and the total size of the keys in bytes.
  private static var maxMembers: Int { Node.maxParts * Node.maxParts }
  private static var maxBytes: Int { 4096 }

  init() {
    self.expectations.initialize(repeating: Expectation(), count: Self.slotCount)
    self.last.initialize(repeating: .none, count: Self.slotCount)
  }

  deinit {
    self.expectations.deallocate()
    self.last.deallocate()
  }
}

extension ShapeCache {
  /// Builds the tree of an object by moving its values out of memory. If a key is repeated, the
  /// last value wins.
  ///
  /// - Parameters:
  ///   - expected: A shape that begins with these keys, if one was expected and the keys are as
  ///     expected.
  ///   - depth: The depth of the object in the text.
  mutating func makeTree(
    _ keys: UnsafeMutableBufferPointer<KeyBytes>, moving values: UnsafeMutableBufferPointer<Value>,
    expected: ID = .none, depth: Int = 0
  ) -> Node? {
    if let expectation = self.expectation(of: expected), expectation.keys.count == keys.count,
      let shape = expectation.shape
    {
      return shape._withUnsafeGuaranteedRef { $0.makeTree(moving: values) }
    }
    guard let first = keys.first else { return nil }
    let slot = Self.slot(keys)
    if let shape = self.shapes[slot], shape.fits(keys) {
      self.last[Self.slot(first, depth)] = self.expectations[slot].id
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
    self.expect(shape, in: slot)
    self.last[Self.slot(first, depth)] = self.expectations[slot].id
    return shape.makeTree(moving: values)
  }

  private mutating func expect(_ shape: Shape, in slot: Int) {
    self.count &+= 1
    let id = ID(number: self.count &* Self.slotCount &+ slot)
    self.expectations[slot] =
      shape.isPlain
      ? Expectation(id: id, shape: .passUnretained(shape), keys: shape.keys) : Expectation()
  }

  /// A hash of keys below ``slotCount``.
  private static func slot(_ keys: UnsafeMutableBufferPointer<KeyBytes>) -> Int {
    var hash: UInt64 = 0
    for key in keys {
      hash = (hash ^ key.prefix ^ key.suffix) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    return self.slot(hash)
  }

  /// The highest bits of a product, as a number below ``slotCount``.
  @inline(__always)
  private static func slot(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash >> 56)
  }
}

// MARK: Expected keys

extension ShapeCache {
  /// The last shape of an object with this first key and depth, or none.
  @inline(__always)
  func expected(_ first: KeyBytes, depth: Int) -> ID {
    let id = self.last[Self.slot(first, depth)]
    guard let key = self.keys(of: id)?.first, key.isEqual(to: first) else { return .none }
    return id
  }

  /// The keys of a shape, valid until another shape is cached; `nil` if it is not cached any more.
  @inline(__always)
  func keys(of id: ID) -> UnsafeMutableBufferPointer<KeyBytes>? {
    self.expectation(of: id)?.keys
  }

  @inline(__always)
  private func expectation(of id: ID) -> Expectation? {
    let expectation = self.expectations + id.slot
    return expectation.pointee.id == id ? expectation.pointee : nil
  }

  /// A hash below ``slotCount``.
  @inline(__always)
  private static func slot(_ first: KeyBytes, _ depth: Int) -> Int {
    let mixed =
      (first.prefix ^ UInt64(truncatingIfNeeded: depth)) &* 0x9E37_79B9_7F4A_7C15
    return self.slot(mixed)
  }
}

extension KeyBytes {
  /// The last eight bytes of a longer key; 0 for others.
  fileprivate var suffix: UInt64 {
    guard self.bytes.count > 8, let bytes = self.bytes.baseAddress else { return 0 }
    return (bytes + self.bytes.count - 8).loadUnaligned(as: UInt64.self)
  }
}

// MARK: Order

extension ShapeCache {
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
