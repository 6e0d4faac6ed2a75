#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    // A process has only 1,024 keys.
    guard let key else { return NodeDestroyer().runWithoutKey(node) }
    if let current = pthread_getspecific(key) {
      Unmanaged<NodeDestroyer>.fromOpaque(current).takeUnretainedValue().takeParts(of: node)
    } else {
      NodeDestroyer().run(node, key)
    }
  }

  private func run(_ node: Node, _ key: pthread_key_t) {
    self.takeParts(of: node)
    withExtendedLifetime(self) {
      pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque())
      while self.releaseOne() {}
      pthread_setspecific(key, nil)
    }
  }

  /// Does the same if the thread cannot find its destroyer: a node that nothing else refers to
  /// hands over its parts before it is released.
  private func runWithoutKey(_ node: Node) {
    self.takeParts(of: node)
    while var next = self.nodes.popLast() {
      guard isKnownUniquelyReferenced(&next) else { continue }
      next.leaveLineage()
      self.takeParts(of: next)
      next.disownParts()
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

  /// The thread-specific key of a thread's current destroyer.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()
}
