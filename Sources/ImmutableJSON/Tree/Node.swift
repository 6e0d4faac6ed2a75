/// A node of the persistent B+ tree that holds the values of an object or array.
///
/// The values are in the leaves, which are all at the same depth.
///
/// ```
///             ┌ children: • • •      keys: the lower bound of each child; the first is unused
///   inner     └ total: 37            (none in arrays)
///
///             ┌ values: 1 2 3 …      keys: one for each value
///   leaf      └ total: 13            (none in arrays)
/// ```
///
/// A leaf of parsed numbers may be packed: it stores bare integers or doubles instead of values
/// (`Node+Packed.swift`).
///
/// A node is one block of memory. Its parts, the values of a leaf or the children of an inner node,
/// follow its header and, unless it is packed, the links to other versions of this node
/// (`Node+Lineage.swift`):
///
/// ```
///   keys | size | total | count | … || previous | next || part 0 … part count-1 | free
/// ```
///
/// A tree is updated through an `inout Node`: uniquely referenced nodes are changed in place,
/// shared ones are copied. Shared nodes never change, and an update copies only the nodes on its
/// path, and neighbors that it merges with them. Therefore types that hold a tree can be
/// `Sendable`, although the compiler cannot verify it.
final class Node: ManagedBuffer<NodeHeader, UInt64> {
  /// The maximum number of parts. Chosen by measurement: narrower nodes make deeper trees, wider
  /// ones cost more to copy.
  static var maxParts: Int { 16 }

  deinit {
    NodeDestroyer.destroyParts(of: self)
  }
}

// 32 bytes. `owned` takes the place of the padding of `size`.
struct NodeHeader {
  var keys: KeyBlock?

  /// The total size of the values in this subtree, keys included.
  var size: SubtreeSize

  /// The slots of the parts that this node owns, as bits (`Node+Lineage.swift`).
  var owned: UInt16 = Self.allParts

  /// The number of values in this subtree.
  var total: UInt32

  /// The number of parts.
  var count: UInt8

  /// How the parts moved since the previous version (`Node+Lineage.swift`).
  var shift = SlotShift.none

  let kind: Kind

  /// The number of the lock of its lineage (`Node+Lineage.swift`); 0 if it has none.
  var lineageLock: UInt8 = 0

  enum Kind: UInt8 {
    case inner, leaf
    case integers8, integers16, integers32, integers64, reals
  }
}

extension Node {
  var isLeaf: Bool {
    self.kind != .inner
  }

  var kind: NodeHeader.Kind {
    self.withUnsafeMutablePointerToHeader { $0.pointee.kind }
  }

  var keys: KeyBlock? {
    get { self.withUnsafeMutablePointerToHeader { $0.pointee.keys } }
    set { self.withUnsafeMutablePointerToHeader { $0.pointee.keys = newValue } }
  }

  /// The keys, which are not retained. Valid while this node lives and is not changed.
  var unretainedKeys: Unmanaged<KeyBlock>? {
    self.withUnsafeMutablePointerToHeader { header in
      header.pointee.keys.map { .passUnretained($0) }
    }
  }

  var total: Int {
    get { self.withUnsafeMutablePointerToHeader { Int($0.pointee.total) } }
    set { self.withUnsafeMutablePointerToHeader { $0.pointee.total = UInt32(clamping: newValue) } }
  }

  var size: SubtreeSize {
    get { self.withUnsafeMutablePointerToHeader { $0.pointee.size } }
    set { self.withUnsafeMutablePointerToHeader { $0.pointee.size = newValue } }
  }

  var count: Int {
    self.withUnsafeMutablePointerToHeader { Int($0.pointee.count) }
  }
}

/// The position of a value: a key or an index.
enum TreePosition {
  case key(KeyBytes)
  case index(Int)
}

// MARK: Reading

extension Node {
  /// The value at a position, if present. O(log n).
  func value(at position: TreePosition) -> Value? {
    // Retains nothing on the way down: a child lives as long as its parent, the root as long as
    // this call.
    var node = Unmanaged.passUnretained(self)
    var position = position
    while let child = node._withUnsafeGuaranteedRef({ $0.borrowChild(at: &position) }) {
      node = child
    }
    return node._withUnsafeGuaranteedRef { leaf in
      let (slot, isFound) = leaf.slot(of: position)
      return isFound ? leaf.value(at: slot) : nil
    }
  }

  /// The unretained child that contains a position, valid while this node lives; `nil` in a leaf.
  private func borrowChild(at position: inout TreePosition) -> Unmanaged<Node>? {
    self.isLeaf ? nil : self.enterChild(at: self.childSlot(of: &position))
  }

  /// The slot of a position in a leaf, or the slot where it would be inserted.
  func slot(of position: TreePosition) -> (slot: Int, isFound: Bool) {
    switch position {
    case .key(let key): self.search(key, from: 0)
    case .index(let index): (index, index < self.count)
    }
  }

  /// The slot of the child that contains a position. An index becomes relative to that child.
  func childSlot(of position: inout TreePosition) -> Int {
    switch position {
    case .key(let key):
      // The first child contains everything below the second bound, whatever its own bound is.
      let (slot, isFound) = self.search(key, from: 1)
      return isFound ? slot : slot - 1
    case .index(let index):
      return self.withChildren { children in
        var rest = index
        for slot in children.indices.dropLast() {
          let total = children[slot].node.total
          if rest < total {
            position = .index(rest)
            return slot
          }
          rest -= total
        }
        position = .index(rest)
        return children.count - 1
      }
    }
  }

  /// Compares keys of two leaves of objects; see ``KeyBytes/compare(_:)``.
  func compareKey(at slot: Int, with other: Node, at otherSlot: Int) -> Int {
    guard let keys, let others = other.keys, keys !== others || slot != otherSlot else { return 0 }
    return keys.withKey(at: slot) { key in
      others.withKey(at: otherSlot) { key.compare($0) }
    }
  }

  private func search(_ key: KeyBytes, from start: Int) -> (slot: Int, isFound: Bool) {
    self.withUnsafeMutablePointerToHeader { header in
      header.pointee.keys?.search(key, from: start) ?? (start, false)
    }
  }
}
