internal import CPrefetch

/// A child of an inner node.
///
/// A search reads the header of a node, then its keys, then one of its parts, and each address
/// depends on the access before. So a parent keeps the address of the keys beside that of the node,
/// and a search requests all three from memory at once.
struct Child {
  var node: Node {
    didSet { self.keys = self.node.addressOfKeys }
  }

  /// The address of the node's keys, which is only prefetched.
  private(set) var keys: UnsafeRawPointer?

  init(_ node: Node) {
    self.node = node
    self.keys = node.addressOfKeys
  }
}

extension Node {
  /// As ``borrowChild(at:)``, for a search: prefetches the child.
  @inline(__always)
  func enterChild(at slot: Int) -> Unmanaged<Node> {
    self.withChildren { children in
      let start = slot * MemoryLayout<Child>.stride
      let words = UnsafeRawBufferPointer(children)
      let node = words.load(fromByteOffset: start, as: UnsafeRawPointer.self)
      let keys = words.load(
        fromByteOffset: start + MemoryLayout<Node>.stride, as: UnsafeRawPointer?.self)
      if let keys {
        prefetch_memory(keys, Self.keySize)
      }
      prefetch_memory(node, Self.nodeSize)
      return Unmanaged.fromOpaque(node)
    }
  }

  /// The size of a full leaf, in bytes.
  private static var nodeSize: Int32 { 448 }

  /// About the size of its keys.
  private static var keySize: Int32 { 256 }

  var addressOfKeys: UnsafeRawPointer? {
    self.withUnsafeMutablePointerToHeader { header in
      header.pointee.keys.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    }
  }
}
