/// A node of the tree that holds the values of an object or array.
///
/// A B+ tree: the values are in the leaves, all of which are equally far from the root.
///
/// ```
///             ┌ children: • • •      keys: not above the first key of each child
///   inner     └ total: 37            (nothing in arrays)
///
///             ┌ values: 1 2 3 …      keys: one for each value
///   leaf      └ total: 13            (nothing in arrays)
/// ```
///
/// A tree is changed through an `inout Node`: a node that is held elsewhere too is copied on the
/// way, one that is not is changed in place. So what is shared never changes, and a change copies
/// one node of each level.
final class Node: @unchecked Sendable {
  /// The most values or children that a node has. Measured: narrower nodes make deeper trees,
  /// wider ones more to copy.
  static var capacity: Int { 16 }

  var keys: KeyBlock?
  var values: ContiguousArray<Value>
  var children: ContiguousArray<Node>

  /// How many values there are below.
  var total: Int

  /// How deep and large those values are together.
  var extent: Extent

  init(keys: KeyBlock?, values: ContiguousArray<Value>) {
    self.keys = keys
    self.values = values
    self.children = []
    self.total = values.count
    self.extent = .none
    self.measure()
  }

  init(keys: KeyBlock?, children: ContiguousArray<Node>) {
    self.keys = keys
    self.values = []
    self.children = children
    self.total = children.reduce(0) { $0 + $1.total }
    self.extent = .none
    self.measure()
  }

  /// A copy that shares the arrays until one of them is changed.
  fileprivate init(copying node: Node) {
    self.keys = node.keys
    self.values = node.values
    self.children = node.children
    self.total = node.total
    self.extent = node.extent
  }

  /// Adds up the extent anew.
  private func measure() {
    self.extent = .none
    for value in self.values {
      self.extent.add(value.extent)
    }
    for child in self.children {
      self.extent.add(child.extent)
    }
  }

  var isLeaf: Bool {
    self.children.isEmpty
  }
}

/// Where a value is: at a key or at an index.
enum Place {
  case key(KeyBytes)
  case index(Int)
}

// MARK: Reading

extension Node {
  /// The value at a place. O(log n).
  func value(at place: Place) -> Value? {
    var node = self
    var place = place
    while !node.isLeaf {
      node = node.children[node.childSlot(of: &place)]
    }
    let (slot, isFound) = node.slot(of: place)
    return isFound ? node.values[slot] : nil
  }

  /// In a leaf: where a place is, or would be.
  func slot(of place: Place) -> (slot: Int, isFound: Bool) {
    switch place {
    case .key(let key): self.keys?.search(key) ?? (0, false)
    case .index(let index): (index, index < self.values.count)
    }
  }

  /// In an inner node: which child has a place. An index becomes one of that child.
  func childSlot(of place: inout Place) -> Int {
    switch place {
    case .key(let key):
      guard let (slot, isFound) = self.keys?.search(key) else { return 0 }
      return isFound ? slot : max(slot - 1, 0)
    case .index(let index):
      var rest = index
      for slot in self.children.indices.dropLast() {
        let total = self.children[slot].total
        if rest < total {
          place = .index(rest)
          return slot
        }
        rest -= total
      }
      place = .index(rest)
      return self.children.count - 1
    }
  }
}

// MARK: Changing

extension Node {
  /// Puts a value at a place: in place of what is there or, if nothing is or `isInsertion`, new.
  ///
  /// - Returns: A node that has to stand behind this one, if this became too full.
  static func put(
    _ value: Value, at place: Place, isInsertion: Bool, in node: inout Node
  ) -> Node? {
    self.makeUnique(&node)
    if node.isLeaf {
      let (slot, isFound) = node.slot(of: place)
      node.extent.add(value.extent)
      if isFound, !isInsertion {
        node.extent.remove(node.values[slot].extent)
        node.values[slot] = value
        return nil
      }
      node.values.insert(value, at: slot)
      if case .key(let key) = place {
        node.keys = node.keys?.inserting(key, at: slot)
      }
      node.total += 1
    } else {
      var place = place
      let slot = node.childSlot(of: &place)
      node.total -= node.children[slot].total
      node.extent.remove(node.children[slot].extent)
      let behind = self.put(value, at: place, isInsertion: isInsertion, in: &node.children[slot])
      node.total += node.children[slot].total
      node.extent.add(node.children[slot].extent)
      if let behind {
        node.total += behind.total
        node.extent.add(behind.extent)
        node.children.insert(behind, at: slot + 1)
        node.keys = node.keys.flatMap { keys in
          behind.keys?.withKey(at: 0) { keys.inserting($0, at: slot + 1) }
        }
      }
    }
    return node.splitIfTooFull()
  }

