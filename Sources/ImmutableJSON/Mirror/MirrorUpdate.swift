/// One update of a mirror. Nodes that differ in one place are updated in place.
struct MirrorUpdate {
  struct TooManyChanges: Error {}

  private let kind: TreeMirror.Kind
  private(set) var changes: [MirrorChange] = []
  private(set) var changed: [MirrorNode] = []

  /// The values, and the unchanged outputs, before the next node.
  private var index = 0
  private var outputs = 0

  /// The number of values that may still differ.
  private var limit: Int

  init(_ kind: TreeMirror.Kind, limit: Int) {
    self.kind = kind
    self.limit = limit
  }
}

extension MirrorUpdate {
  /// Returns a new mirror. All values are one change, with a run for each leaf.
  mutating func newRoot(_ node: Node, _ height: Int) -> MirrorNode {
    var runs: [ValueRun] = []
    // Nearly all leaves have 8 or more values.
    runs.reserveCapacity(node.total / 8)
    self.changed.reserveCapacity(node.total / 7)
    let root = self.newMirror(node, height, &runs)
    self.changes.append(
      MirrorChange(index: 0, outputIndex: 0, removed: [], removedOutputs: 0, added: runs))
    return root
  }

  private mutating func newMirror(
    _ node: Node, _ height: Int, _ runs: inout [ValueRun]
  ) -> MirrorNode {
    let mirror = MirrorNode(node)
    if height > 0 {
      mirror.children.reserveCapacity(node.count)
      for slot in 0..<node.count {
        mirror.children.append(self.newMirror(node.child(at: slot), height - 1, &runs))
      }
    } else {
      runs.append(
        ValueRun(leaf: node, slots: SlotSet(below: node.count), kind: self.kind, mirror: mirror))
    }
    self.changed.append(mirror)
    return mirror
  }

  mutating func root(
    _ node: Node, _ height: Int, from old: MirrorNode, _ oldHeight: Int
  ) throws(TooManyChanges) -> MirrorNode? {
    if height == oldHeight { return try self.mirror(of: node, height, from: old) }
    // The nodes at the height of the lower tree.
    var (olds, nodes): (ArraySlice<MirrorNode>, ArraySlice<Node>) = ([old], [node])
    for _ in 0..<max(oldHeight - height, 0) {
      olds = olds.flatMap(\.children)[...]
    }
    var above: [ArraySlice<Node>] = []
    for _ in 0..<max(height - oldHeight, 0) {
      above.append(nodes)
      nodes = nodes.flatMap(\.childNodes)[...]
    }
    var mirrors = try self.mirrors(of: nodes, min(height, oldHeight), from: olds)
    for nodes in above.reversed() {
      mirrors = self.parents(nodes, of: mirrors)
    }
    return mirrors.first
  }

  /// Updates the mirror of one node in place.
  private mutating func mirror(
    of node: Node, _ height: Int, from mirror: MirrorNode
  ) throws(TooManyChanges) -> MirrorNode {
    guard height > 0 else { return try self.mirror(ofLeaf: node, from: mirror) }
    if let changed = mirror.changedSlots(in: node) {
      mirror.changedSlots = changed
      var next = 0
      try changed.forEach { (slot) throws(TooManyChanges) in
        self.skip(mirror, next..<slot)
        _ = try self.mirror(of: node.child(at: slot), height - 1, from: mirror.children[slot])
        next = slot + 1
      }
      self.skip(mirror, next..<node.count)
    } else {
      mirror.children = try self.mirrors(
        of: node.childNodes[...], height - 1, from: ArraySlice(mirror.children))
      (mirror.counts, mirror.changedSlots) = ([], [])
    }
    mirror.node = node
    self.changed.append(mirror)
    return mirror
  }

