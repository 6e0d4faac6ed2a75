import ImmutableJSON

/// A string of a value that was viewed: a node of a binary tree whose keys are JSON Pointers.
///
/// A Swift string itself cannot be viewed: it may be stored inline, and the language guarantees the
/// address of its bytes only during a closure. So the tree holds a copy.
///
/// The order is that of the pointers' hashes, which keeps the tree balanced, whatever the pointers
/// are. A lock of the owner guards the tree.
package final class ViewedText {
  package let text: Text

  private let pointer: [UInt8]
  private let hash: Int
  private var lesser: ViewedText?
  private var greater: ViewedText?

  package init(_ text: Text, _ pointer: UnsafeRawBufferPointer) {
    self.text = text
    self.pointer = Array(pointer)
    self.hash = Self.hash(of: pointer)
  }
}

extension ViewedText {
  /// Returns the text that was viewed at a JSON Pointer. O(log n) for n pointers.
  package static func find(_ pointer: UnsafeRawBufferPointer, in tree: ViewedText?) -> ViewedText? {
    // Fast path: most programs view the same string of a handle again, and few others.
    guard let tree, !tree.pointer.hasSameBytes(as: pointer) else { return tree }
    let hash = self.hash(of: pointer)
    var node: ViewedText? = tree
    while let current = node,
      !(current.hash == hash && current.pointer.hasSameBytes(as: pointer))
    {
      node = hash < current.hash ? current.lesser : current.greater
    }
    return node
  }

  /// Inserts a text, unless another one was viewed at the same pointer.
  ///
  /// - Returns: The one in the tree.
  package static func insert(_ new: ViewedText, into tree: inout ViewedText?) -> ViewedText {
    guard var node = tree else {
      tree = new
      return new
    }
    while !(node.hash == new.hash && node.pointer == new.pointer) {
      if new.hash < node.hash {
        guard let lesser = node.lesser else {
          node.lesser = new
          return new
        }
        node = lesser
      } else {
        guard let greater = node.greater else {
          node.greater = new
          return new
        }
        node = greater
      }
    }
    return node
  }

  private static func hash(of pointer: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: pointer)
    return hasher.finalize()
  }
}
