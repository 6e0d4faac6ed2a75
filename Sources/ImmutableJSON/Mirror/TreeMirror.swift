/// Finds what differs between two versions of a collection, and where its outputs are, for
/// computations that keep their results.
///
/// A mirror has a node for each node of the collection that it was last updated to, and retains
/// these nodes. So whatever is the same instance in the next version has not changed. The next
/// version is compared from the root downwards, in O(changes * log n).
///
/// ```
///   collection   ┌ leaf: 3 7 null 2      mirror   ┌ outputs: slots 0, 1, 3
///                └ leaf: null 5                   └ outputs: slot 1
/// ```
///
/// The mirror counts outputs, so that those of a changed value are found among all outputs. It is
/// not safe for use by several threads at once.
package final class TreeMirror {
  /// What is computed for each value of the collection.
  package enum Kind {
    /// At most one output.
    case outputs

    /// As many outputs as elements if the value is an array; otherwise one.
    case elements

    /// At most one output for the key of each member, instead of its value.
    case outputsOfKeys
  }

  private let kind: Kind
  package private(set) var root: MirrorNode?
  private var height = 0

  /// The mirrors of changed nodes, each after its children.
  private var changed: [MirrorNode] = []

  package init(_ kind: Kind = .outputs) {
    self.kind = kind
  }
}

/// The mirror of a node.
package final class MirrorNode {
  var node: Node
  package internal(set) var children: ContiguousArray<MirrorNode>

  /// The slots of the values of a leaf that have an output.
  var kept: SlotSet = []

  /// The numbers of values and outputs of this node.
  fileprivate(set) var total: UInt32
  fileprivate(set) var outputs: UInt32 = 0

  /// What an update needs of the children, so that it reads only those that differ.
  struct ChildCounts {
    let address: UnsafeMutableRawPointer
    let total: UInt32
    let outputs: UInt32

    init(_ mirror: MirrorNode) {
      self.address = Unmanaged.passUnretained(mirror.node).toOpaque()
      self.total = mirror.total
      self.outputs = mirror.outputs
    }
  }

  /// Empty if all children have changed.
  var counts: ContiguousArray<ChildCounts> = []

  /// The slots of the children that have changed since their counts were read, if they were looked
  /// for.
  var changedSlots: SlotSet = []

  /// What the computation keeps for this node, and the units that it took.
  package var summary: Value = .null
  package var units = 0

  init(_ node: Node, _ children: ContiguousArray<MirrorNode> = []) {
    self.node = node
    self.children = children
    self.total = UInt32(truncatingIfNeeded: node.total)
  }

  /// The values of a leaf.
  package var values: ValueRun {
    ValueRun(leaf: self.node, slots: SlotSet(below: self.node.count), kind: .outputs)
  }
}

/// Neighboring values that were replaced by others.
package struct MirrorChange {
  /// The index of the first new value, among all values.
  package let index: Int

  /// The number of unchanged outputs before these values.
  package let outputIndex: Int

  /// The values that were removed, and the number of their outputs.
  package let removed: [ValueRun]
  package let removedOutputs: Int

  /// The new values. None has an output yet; see ``ValueRun/keep(_:)``.
  package let added: [ValueRun]
}

/// Some values of a leaf, which this retains.
package struct ValueRun {
  let leaf: Node
  package let slots: SlotSet
  private let kind: TreeMirror.Kind
  private let mirror: MirrorNode?

  init(
    leaf: Node, slots: SlotSet, kind: TreeMirror.Kind, mirror: MirrorNode? = nil
  ) {
    self.leaf = leaf
    self.slots = slots
    self.kind = kind
    self.mirror = mirror
  }

  /// The batch of the values, valid while this run exists; `nil` for keys.
  package var batch: ValueBatch? {
    if case .outputsOfKeys = self.kind { nil } else { ValueBatch(self.leaf) }
  }

  /// Sets which of the values have an output.
  package func keep(_ slots: SlotSet) {
    self.mirror?.kept.formUnion(slots)
  }

  /// The value in a slot, or the key.
  package func value(at slot: Int) -> Value {
    guard case .outputsOfKeys = self.kind else { return self.leaf.value(at: slot) }
    return self.leaf.keys.map { .string($0.string(at: slot)) } ?? .null
  }

  package func forEach<Failure>(
    _ body: (Value) throws(Failure) -> Void
  ) throws(Failure) {
    try self.slots.forEach { (slot) throws(Failure) in try body(self.value(at: slot)) }
  }
}

