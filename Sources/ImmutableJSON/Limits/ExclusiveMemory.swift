extension Value {
  /// About how many bytes of memory would be released with this value while `other` is retained:
  /// those of the nodes, keys and long strings that `other` does not share.
  ///
  /// Compares both from their roots, by identity, so the cost is proportional to the difference.
  /// A part that moved is found in the array or object where it was, and among the parts that were
  /// added elsewhere. After `maxNodes` nodes, the rest of the difference is extrapolated. The
  /// result saturates at `Int.max`.
  package func exclusiveBytes(comparedTo other: Value, maxNodes: Int = 4096) -> Int {
    withExtendedLifetime((self, other)) {
      var memory = ExclusiveMemory(maxNodes: maxNodes)
      memory.compare(self, other)
      return memory.bytes
    }
  }
}

/// Computes the memory that one value does not share with another.
///
/// Retains nothing: both values must exist for longer. It compares two arrays or two objects level
/// by level, from the root. Of two levels at the same height above the leaves it removes the nodes
/// that are in both, and replaces the others by their children.
private struct ExclusiveMemory {
  /// The size of what was counted.
  private var countedBytes = 0

  /// The number of values in the leaves that were counted.
  private var countedValues = 0

  /// The size of what was not visited.
  private var estimatedBytes = 0

  /// How many nodes may still be visited.
  private var remainingNodes: Int

  /// The addresses of the nodes, keys and strings that were counted.
  private var counted: Set<UnsafeRawPointer> = []

  /// Those of the keys of the other value's nodes that were visited.
  private var otherKeys: Set<UnsafeRawPointer> = []

  /// Arrays and objects that have the same position in both values.
  private var pairs: [(NodeReference, NodeReference)] = []

  /// The parts that have no counterpart at their position.
  private var unmatched: [Part] = []

  /// The addresses of the other value's parts without a counterpart.
  private var otherUnmatched: Set<UnsafeRawPointer> = []

  init(maxNodes: Int) {
    self.remainingNodes = maxNodes
  }
}

private typealias NodeReference = Unmanaged<Node>

extension ExclusiveMemory {
  var bytes: Int {
    self.countedBytes.addingWithSaturation(self.estimatedBytes)
  }

  mutating func compare(_ value: Value, _ other: Value) {
    self.match(Part(value).map { [$0] } ?? [], Part(other).map { [$0] } ?? [])
    while let (node, other) = self.pairs.popLast() {
      self.compare(node, other)
    }
    for part in self.unmatched where !self.otherUnmatched.contains(part.address) {
      self.countAll(part)
    }
  }

  /// Compares the nodes of two arrays or two objects, and matches the parts of those that differ.
  private mutating func compare(_ node: NodeReference, _ other: NodeReference) {
    var (nodes, others) = (Level(node), Level(other))
    while !nodes.isEmpty || !others.isEmpty {
      if nodes.height == others.height {
        removeShared(&nodes.nodes, &others.nodes) { UnsafeRawPointer($0.toOpaque()) }
      }
      let height = max(nodes.height, others.height)
      if others.height == height {
        for node in others.nodes where self.visit() { self.recordKeys(of: node) }
      }
      if nodes.height == height {
        nodes.keep { self.count($0) }
      }
      guard height > 0, self.remainingNodes > 0 else { break }
      if others.height == height { others.descend() }
      if nodes.height == height { nodes.descend() }
    }
    guard nodes.height == 0, others.height == 0 else {
      // No more nodes may be visited.
      for node in nodes.nodes { self.estimate(node) }
      return
    }
    self.match(nodes.parts, others.parts)
  }

