import StateEngine
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A string that a handle has lent, in an insert-only binary tree of the pointers to such strings.
///
/// A Swift string cannot be lent itself: it may be stored inline, and the language guarantees the
/// address of its bytes only during a closure. So the tree holds a copy.
///
/// The order is that of the pointers' hashes, which keeps the tree balanced, whatever the pointers
/// are. There is no lock, which the child of a fork could find locked.
final class LentText: @unchecked Sendable {
  let text: Text

  private let pointer: [UInt8]
  private let hash: Int
  private let lesser = Tree()
  private let greater = Tree()

  private init(_ text: Text, _ pointer: [UInt8], _ hash: Int) {
    self.text = text
    self.pointer = pointer
    self.hash = hash
  }
}

extension LentText {
  typealias Tree = AtomicLazyReference<LentText>

  /// Returns the text that was lent for a pointer, or lends a new one. O(log n) for n pointers.
  static func find(
    _ pointer: UnsafeRawBufferPointer, in tree: borrowing Tree,
    orLend makeText: () throws(EngineError) -> Text
  ) throws(EngineError) -> Text {
    // Fast path: most programs view the same string of a handle again, and few others.
    if let root = tree.load(), root.isAt(pointer) { return root.text }
    var hasher = Hasher()
    hasher.combine(bytes: pointer)
    let hash = hasher.finalize()
    return try self.node(pointer, hash, in: tree) { () throws(EngineError) in
      LentText(try makeText(), Array(pointer), hash)
    }.text
  }

  private static func node(
    _ pointer: UnsafeRawBufferPointer, _ hash: Int, in tree: borrowing Tree,
    orInsert makeNode: () throws(EngineError) -> LentText
  ) throws(EngineError) -> LentText {
    guard let node = tree.load() else {
      let new = try makeNode()
      let root = tree.storeIfNil(new)
      // Another thread may have inserted a node meanwhile.
      return try root === new ? new : self.node(pointer, hash, in: tree) { new }
    }
    if node.hash == hash, node.isAt(pointer) { return node }
    return hash < node.hash
      ? try self.node(pointer, hash, in: node.lesser, orInsert: makeNode)
      : try self.node(pointer, hash, in: node.greater, orInsert: makeNode)
  }

  private func isAt(_ pointer: UnsafeRawBufferPointer) -> Bool {
    guard self.pointer.count == pointer.count else { return false }
    return self.pointer.withUnsafeBytes { own in
      guard let own = own.baseAddress, let other = pointer.baseAddress else { return true }
      return memcmp(own, other, pointer.count) == 0
    }
  }
}
