// The parts of a node in memory: the values of a leaf, or the children of an inner node.
//
// Invariant: the first `count` parts are initialized.
// The parts of a leaf have the type `Value`, those of an inner node `Child`; both consist of
// whole words. The parts of a packed leaf are numbers.

// MARK: Access

extension Node {
  /// Calls `body` with the values of a leaf. Inner nodes and packed leaves have none.
  func withValues<Result, Failure>(
    _ body: (UnsafeMutableBufferPointer<Value>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try self.withParts(of: Value.self) { (header, values) throws(Failure) in
      let count = header.pointee.kind == .leaf ? header.pointee.count : 0
      return try body(UnsafeMutableBufferPointer(start: values, count: Int(count)))
    }
  }

  /// Calls `body` with the children of an inner node. Leaves have none.
  func withChildren<Result, Failure>(
    _ body: (UnsafeMutableBufferPointer<Child>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try self.withParts(of: Child.self) { (header, children) throws(Failure) in
      let count = header.pointee.kind == .inner ? header.pointee.count : 0
      return try body(UnsafeMutableBufferPointer(start: children, count: Int(count)))
    }
  }

  /// The value in a slot of a leaf.
  func value(at slot: Int) -> Value {
    self.kind == .leaf ? self.withValues { $0[slot] } : self.packedValue(at: slot)
  }

  /// The child in a slot of an inner node.
  func child(at slot: Int) -> Node {
    self.withChildren { $0[slot].node }
  }

  /// The unretained child in a slot of an inner node, valid while this node lives and is not
  /// changed.
  func borrowChild(at slot: Int) -> Unmanaged<Node> {
    self.withChildren { children in
      UnsafeRawBufferPointer(children)
        .load(fromByteOffset: slot * MemoryLayout<Child>.stride, as: Unmanaged<Node>.self)
    }
  }

  /// Calls `body` with pointers to the header and the parts of a node that is not packed. `Part`
  /// must be the type of the parts.
  func withParts<Part, Result, Failure>(
    of type: Part.Type,
    _ body: (UnsafeMutablePointer<NodeHeader>, UnsafeMutablePointer<Part>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try self.withUnsafeMutablePointers { (header, words) throws(Failure) in
      let parts = UnsafeMutableRawPointer(words) + MemoryLayout<NodeLinks>.size
      return try body(header, parts.assumingMemoryBound(to: type))
    }
  }
}

// MARK: Comparing

extension Node {
  /// The number of values from a slot on that two leaves share: instances, and scalars with the
  /// same bits. In objects, the leaves must share their keys, too. Touches the memory of no value.
  func sharedValues(with other: Node, from slot: Int) -> Int {
    self.sharedValues(with: other, in: slot..<max(slot, self.count))
  }

  /// The number of values that two leaves share at the beginning of a range of slots.
  func sharedValues(with other: Node, in slots: Range<Int>) -> Int {
    guard self.hasKeys(of: other) else { return 0 }
    return self.withValues { values in
      other.withValues { others in
        let end = min(values.count, others.count, slots.upperBound)
        let slot = slots.lowerBound
        var next = slot
        while next < end, values.hasSameBits(at: next, as: others, at: next) {
          next += 1
        }
        return next - slot
      }
    }
  }

  /// The number of children from a slot on that two inner nodes share. Touches the memory of no
  /// child.
  func sharedChildren(with other: Node, from slot: Int) -> Int {
    self.withChildren { children in
      other.withChildren { others in
        let end = min(children.count, others.count)
        let (words, otherWords) = (UnsafeRawBufferPointer(children), UnsafeRawBufferPointer(others))
        var next = slot
        while next < end {
          let start = next * MemoryLayout<Child>.stride
          let word = words.load(fromByteOffset: start, as: UInt.self)
          guard word == otherWords.load(fromByteOffset: start, as: UInt.self) else { break }
          next += 1
        }
        return next - slot
      }
    }
  }

  /// Whether two nodes have the same instance of keys, or none.
  func hasKeys(of other: Node) -> Bool {
    self.withUnsafeMutablePointerToHeader { header in
      other.withUnsafeMutablePointerToHeader { header.pointee.keys === $0.pointee.keys }
    }
  }
}

extension UnsafeMutableBufferPointer<Value> {
  /// Whether the values in two slots have the same bits, and are therefore identical. Does not
  /// retain them.
  func hasSameBits(at slot: Int, as other: Self, at otherSlot: Int) -> Bool {
    let (bytes, others) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    let start = slot * MemoryLayout<Value>.stride
    let otherStart = otherSlot * MemoryLayout<Value>.stride
    // A string takes the two words before the tag.
    let tag = 2 * MemoryLayout<UInt64>.stride
    return bytes.load(fromByteOffset: start, as: UInt64.self)
      == others.load(fromByteOffset: otherStart, as: UInt64.self)
      && bytes.load(fromByteOffset: start + 8, as: UInt64.self)
        == others.load(fromByteOffset: otherStart + 8, as: UInt64.self)
      && bytes[start + tag] == others[otherStart + tag]
  }
}

// MARK: Creating

extension Node {
  /// Creates a leaf of `count` values, which are requested in order.
  static func leaf<Failure>(
    keys: KeyBlock?, count: Int, _ value: (_ slot: Int) throws(Failure) -> Value
  ) throws(Failure) -> Node {
    let leaf = self.make(.leaf, keys: keys, capacity: count)
    for slot in 0..<count {
      leaf.append(try value(slot))
    }
    leaf.measure()
    return leaf
  }

  /// Creates a leaf by moving values out of memory, in the order of `indexes`. Packs them if
  /// possible.
  static func leaf(
    keys: KeyBlock, moving values: UnsafeMutableBufferPointer<Value>,
    order indexes: UnsafeMutableBufferPointer<UInt32>
  ) -> Node {
    if let leaf = self.packed(values, keys: keys, order: indexes) { return leaf }
    let leaf = self.make(.leaf, keys: keys, capacity: indexes.count)
    leaf.withParts(of: Value.self) { header, parts in
      for slot in 0..<indexes.count {
        (parts + slot).initialize(to: values.moveElement(from: Int(indexes[slot])))
      }
      header.pointee.count = UInt8(truncatingIfNeeded: indexes.count)
      header.pointee.total = UInt32(truncatingIfNeeded: indexes.count)
      var size = SubtreeSize.none
      size.replaceKeys(nil, by: keys)
      size.add(UnsafeMutableBufferPointer(start: parts, count: indexes.count))
      header.pointee.size = size
    }
    return leaf
  }

  /// Creates an inner node.
  static func inner(keys: KeyBlock?, _ children: ArraySlice<Node>) -> Node {
    let inner = self.make(.inner, keys: keys, capacity: children.count)
    for child in children {
      inner.append(Child(child))
    }
    inner.measure()
    return inner
  }

  /// A range of the parts of a node.
  struct Run {
    let node: Node
    let range: Range<Int>
  }

  func run(_ range: Range<Int>) -> Run {
    Run(node: self, range: range)
  }

  /// Concatenates ranges of other nodes, which must be all leaves or all inner nodes.
  static func joining(_ first: Run, _ second: Run? = nil, keys: KeyBlock?) -> Node {
    let count = first.range.count + (second?.range.count ?? 0)
    let node = self.make(first.node.isLeaf ? .leaf : .inner, keys: keys, capacity: count)
    node.append(first)
    if let second {
      node.append(second)
    }
    node.measure()
    return node
  }

  /// Returns a copy with the part in a slot replaced. Its total and size are those of this node.
  func copy<Part>(replacing slot: Int, by part: Part) -> Node {
    let copy = self.emptyCopy(capacity: self.count)
    if !self.isPacked, self.lendParts(to: copy, owned: 1 << UInt16(truncatingIfNeeded: slot), .none)
    {
      copy.borrow(self.run(0..<self.count), of: Part.self, at: 0)
      copy.withParts(of: Part.self) { header, parts in
        (parts + slot).initialize(to: part)
        header.pointee.count = UInt8(truncatingIfNeeded: self.count)
      }
      return copy
    }
    copy.append(self.run(0..<slot))
    copy.append(part)
    copy.append(self.run((slot + 1)..<self.count))
    return copy
  }

  /// Copies the parts of another node without retaining them, and without counting them.
  func borrow<Part>(_ run: Run, of type: Part.Type, at slot: Int) {
    self.withParts(of: type) { _, parts in
      run.node.withParts(of: type) { _, others in
        UnsafeMutableRawPointer(parts + slot).copyMemory(
          from: others + run.range.lowerBound,
          byteCount: run.range.count * MemoryLayout<Part>.stride)
      }
    }
  }

  /// Returns a copy with a part inserted before a slot. Its total and size are those of this node.
  private func copy<Part>(inserting part: Part, at slot: Int, capacity: Int) -> Node {
    let copy = self.emptyCopy(capacity: capacity)
    copy.append(self.run(0..<slot))
    copy.append(part)
    copy.append(self.run(slot..<self.count))
    return copy
  }

  /// Returns a copy of the header, without parts.
  private func emptyCopy(capacity: Int) -> Node {
    let copy = Self.make(self.isLeaf ? .leaf : .inner, keys: self.keys, capacity: capacity)
    copy.total = self.total
    copy.size = self.size
    return copy
  }

  static func make(_ kind: NodeHeader.Kind, keys: KeyBlock?, capacity: Int) -> Node {
    let links = kind.isPacked ? 0 : MemoryLayout<NodeLinks>.size
    let bytes = links + capacity * kind.stride + 7
    let buffer = self.create(minimumCapacity: bytes / MemoryLayout<UInt64>.stride) { _ in
      NodeHeader(
        keys: keys, size: .none, total: 0, count: 0, kind: kind)
    }
    let node = unsafeDowncast(buffer, to: Node.self)
    if !kind.isPacked {
      node.withUnsafeMutablePointerToHeader { $0.links.initialize(to: NodeLinks()) }
    }
    return node
  }

  /// Recomputes total and size.
  func measure() {
    var total = 0
    var size = SubtreeSize.none
    if self.isLeaf {
      size.replaceKeys(nil, by: self.keys)
    }
    self.withValues { values in
      total += values.count
      size.add(values)
    }
    self.withChildren { children in
      for child in children {
        total += child.node.total
        size.add(child.node.size)
      }
    }
    if self.isPacked {
      total = self.count
      size.add(self.packedSize)
    }
    self.total = total
    self.size = size
  }
}

// MARK: Changing

extension Node {
  /// Inserts a part before a slot of a node that is referenced once. The caller updates keys, total
  /// and size.
  static func insert<Part>(_ part: Part, at slot: Int, in node: inout Node) {
    if node.hasRoom {
      node.ownParts()
      node.insert(part, at: slot)
    } else {
      // The node will probably grow further.
      let more = min(node.count / 2, maxParts - node.count)
      node = node.copy(inserting: part, at: slot, capacity: node.count + 1 + more)
    }
  }

  /// Whether another part fits in the memory of this node. A packed leaf has no room.
  private var hasRoom: Bool {
    let kind = self.kind
    let bytes = MemoryLayout<NodeLinks>.size + (self.count + 1) * kind.stride
    return !kind.isPacked && bytes <= self.capacity * MemoryLayout<UInt64>.stride
  }

  /// Requires room.
  private func insert<Part>(_ part: Part, at slot: Int) {
    self.withParts(of: Part.self) { header, parts in
      (parts + slot + 1).moveInitialize(
        from: parts + slot, count: Int(header.pointee.count) - slot)
      (parts + slot).initialize(to: part)
      header.pointee.count += 1
    }
  }

  /// Removes and returns the part in a slot. The caller updates keys, total and size.
  func remove<Part>(_ type: Part.Type, at slot: Int) -> Part {
    self.withParts(of: type) { header, parts in
      let part = (parts + slot).move()
      header.pointee.count -= 1
      (parts + slot).moveInitialize(
        from: parts + slot + 1, count: Int(header.pointee.count) - slot)
      return part
    }
  }

  /// Requires room.
  func append<Part>(_ part: Part) {
    self.withParts(of: Part.self) { header, parts in
      (parts + Int(header.pointee.count)).initialize(to: part)
      header.pointee.count += 1
    }
  }

  /// Requires room.
  func append(_ run: Run) {
    switch run.node.kind {
    case .inner: self.append(run, of: Child.self)
    case .leaf: self.append(run, of: Value.self)
    default:
      for slot in run.range {
        self.append(run.node.packedValue(at: slot))
      }
    }
  }

  // Element by element, also in `destroyParts`: for whole arrays the compiler calls the runtime,
  // which consults the type metadata for each element.
  private func append<Part>(_ run: Run, of type: Part.Type) {
    self.withParts(of: type) { header, parts in
      run.node.withParts(of: type) { _, others in
        var end = parts + Int(header.pointee.count)
        for slot in run.range {
          end.initialize(to: others[slot])
          end += 1
        }
      }
      header.pointee.count += UInt8(run.range.count)
    }
  }

  func destroyParts() {
    switch self.kind {
    case .inner: self.destroyParts(of: Child.self)
    case .leaf: self.destroyParts(of: Value.self)
    default: break
    }
  }

  private func destroyParts<Part>(of type: Part.Type) {
    self.withParts(of: type) { _, parts in
      self.forEachOwnedSlot { (parts + $0).deinitialize(count: 1) }
    }
  }
}