  /// Finds the parts that are in both leaves, pairs the others, and records those without a
  /// counterpart. Objects have the counterpart at the same key, arrays in the same order.
  private mutating func match(_ parts: [Part], _ others: [Part]) {
    var (parts, others) = (parts, others)
    removeShared(&parts, &others, \.address)
    var (index, otherIndex) = (0, 0)
    while index < parts.count, otherIndex < others.count {
      let (part, other) = (parts[index], others[otherIndex])
      let order = part.compareKey(with: other)
      if order <= 0 { index += 1 }
      if order >= 0 { otherIndex += 1 }
      if order == 0, let root = part.root, let otherRoot = other.root {
        self.pairs.append((root, otherRoot))
        continue
      }
      if order <= 0 { self.unmatched.append(part) }
      if order >= 0 { self.otherUnmatched.insert(other.address) }
    }
    self.unmatched += parts[index...]
    for other in others[otherIndex...] { self.otherUnmatched.insert(other.address) }
  }
}

// MARK: Counting

extension ExclusiveMemory {
  /// Charges the visit of a node.
  private mutating func visit() -> Bool {
    guard self.remainingNodes > 0 else { return false }
    self.remainingNodes -= 1
    return true
  }

  private mutating func recordKeys(of node: NodeReference) {
    if let keys = node._withUnsafeGuaranteedRef({ $0.addressOfKeys }) {
      self.otherKeys.insert(keys)
    }
  }

  /// Counts a node and its keys; if no more nodes may be visited, its whole subtree instead.
  ///
  /// - Returns: Whether its parts must be counted.
  private mutating func count(_ node: NodeReference) -> Bool {
    guard self.counted.insert(node.toOpaque()).inserted else { return false }
    guard self.visit() else {
      self.estimate(node)
      return false
    }
    node._withUnsafeGuaranteedRef { node in
      self.add(node.memorySize)
      if node.isLeaf { self.countedValues += node.count }
      guard let keys = node.keys, let address = node.addressOfKeys,
        !self.otherKeys.contains(address), self.counted.insert(address).inserted
      else { return }
      self.add(keys.memorySize)
    }
    return true
  }

  /// Counts a part with everything in it.
  private mutating func countAll(_ part: Part) {
    guard var nodes = part.root.map({ [$0] }) else { return self.count(text: part) }
    while let node = nodes.popLast() {
      guard self.count(node) else { continue }
      node._withUnsafeGuaranteedRef { reference in
        guard reference.isLeaf else {
          return nodes += (0..<reference.count).reversed().map { reference.borrowChild(at: $0) }
        }
        for part in Part.all(in: node) {
          if let root = part.root { nodes.append(root) } else { self.count(text: part) }
        }
      }
    }
  }

  private mutating func count(text part: Part) {
    guard self.counted.insert(part.address).inserted else { return }
    // The header of a string is 32 bytes, and a zero follows. Swift and malloc each round up.
    self.add(((part.textSize + 32 + 1 + 15) & ~15) + 16)
  }

  /// Adds the size of a subtree that is not visited, from those that were, or from its text.
  private mutating func estimate(_ node: NodeReference) {
    let size = node._withUnsafeGuaranteedRef { $0.size }
    // Neither result overflows: the number of values has 32 bits.
    let bytes =
      self.countedValues >= 1000
      ? Int(size.values) * min(self.countedBytes / self.countedValues, Int(Int32.max))
      : Int(size.values) * MemoryLayout<Value>.stride
        // The text counts each byte of a string as six.
        + Int(truncatingIfNeeded: size.text / 4)
    self.estimatedBytes = self.estimatedBytes.addingWithSaturation(bytes)
  }

  private mutating func add(_ bytes: Int) {
    self.countedBytes = self.countedBytes.addingWithSaturation(bytes)
  }
}

