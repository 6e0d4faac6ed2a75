// Copies of nodes with parts inserted or removed. They borrow the other parts
// (`Node+Lineage.swift`).

/// A change of the parts of a node: a range of slots, and up to two parts that replace them.
struct Splice<Part> {
  let range: Range<Int>
  let first: Part?
  let second: Part?

  init(_ range: Range<Int>, _ first: Part? = nil, _ second: Part? = nil) {
    self.range = range
    self.first = first
    self.second = second
  }

  /// The number of new parts.
  var count: Int {
    (self.first == nil ? 0 : 1) + (self.second == nil ? 0 : 1)
  }

  /// The slots of the new parts in the changed node.
  var slots: Range<Int> {
    self.range.lowerBound..<(self.range.lowerBound + self.count)
  }

  /// How the parts after the range move.
  fileprivate var shift: SlotShift {
    if self.count == self.range.count { return .none }
    return self.count > self.range.count
      ? .up(from: self.range.upperBound) : .down(from: self.range.upperBound)
  }
}

/// The result of a change: a node and, if it had to be split, its new right sibling.
typealias SplitNode = (node: Node, sibling: Node?)

extension Node {
  /// Returns a changed copy.
  ///
  /// - Parameters:
  ///   - keys: The keys of the changed node.
  ///   - total, size: Those of the changed node.
  func splicing<Part>(
    _ splice: Splice<Part>, keys: KeyBlock?, total: Int, size: SubtreeSize
  ) -> SplitNode {
    let count = self.count - splice.range.count + splice.count
    guard count > Self.maxParts else {
      let copy = self.prefix(count, of: splice, keys: keys)
      copy.total = total
      copy.size = size
      return (copy, nil)
    }
    let half = count / 2
    let sibling = self.suffix(from: half, count, of: splice, keys: keys?.part(half..<count))
    let copy = self.prefix(half, of: splice, keys: keys?.part(0..<half))
    copy.total = total - sibling.total
    copy.size = size
    copy.size.remove(sibling.size)
    return (copy, sibling)
  }

  /// Returns the first parts of a changed copy, without their total and size.
  private func prefix<Part>(_ count: Int, of splice: Splice<Part>, keys: KeyBlock?) -> Node {
    let copy = Self.make(self.isLeaf ? .leaf : .inner, keys: keys, capacity: count)
    let slots = splice.slots.clamped(to: 0..<count)
    let front = self.run(0..<min(splice.range.lowerBound, count))
    let start = splice.range.upperBound
    let back = self.run(start..<(start + count - slots.upperBound))
    let owned = UInt16.slots(below: slots.upperBound) & ~.slots(below: slots.lowerBound)
    let isBorrowing = !self.isPacked && self.lendParts(to: copy, owned: owned, splice.shift)
    copy.withParts(of: Part.self) { header, parts in
      if isBorrowing {
        copy.borrow(front, of: Part.self, at: 0)
        copy.borrow(back, of: Part.self, at: slots.upperBound)
        header.pointee.count = UInt8(truncatingIfNeeded: count)
      } else {
        copy.append(front)
        header.pointee.count += UInt8(truncatingIfNeeded: slots.count)
        copy.append(back)
      }
      if let first = splice.first, slots.count > 0 {
        (parts + slots.lowerBound).initialize(to: first)
      }
      if let second = splice.second, slots.count > 1 {
        (parts + slots.lowerBound + 1).initialize(to: second)
      }
    }
    return copy
  }

  /// Returns the parts of a changed copy from a slot on.
  private func suffix<Part>(
    from start: Int, _ end: Int, of splice: Splice<Part>, keys: KeyBlock?
  ) -> Node {
    let copy = Self.make(self.isLeaf ? .leaf : .inner, keys: keys, capacity: end - start)
    let slots = splice.slots
    if start < slots.lowerBound {
      copy.append(self.run(start..<slots.lowerBound))
    }
    for (slot, part) in zip(slots, [splice.first, splice.second]) where slot >= start {
      if let part {
        copy.append(part)
      }
    }
    let moved = splice.range.upperBound - slots.upperBound
    copy.append(self.run((max(start, slots.upperBound) + moved)..<self.count))
    copy.measure()
    return copy
  }
}