extension TreeMirror {
  package var outputs: Int {
    Int(self.root?.outputs ?? 0)
  }

  package var total: Int {
    Int(self.root?.total ?? 0)
  }

  /// An estimate of the memory of this mirror, without the collection.
  package var bytes: Int {
    // A leaf has 8 to 16 values, and its mirror takes 80 bytes.
    self.total * 9
  }

  /// The collection, with an estimate of its memory.
  package var collection: (identity: ObjectIdentifier, bytes: Int)? {
    self.root.map { (ObjectIdentifier($0.node), $0.node.size.estimatedMemory) }
  }

  /// Returns what differs in the next version of the collection, in ascending order; everything if
  /// this mirror is new. Then call ``finish(_:)``.
  ///
  /// - Returns: `nil` if so much differs that to compute everything again is faster. The mirror
  ///   then must not be used any more.
  package func changes(to values: ValueSequence) -> [MirrorChange]? {
    guard let node = values.root else { return nil }
    if self.root?.node === node { return [] }
    let height = node.height
    var update = MirrorUpdate(self.kind, limit: Self.leafLimit(self.total) * Node.maxParts / 2)
    do throws(MirrorUpdate.TooManyChanges) {
      if let root = self.root {
        guard self.isNear(node, height, root) else { return nil }
        self.root = try update.root(node, height, from: root, self.height)
      } else {
        self.root = update.newRoot(node, height)
      }
    } catch {
      return nil
    }
    self.height = height
    self.changed = update.changed
    return update.changes
  }

  /// The number of changed leaves beyond which computing everything is faster: the update for a
  /// changed value takes up to 96 times the instructions of computing one among all.
  private static func leafLimit(_ total: Int) -> Int {
    max(2, total / 96)
  }

  /// Whether few leaves differ, as far as addresses tell. Reads no value.
  private func isNear(_ node: Node, _ height: Int, _ root: MirrorNode) -> Bool {
    guard height == self.height else { return true }
    var rest = Self.leafLimit(self.total)
    root.countChanges(node, height, &rest)
    return rest >= 0
  }

  /// Counts the outputs of changed nodes.
  package func finish() {
    self.finish { _ in }
  }

  /// - Parameter summarize: Called with each changed node, after its children.
  package func finish<Failure>(
    _ summarize: (MirrorNode) throws(Failure) -> Void
  ) throws(Failure) {
    for mirror in self.changed {
      mirror.count(self.kind)
      try summarize(mirror)
    }
    self.changed = []
  }
}

extension TreeMirror {
  /// The values that have an output.
  package var keptValues: ContiguousArray<Value> {
    var values: ContiguousArray<Value> = []
    values.reserveCapacity(self.outputs)
    self.root?.appendKeptValues(to: &values)
    return values
  }
}

extension MirrorNode {
  fileprivate func appendKeptValues(to values: inout ContiguousArray<Value>) {
    self.kept.forEach { values.append(self.node.value(at: $0)) }
    for child in self.children { child.appendKeptValues(to: &values) }
  }