extension Int {
  fileprivate func addingWithSaturation(_ other: Int) -> Int {
    let (sum, overflow) = self.addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension Node {
  /// The size of its block of memory, in bytes.
  fileprivate var memorySize: Int {
    Self.headerSize + MemoryLayout<NodeHeader>.size + 8 * self.capacity
  }
}

extension KeyBlock {
  fileprivate var memorySize: Int {
    Node.headerSize + MemoryLayout<KeyBlockHeader>.size + 8 * self.capacity
  }
}

extension Node {
  /// The size of what Swift and malloc put before each object.
  fileprivate static var headerSize: Int { 16 + 8 }
}

// MARK: Levels and parts

/// Nodes of a tree at the same height above the leaves.
private struct Level {
  var nodes: [NodeReference]
  private(set) var height: Int

  init(_ root: NodeReference) {
    self.nodes = [root]
    self.height = root._withUnsafeGuaranteedRef { $0.height }
  }

  var isEmpty: Bool {
    self.nodes.isEmpty
  }

  /// Removes all other nodes.
  mutating func keep(_ isKept: (NodeReference) -> Bool) {
    self.nodes.removeAll { !isKept($0) }
  }

  /// Replaces the nodes by their children.
  mutating func descend() {
    self.nodes = self.nodes.flatMap { node in
      node._withUnsafeGuaranteedRef { node in
        (0..<node.count).map { node.borrowChild(at: $0) }
      }
    }
    self.height -= 1
  }

  /// The parts of the values in these leaves.
  var parts: [Part] {
    self.nodes.flatMap(Part.all)
  }
}

/// A value that has memory of its own: a long string, or an array or object that is not empty.
private struct Part {
  /// The address of the root, or of the bytes of a string.
  let address: UnsafeRawPointer

  /// The root of an array or object; `nil` for a string.
  let root: NodeReference?

  /// The size of a string, in bytes.
  let textSize: Int

  /// Where the value is; `nil` for a whole value.
  private let leaf: NodeReference?
  private let slot: Int

  /// - Returns: `nil` for a value without memory of its own.
  init?(_ value: Value, in leaf: NodeReference? = nil, at slot: Int = 0) {
    switch value {
    case .array(let array):
      guard let root = array.root else { return nil }
      self.root = .passUnretained(root)
      self.address = UnsafeRawPointer(Unmanaged.passUnretained(root).toOpaque())
      self.textSize = 0
    case .object(let object):
      guard let root = object.root else { return nil }
      self.root = .passUnretained(root)
      self.address = UnsafeRawPointer(Unmanaged.passUnretained(root).toOpaque())
      self.textSize = 0
    case .string(var string):
      // Swift stores up to 15 bytes in the value itself.
      guard string.utf8.count > 15 else { return nil }
      let bytes = string.withUTF8 { UnsafeRawBufferPointer($0) }
      guard let address = bytes.baseAddress else { return nil }
      self.root = nil
      self.address = address
      self.textSize = bytes.count
    default:
      return nil
    }
    self.leaf = leaf
    self.slot = slot
  }

  /// The parts of the values in a leaf.
  static func all(in leaf: NodeReference) -> [Part] {
    leaf._withUnsafeGuaranteedRef { node in
      node.withValues { values in
        values.indices.compactMap { Part(values[$0], in: leaf, at: $0) }
      }
    }
  }

  /// Compares the keys of two members; 0 for elements of arrays.
  func compareKey(with other: Part) -> Int {
    guard let leaf, let otherLeaf = other.leaf else { return 0 }
    return leaf._withUnsafeGuaranteedRef { leaf in
      otherLeaf._withUnsafeGuaranteedRef { otherLeaf in
        leaf.compareKey(at: self.slot, with: otherLeaf, at: other.slot)
      }
    }
  }
}

/// Removes the elements that are in both arrays.
private func removeShared<Element>(
  _ elements: inout [Element], _ others: inout [Element],
  _ address: (Element) -> UnsafeRawPointer
) {
  // Mostly, one element changed.
  let start = zip(elements, others).prefix { address($0) == address($1) }.count
  elements.removeFirst(start)
  others.removeFirst(start)
  let end = zip(elements.reversed(), others.reversed()).prefix { address($0) == address($1) }.count
  elements.removeLast(end)
  others.removeLast(end)
  guard elements.count > 1 || others.count > 1, !elements.isEmpty, !others.isEmpty else { return }
  let shared = Set(elements.map(address)).intersection(others.map(address))
  guard !shared.isEmpty else { return }
  elements.removeAll { shared.contains(address($0)) }
  others.removeAll { shared.contains(address($0)) }
}
