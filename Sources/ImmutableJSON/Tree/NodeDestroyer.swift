internal import CJSONThreadRecord

/// Destroys deeply nested trees iteratively.
///
/// Destroying a node releases its parts, which destroys them in turn if that was the last
/// reference: one stack frame for each level of each tree. Therefore a node with deeply nested
/// values hands its parts to the current destroyer of the thread, or starts one, which releases
/// them one by one.
final class NodeDestroyer {
  /// The parts of destroyed nodes that are not yet released.
  private var nodes: [Node] = []

  /// The maximum depth that is destroyed recursively, which is faster. Recursion takes about 200
  /// bytes of stack for each level of each tree.
  private static var directDepth: UInt16 { 32 }

  /// Destroys the parts of an unreferenced node.
  static func destroyParts(of node: Node) {
    node.leaveLineage()
    guard node.size.depth > self.directDepth else { return node.destroyParts() }
    let record = json_thread_record_current()
    if let current = record.pointee.destroyer {
      Unmanaged<NodeDestroyer>.fromOpaque(current).takeUnretainedValue().takeParts(of: node)
    } else {
      NodeDestroyer().run(node, record)
    }
  }

  private func run(_ node: Node, _ record: UnsafeMutablePointer<json_thread_record>) {
    self.takeParts(of: node)
    withExtendedLifetime(self) {
      record.pointee.destroyer = Unmanaged.passUnretained(self).toOpaque()
      while self.releaseOne() {}
      record.pointee.destroyer = nil
    }
  }

  private func releaseOne() -> Bool {
    guard !self.nodes.isEmpty else { return false }
    // Removed first: releasing the node may append to the array.
    let node = self.nodes.removeLast()
    return withExtendedLifetime(node) { true }
  }

  /// Takes over the deep parts of a node, and releases the others.
  private func takeParts(of node: Node) {
    if node.isLeaf {
      node.forEachOwnedSlot { slot in
        switch node.value(at: slot) {
        case .array(let array): self.take(array.root)
        case .object(let object): self.take(object.root)
        default: break
        }
      }
    } else {
      node.forEachOwnedSlot { self.take(node.child(at: $0)) }
    }
    node.destroyParts()
  }

  /// Takes over a node if its values nest deeply.
  private func take(_ node: Node?) {
    if let node, node.size.depth > Self.directDepth {
      self.nodes.append(node)
    }
  }
}
