#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Destroys deep trees in a loop.
///
/// A node that is destroyed releases its parts, and the last reference to one destroys that in turn:
/// a stack frame for each level of each tree. So a node below which values nest deep hands its parts
/// to the destruction that the thread is in, or begins one, which releases them one by one.
final class Destruction {
  /// The parts of destroyed nodes, still to be released.
  private var nodes: [Node] = []

  /// How deep values nest that are destroyed by recursion, which is faster. It takes some 200 bytes
  /// of stack for each level of each tree.
  private static var directDepth: UInt16 { 32 }

  /// Destroys the parts of a node that nothing refers to any more.
  static func destroyParts(of node: Node) {
    // Without a key, which a process has 1,024 of, there is nothing but to recurse.
    guard node.size.depth > self.directDepth, let key else { return node.destroyParts() }
    if let current = pthread_getspecific(key) {
      Unmanaged<Destruction>.fromOpaque(current).takeUnretainedValue().takeParts(of: node)
    } else {
      Destruction().run(node, key)
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

  private func releaseOne() -> Bool {
    guard !self.nodes.isEmpty else { return false }
    // Out of the array first: what its release adds may move the array.
    let node = self.nodes.removeLast()
    return withExtendedLifetime(node) { true }
  }

  /// Takes over the references of a node. What other values hold too is only released later.
  private func takeParts(of node: Node) {
    if node.isLeaf {
      for slot in 0..<node.count {
        switch node.value(at: slot) {
        case .array(let array): self.take(array.root)
        case .object(let object): self.take(object.root)
        default: break
        }
      }
    } else {
      for slot in 0..<node.count {
        self.take(node.child(at: slot))
      }
    }
    node.destroyParts()
  }

  /// What is not deep is left to be released with the other parts.
  private func take(_ node: Node?) {
    if let node, node.size.depth > Self.directDepth {
      self.nodes.append(node)
    }
  }

  /// Under which a thread has the destruction that it is in.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()
}
