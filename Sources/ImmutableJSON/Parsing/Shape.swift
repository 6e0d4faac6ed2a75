import Glibc

/// The keys of an object, in the order of its text and as its tree stores them. Up to 16 leaves.
///
/// Stores the keys contiguously: comparing them is a large part of the cost of parsing.
final class Shape {
  /// The keys in the order of the text. Their bytes are owned by the leaves.
  let keys: UnsafeMutableBufferPointer<KeyBytes>

  /// For each value of the tree, the index of its member in the text.
  private let order: UnsafeMutableBufferPointer<UInt32>

  /// The keys of each leaf, and the bounds of the leaves if there are several.
  private let leaves: ContiguousArray<KeyBlock>
  private let first: KeyBlock
  private let bounds: KeyBlock?

  init(_ keys: UnsafeMutableBufferPointer<KeyBytes>, _ order: ContiguousArray<UInt32>) {
    self.leaves = ContiguousArray(
      Node.ranges(order.count).map { range in .make(order[range].map { keys[Int($0)] }) })
    self.first = self.leaves[0]
    self.bounds = self.leaves.count > 1 ? .joining(self.leaves.map { $0.run(0..<1) }) : nil
    self.order = .allocate(capacity: order.count)
    _ = self.order.initialize(fromContentsOf: order)
    self.keys = .allocate(capacity: order.count)
    var index = 0
    for leaf in self.leaves {
      for slot in 0..<leaf.count {
        leaf.withKey(at: slot) { self.keys.initializeElement(at: Int(order[index]), to: $0) }
        index += 1
      }
    }
  }

  deinit {
    self.keys.deallocate()
    self.order.deallocate()
  }
}

extension Shape {
  /// Whether the keys are the same in any text, because they have no characters that are escaped.
  var isPlain: Bool {
    self.keys.allSatisfy { $0.bytes.textSize == $0.bytes.count + 2 }
  }

  /// Whether these are the keys of an object, in the order of its text.
  func fits(_ keys: UnsafeMutableBufferPointer<KeyBytes>) -> Bool {
    guard keys.count == self.keys.count else { return false }
    for index in 0..<keys.count {
      guard keys[index].isEqual(to: self.keys[index]) else { return false }
    }
    return true
  }

  /// Builds the tree of an object with these keys by moving its values out of memory.
  func makeTree(moving values: UnsafeMutableBufferPointer<Value>) -> Node {
    guard let bounds = self.bounds else {
      return .leaf(keys: self.first, moving: values, order: self.order)
    }
    var start = 0
    let leaves = self.leaves.map { keys in
      defer { start += keys.count }
      return Node.leaf(
        keys: keys, moving: values,
        order: .init(rebasing: self.order[start..<(start + keys.count)]))
    }
    return .inner(keys: bounds, leaves[...])
  }
}

extension KeyBytes {
  @inline(__always)
  func isEqual(to other: KeyBytes) -> Bool {
    guard self.prefix == other.prefix, self.bytes.count == other.bytes.count else { return false }
    guard self.bytes.count > 8, let bytes = self.bytes.baseAddress,
      let others = other.bytes.baseAddress
    else { return true }
    return memcmp(bytes, others, self.bytes.count) == 0
  }
}