  /// Returns the mirrors of neighboring nodes of one height, from those of the nodes that they may
  /// have replaced.
  private mutating func mirrors(
    of nodes: ArraySlice<Node>, _ height: Int, from old: ArraySlice<MirrorNode>
  ) throws(TooManyChanges) -> ContiguousArray<MirrorNode> {
    var (nodes, old) = (nodes, old)
    var result: ContiguousArray<MirrorNode> = []
    while let node = nodes.first, let mirror = old.first, mirror.node === node {
      self.skip(mirror)
      result.append(mirror)
      nodes.removeFirst()
      old.removeFirst()
    }
    var end: [MirrorNode] = []
    while let node = nodes.last, let mirror = old.last, mirror.node === node {
      end.append(mirror)
      nodes.removeLast()
      old.removeLast()
    }
    if nodes.count > 1, old.count > 1 {
      var slots: [ObjectIdentifier: Int] = [:]
      for slot in old.indices { slots[ObjectIdentifier(old[slot].node)] = slot }
      for index in nodes.indices {
        guard let slot = slots[ObjectIdentifier(nodes[index])], slot >= old.startIndex else {
          continue
        }
        result += try self.changedMirrors(
          of: nodes[nodes.startIndex..<index], height, from: old[old.startIndex..<slot])
        self.skip(old[slot])
        result.append(old[slot])
        nodes = nodes[(index + 1)...]
        old = old[(slot + 1)...]
      }
    }
    result += try self.changedMirrors(of: nodes, height, from: old)
    for mirror in end.reversed() {
      self.skip(mirror)
      result.append(mirror)
    }
    return result
  }

  /// Returns the mirrors of nodes that are not among the old ones.
  private mutating func changedMirrors(
    of nodes: ArraySlice<Node>, _ height: Int, from old: ArraySlice<MirrorNode>
  ) throws(TooManyChanges) -> ContiguousArray<MirrorNode> {
    if nodes.isEmpty, old.isEmpty { return [] }
    if nodes.count == old.count, nodes.count == 1 || height == 0 {
      var result: ContiguousArray<MirrorNode> = []
      for (node, mirror) in zip(nodes, old) {
        result.append(try self.mirror(of: node, height, from: mirror))
      }
      return result
    }
    guard height > 0 else { return try self.mirrors(ofLeaves: nodes, from: old) }
    let children = try self.mirrors(
      of: nodes.flatMap(\.childNodes)[...], height - 1, from: old.flatMap(\.children)[...])
    return self.parents(nodes, of: children)
  }

  private mutating func parents(
    _ nodes: ArraySlice<Node>, of children: ContiguousArray<MirrorNode>
  ) -> ContiguousArray<MirrorNode> {
    var rest = children[...]
    let parents = nodes.map { node in
      defer { rest = rest.dropFirst(node.count) }
      return MirrorNode(node, ContiguousArray(rest.prefix(node.count)))
    }
    self.changed += parents
    return ContiguousArray(parents)
  }

  private mutating func skip(_ mirror: MirrorNode) {
    self.index += Int(mirror.total)
    self.outputs += Int(mirror.outputs)
  }

  /// Skips some children.
  private mutating func skip(_ mirror: MirrorNode, _ slots: Range<Int>) {
    guard !slots.isEmpty else { return }
    mirror.counts.withUnsafeBufferPointer { counts in
      for slot in slots {
        self.index += Int(counts[slot].total)
        self.outputs += Int(counts[slot].outputs)
      }
    }
  }
}

// Leaves.
extension MirrorUpdate {
  private mutating func mirror(
    ofLeaf leaf: Node, from mirror: MirrorNode
  ) throws(TooManyChanges) -> MirrorNode {
    let old = mirror.node
    let (oldCount, count) = (old.count, leaf.count)
    var start = self.kind.sharedValues(of: old, leaf)
    while start < min(oldCount, count), self.kind.isSame(old, start, leaf, start) {
      start += 1
    }
    var end = 0
    while end < min(oldCount, count) - start,
      self.kind.isSame(old, oldCount - 1 - end, leaf, count - 1 - end)
    {
      end += 1
    }
    let removed = SlotSet(from: start, to: oldCount - end)
    let first = mirror.kept.intersection(SlotSet(below: start))
    let last = mirror.kept.subtracting(SlotSet(below: oldCount - end)).moved(by: count - oldCount)
    mirror.node = leaf
    let removedOutputs = self.kind.outputs(of: mirror.kept.intersection(removed), in: old)
    mirror.kept = first.union(last)
    self.changed.append(mirror)
    let added = SlotSet(from: start, to: count - end)
    try self.add(
      start, self.kind.outputs(of: first, in: leaf),
      [ValueRun(leaf: old, slots: removed, kind: self.kind)], removedOutputs,
      [ValueRun(leaf: leaf, slots: added, kind: self.kind, mirror: mirror)])
    self.index += count
    self.outputs += self.kind.outputs(of: mirror.kept, in: leaf)
    return mirror
  }