  /// Takes out the value at a place, which has to be there.
  static func remove(at place: Place, in node: inout Node) -> Value? {
    self.makeUnique(&node)
    guard node.isLeaf else {
      var place = place
      let slot = node.childSlot(of: &place)
      let value = self.remove(at: place, in: &node.children[slot])
      node.total -= 1
      node.extent.remove(value?.extent ?? .none)
      node.mendChild(at: slot)
      return value
    }
    let (slot, isFound) = node.slot(of: place)
    guard isFound else { return nil }
    node.keys = node.keys?.removing(at: slot)
    node.total -= 1
    let value = node.values.remove(at: slot)
    node.extent.remove(value.extent)
    return value
  }

  private static func makeUnique(_ node: inout Node) {
    if !isKnownUniquelyReferenced(&node) {
      node = Node(copying: node)
    }
  }

  /// Gives the second half away, if there is more than fits.
  private func splitIfTooFull() -> Node? {
    let count = self.isLeaf ? self.values.count : self.children.count
    guard count > Self.capacity else { return nil }
    return self.split(at: count / 2)
  }

  private func split(at slot: Int) -> Node {
    let count = self.isLeaf ? self.values.count : self.children.count
    let keys = self.keys
    let behindKeys = keys.map { KeyBlock.joining([$0.run(slot..<count)]) }
    self.keys = keys.map { KeyBlock.joining([$0.run(0..<slot)]) }
    let behind =
      self.isLeaf
      ? Node(keys: behindKeys, values: ContiguousArray(self.values[slot...]))
      : Node(keys: behindKeys, children: ContiguousArray(self.children[slot...]))
    if self.isLeaf {
      self.values.removeSubrange(slot...)
    } else {
      self.children.removeSubrange(slot...)
    }
    self.total -= behind.total
    self.measure()
    return behind
  }

  /// Joins a child that has become small with its neighbour, and divides them anew if that is too
  /// much for one.
  private func mendChild(at slot: Int) {
    let child = self.children[slot]
    let count = child.isLeaf ? child.values.count : child.children.count
    guard count < Self.capacity / 4, self.children.count > 1 else { return }
    let left = max(slot - 1, 0)
    let joined = Node(copying: self.children[left])
    joined.append(self.children[left + 1], lowerBound: self.keys?.run((left + 1)..<(left + 2)))
    self.children[left] = joined
    self.children.remove(at: left + 1)
    self.keys = self.keys?.removing(at: left + 1)
    if let behind = joined.splitIfTooFull() {
      self.children.insert(behind, at: left + 1)
      self.keys = self.keys.flatMap { keys in
        behind.keys?.withKey(at: 0) { keys.inserting($0, at: left + 1) }
      }
    }
  }

  private func append(_ other: Node, lowerBound: KeyBlock.Run?) {
    if let keys, let others = other.keys {
      // In an inner node, the first key is a bound that may be above what its parent says; the
      // parent's is the one that holds.
      let run = others.run(0..<others.count)
      let behind = other.isLeaf ? [run] : [lowerBound ?? run, others.run(1..<others.count)]
      self.keys = .joining([keys.run(0..<keys.count)] + behind)
    }
    self.values.append(contentsOf: other.values)
    self.children.append(contentsOf: other.children)
    self.total += other.total
    self.extent.add(other.extent)
  }
}
