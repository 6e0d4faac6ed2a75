/// A node of the tree that holds the values of an object or array.
///
/// A B+ tree: the values are in the leaves, all of which are equally far from the root.
///
/// ```
///             ┌ children: • • •      keys: bounds, each above the child before and not above
///   inner     └ total: 37            its own; the first is of no use (nothing in arrays)
///
///             ┌ values: 1 2 3 …      keys: one for each value
///   leaf      └ total: 13            (nothing in arrays)
/// ```
///
/// A leaf of numbers that were read may be packed: it has bare integers or doubles in place of
/// values (`Node+Packed.swift`).
///
/// A node is one block of memory. Its parts, which are the values of a leaf and the children of an
/// inner node, stand behind its header:
///
/// ```
///   keys | size | total | count | capacity | kind || part 0 … part count-1 | free
/// ```
///
/// A tree is changed through an `inout Node`: a node that is held elsewhere too is copied on the
/// way, one that is not is changed in place. So what is shared never changes, and a change copies
/// one node of each level; and what holds a tree may be `Sendable`, though the compiler cannot know.
final class Node: ManagedBuffer<NodeHeader, UInt64> {
  /// The most parts that a node has. Measured: narrower nodes make deeper trees, wider ones more to
  /// copy.
  static var mostParts: Int { 16 }

  deinit {
    Destruction.destroyParts(of: self)
  }
}

// 32 bytes, with one to spare.
struct NodeHeader {
  var keys: KeyBlock?

  /// How deep and large the values below are together, with their keys.
  var size: SubtreeSize

  /// How many values there are below.
  var total: UInt32

  /// How many parts there are.
  var count: UInt8

  /// How many parts there is memory for.
  let capacity: UInt8

  let kind: Kind

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

/// Where a value is: at a key or at an index.
enum Place {
  case key(KeyBytes)
  case index(Int)
}

// MARK: Reading

extension Node {
  /// The value at a place. O(log n).
  func value(at place: Place) -> Value? {
    // Nothing is retained on the way: a child is there as long as its parent, the root as long as
    // this call.
    var node = Unmanaged.passUnretained(self)
    var place = place
    while let child = node._withUnsafeGuaranteedRef({ $0.borrowChild(at: &place) }) {
      node = child
    }
    return node._withUnsafeGuaranteedRef { leaf in
      let (slot, isFound) = leaf.slot(of: place)
      return isFound ? leaf.value(at: slot) : nil
    }
  }

  /// The child that has a place, as long as this node is there; `nil` in a leaf.
  private func borrowChild(at place: inout Place) -> Unmanaged<Node>? {
    self.isLeaf ? nil : self.borrowChild(at: self.childSlot(of: &place))
  }

  /// In a leaf: where a place is, or would be.
  func slot(of place: Place) -> (slot: Int, isFound: Bool) {
    switch place {
    case .key(let key): self.search(key, from: 0)
    case .index(let index): (index, index < self.count)
    }
  }

  /// In an inner node: which child has a place. An index becomes one of that child.
  func childSlot(of place: inout Place) -> Int {
    switch place {
    case .key(let key):
      // The first child has all that stands before the second, whatever its own bound is.
      let (slot, isFound) = self.search(key, from: 1)
      return isFound ? slot : slot - 1
    case .index(let index):
      return self.withChildren { children in
        var rest = index
        for slot in children.indices.dropLast() {
          let total = children[slot].total
          if rest < total {
            place = .index(rest)
            return slot
          }
          rest -= total
        }
        place = .index(rest)
        return children.count - 1
      }
    }
  }

  private func search(_ key: KeyBytes, from start: Int) -> (slot: Int, isFound: Bool) {
    self.withUnsafeMutablePointerToHeader { header in
      header.pointee.keys?.search(key, from: start) ?? (start, false)
    }
  }
}