  fileprivate func count(_ kind: TreeMirror.Kind) {
    self.total = UInt32(truncatingIfNeeded: self.node.total)
    guard !self.children.isEmpty else {
      self.outputs = UInt32(truncatingIfNeeded: kind.outputs(of: self.kept, in: self.node))
      return
    }
    if self.counts.isEmpty {
      self.counts = ContiguousArray(self.children.map { ChildCounts($0) })
    } else {
      self.changedSlots.forEach { self.counts[$0] = ChildCounts(self.children[$0]) }
    }
    self.changedSlots = []
    self.outputs = 0
    for child in self.counts { self.outputs &+= child.outputs }
  }
}

extension MirrorNode {
  /// The slots in which a node has other children than those of this mirror; `nil` if children were
  /// inserted or removed before others, so that they cannot be compared slot by slot.
  func changedSlots(in node: Node) -> SlotSet? {
    guard self.changedSlots.isEmpty else { return self.changedSlots }
    guard node.count == self.counts.count else { return nil }
    return self.counts.withUnsafeBufferPointer { counts in
      node.withChildren { children in
        let words = UnsafeRawBufferPointer(children)
        var changed: SlotSet = []
        for slot in counts.indices {
          let address = words.load(
            fromByteOffset: slot &* MemoryLayout<Child>.stride, as: UnsafeMutableRawPointer.self)
          if address == counts[slot].address { continue }
          if slot > 0, address == counts[slot - 1].address { return nil }
          if slot + 1 < counts.count, address == counts[slot + 1].address { return nil }
          changed.insert(SlotSet(slot: slot))
        }
        return changed
      }
    }
  }

  /// Subtracts the number of leaves of a node that have another address than those of this mirror,
  /// until the rest is negative. Where children cannot be compared slot by slot, a changed one
  /// counts as a leaf.
  fileprivate func countChanges(_ node: Node, _ height: Int, _ rest: inout Int) {
    guard height > 0 else { return rest -= 1 }
    guard let changed = self.changedSlots(in: node) else {
      for slot in 0..<node.count {
        let address = node.borrowChild(at: slot).toOpaque()
        rest -= self.counts.contains { $0.address == address } ? 0 : 1
      }
      return
    }
    self.changedSlots = changed
    guard height > 1 else { return rest -= changed.count }
    changed.forEach { slot in
      guard rest >= 0 else { return }
      node.borrowChild(at: slot)._withUnsafeGuaranteedRef { child in
        self.children[slot].countChanges(child, height - 1, &rest)
      }
    }
  }
}

extension TreeMirror.Kind {
  /// The number of outputs of values of a leaf that have some.
  func outputs(of slots: SlotSet, in leaf: Node) -> Int {
    guard case .elements = self else { return slots.count }
    var count = 0
    slots.forEach { slot in
      if case .array(let elements) = leaf.value(at: slot) {
        count += elements.count
      } else {
        count += 1
      }
    }
    return count
  }

  /// A number of values at the beginning of two leaves that are the same, as far as can be told
  /// fast.
  func sharedValues(of leaf: Node, _ other: Node) -> Int {
    if case .outputsOfKeys = self { 0 } else { leaf.sharedValues(with: other, from: 0) }
  }

  /// Whether the values in slots of two leaves are the same instance, or scalars with the same
  /// bits.
  func isSame(_ leaf: Node, _ slot: Int, _ other: Node, _ otherSlot: Int) -> Bool {
    if case .outputsOfKeys = self {
      return leaf.compareKey(at: slot, with: other, at: otherSlot) == 0
    }
    return leaf.hasSameValue(at: slot, as: other, at: otherSlot)
  }
}

extension Node {
  /// Whether slots of two leaves have the same instance, or scalars with the same bits.
  fileprivate func hasSameValue(at slot: Int, as other: Node, at otherSlot: Int) -> Bool {
    guard self.kind == .leaf, other.kind == .leaf else {
      return self.value(at: slot).isIdentical(to: other.value(at: otherSlot))
    }
    return self.withValues { values in
      other.withValues { values.hasSameBits(at: slot, as: $0, at: otherSlot) }
    }
  }
}