  /// Leaves that were split or merged, or added or removed: one change from the first value that
  /// differs to the last.
  private mutating func mirrors(
    ofLeaves leaves: ArraySlice<Node>, from old: ArraySlice<MirrorNode>
  ) throws(TooManyChanges) -> ContiguousArray<MirrorNode> {
    let mirrors = ContiguousArray(leaves.map { MirrorNode($0) })
    let values = mirrors.flatMap { mirror in (0..<mirror.node.count).map { (mirror, $0) } }
    let olds = old.flatMap { mirror in (0..<mirror.node.count).map { (mirror, $0) } }
    let kind = self.kind
    func isSame(_ left: (MirrorNode, Int), _ right: (MirrorNode, Int)) -> Bool {
      kind.isSame(left.0.node, left.1, right.0.node, right.1)
    }
    let start = zip(olds, values).prefix { isSame($0, $1) }.count
    let end = min(
      zip(olds.reversed(), values.reversed()).prefix { isSame($0, $1) }.count,
      min(olds.count, values.count) - start)
    var (first, removedOutputs, last) = (0, 0, 0)
    for (index, (mirror, slot)) in olds.enumerated() where mirror.kept.contains(.init(slot: slot)) {
      let count = kind.outputs(of: SlotSet(slot: slot), in: mirror.node)
      if index < start {
        first += count
        values[index].0.kept.insert(SlotSet(slot: values[index].1))
      } else if index >= olds.count - end {
        last += count
        let (mirror, slot) = values[index - olds.count + values.count]
        mirror.kept.insert(SlotSet(slot: slot))
      } else {
        removedOutputs += count
      }
    }
    try self.add(
      start, first, olds[start..<(olds.count - end)].runs(kind, ofNew: false), removedOutputs,
      values[start..<(values.count - end)].runs(kind, ofNew: true))
    self.changed += mirrors
    self.index += values.count
    self.outputs += first + last
    return mirrors
  }

  private mutating func add(
    _ start: Int, _ outputs: Int, _ removed: [ValueRun], _ removedOutputs: Int, _ added: [ValueRun]
  ) throws(TooManyChanges) {
    let count = added.reduce(removed.reduce(0) { $0 + $1.slots.count }) { $0 + $1.slots.count }
    guard count > 0 else { return }
    guard count <= self.limit else { throw TooManyChanges() }
    self.limit -= count
    self.changes.append(
      MirrorChange(
        index: self.index + start, outputIndex: self.outputs + outputs, removed: removed,
        removedOutputs: removedOutputs, added: added))
  }
}

extension ArraySlice<(MirrorNode, Int)> {
  /// These slots of leaves as runs. Only those of new leaves can be given outputs.
  fileprivate func runs(_ kind: TreeMirror.Kind, ofNew isNew: Bool) -> [ValueRun] {
    var runs: [ValueRun] = []
    var rest = self
    while let (mirror, start) = rest.first {
      let end = Swift.min(mirror.node.count, start + rest.count)
      runs.append(
        ValueRun(
          leaf: mirror.node, slots: SlotSet(from: start, to: end), kind: kind,
          mirror: isNew ? mirror : nil))
      rest = rest.dropFirst(end - start)
    }
    return runs
  }
}

extension SlotSet {
  init(below end: Int) {
    self.init(rawValue: .slots(below: end))
  }

  init(from start: Int, to end: Int) {
    self.init(rawValue: .slots(below: end) & ~.slots(below: start))
  }

  func moved(by distance: Int) -> SlotSet {
    SlotSet(rawValue: distance < 0 ? self.rawValue >> -distance : self.rawValue << distance)
  }
}

extension Node {
  fileprivate var childNodes: [Node] {
    self.withChildren { $0.map(\.node) }
  }
}
