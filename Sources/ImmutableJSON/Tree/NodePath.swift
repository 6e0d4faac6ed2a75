/// The way from a value to a part of it: the slot in each node on the way.
///
/// It is valid for the value that it was found in, and for one that differs only in values.
package struct NodePath: Hashable, Sendable {
  /// Four bits for each slot, the first slot in the lowest.
  private var slots: UInt64 = 0
  private(set) var count: UInt8 = 0

  package var isEmpty: Bool {
    self.count == 0
  }

  private static var maxCount: UInt8 { 16 }

  /// The slot in the first node.
  @inline(__always)
  var first: Int {
    Int(truncatingIfNeeded: self.slots & 15)
  }

  /// The path below the first node.
  @inline(__always)
  var rest: NodePath {
    var rest = self
    rest.slots >>= 4
    rest.count &-= 1
    return rest
  }

  /// - Returns: Whether there was room.
  @inline(__always)
  mutating func append(_ slot: Int) -> Bool {
    guard self.count < Self.maxCount else { return false }
    self.slots |= UInt64(truncatingIfNeeded: slot) << (4 &* UInt64(self.count))
    self.count &+= 1
    return true
  }
}

// MARK: Finding

extension Value {
  /// The path to the part at a JSON Pointer, and that part, which is not retained; `nil` if there
  /// is none, if the pointer is empty or has an escape, and if the path is too long. O(log n).
  package func path(
    to pointer: UnsafeRawBufferPointer
  ) -> (path: NodePath, part: BorrowedValue)? {
    var path = NodePath()
    var rest = pointer
    var container = self.borrowedContainer
    var part: BorrowedValue?
    while let token = rest.takeToken() {
      guard let (root, isObject) = container,
        let position = TreePosition(token, isKey: isObject),
        let found = root.find(position, &path)
      else { return nil }
      part = found
      container = found.container
    }
    return rest.isEmpty ? part.map { (path, $0) } : nil
  }

  /// The root of an array or object with parts, which is not retained.
  fileprivate var borrowedContainer: (root: Unmanaged<Node>, isObject: Bool)? {
    switch self {
    case .array(let array): array.root.map { (.passUnretained($0), false) }
    case .object(let object): object.root.map { (.passUnretained($0), true) }
    default: nil
    }
  }
}

extension BorrowedValue {
  fileprivate var container: (root: Unmanaged<Node>, isObject: Bool)? {
    if case .other(let value) = self { value.pointee.borrowedContainer } else { nil }
  }
}

extension TreePosition {
  fileprivate init?(_ token: UnsafeRawBufferPointer, isKey: Bool) {
    if isKey {
      self = .key(KeyBytes(token))
    } else if let index = token.decimalIndex {
      self = .index(index)
    } else {
      return nil
    }
  }
}

extension Unmanaged<Node> {
  /// Appends the slots on the way to a value of this tree.
  fileprivate func find(_ position: TreePosition, _ path: inout NodePath) -> BorrowedValue? {
    var position = position
    var node = self
    while let slot = node._withUnsafeGuaranteedRef({ node in
      node.isLeaf ? nil : node.childSlot(of: &position)
    }) {
      guard path.append(slot) else { return nil }
      node = node._withUnsafeGuaranteedRef { $0.enterChild(at: slot) }
    }
    return node._withUnsafeGuaranteedRef { leaf in
      let (slot, isFound) = leaf.slot(of: position)
      return isFound && path.append(slot) ? leaf.borrowValue(at: slot) : nil
    }
  }
}

extension BorrowedValue {
  /// The member of an object that a path leads through, with its key, both valid as long as this
  /// value; `nil` if this is no object, or the end of the path.
  ///
  /// - Parameter path: Becomes the path below the member.
  @inline(__always)
  package func member(
    on path: inout NodePath
  ) -> (key: KeyBytes, value: BorrowedValue)? {
    guard let (key, value) = self.part(on: &path), let key else { return nil }
    return (key, value)
  }

  /// The same for arrays too, whose elements have no key.
  @inline(__always)
  package func part(
    on path: inout NodePath
  ) -> (key: KeyBytes?, value: BorrowedValue)? {
    guard path.count > 0, var node = self.container?.root else { return nil }
    while let child = node._withUnsafeGuaranteedRef({ node in
      node.isLeaf ? nil : node.borrowChild(at: path.first)
    }) {
      path = path.rest
      node = child
    }
    let slot = path.first
    path = path.rest
    return node._withUnsafeGuaranteedRef { leaf in
      let key = leaf.unretainedKeys?._withUnsafeGuaranteedRef { keys in
        keys.withKey(at: slot) { $0 }
      }
      return (key, leaf.borrowValue(at: slot))
    }
  }
}

// MARK: Replacing

extension Value {
  /// Replaces the part at a path: in place in the nodes that only this value has, and in copies of
  /// the others. O(log n).
  package mutating func replace(_ path: NodePath, by part: Value) {
    self.replacePart(path, part)
  }

  fileprivate func replacingPart(
    _ path: NodePath, _ part: Value
  ) -> (copy: Value, old: SubtreeSize) {
    guard let (root, isObject) = self.borrowedContainer else { return (self, .none) }
    let (copy, old) = root._withUnsafeGuaranteedRef { $0.replacing(path, by: part) }
    return (Value(copy, isObject: isObject), old)
  }

  @discardableResult
  fileprivate mutating func replacePart(_ path: NodePath, _ part: Value) -> SubtreeSize {
    guard var taken = self.takeRoot() else { return .none }
    let old = Node.replace(path, by: part, in: &taken.root)
    self = Value(taken.root, isObject: taken.isObject)
    return old
  }

  private init(_ root: Node, isObject: Bool) {
    self = isObject ? .object(JSONObject(root: root)) : .array(JSONArray(root: root))
  }

  /// Moves the root out, so that the caller has the only reference if this value had it. If there
  /// is none, this value stays as it is.
  private mutating func takeRoot() -> (root: Node, isObject: Bool)? {
    switch self {
    case .array(var array):
      guard let root = array.root else { return nil }
      self = .null
      array.root = nil
      return (root, false)
    case .object(var object):
      guard let root = object.root else { return nil }
      self = .null
      object.root = nil
      return (root, true)
    default:
      return nil
    }
  }
}

extension Node {
  // Both functions return the size of the replaced part. The recursion is as deep as the path.

  fileprivate func replacing(_ path: NodePath, by part: Value) -> (copy: Node, old: SubtreeSize) {
    let slot = path.first
    let (copy, old): (Node, SubtreeSize)
    if !self.isLeaf {
      let child: Node
      (child, old) = self.enterChild(at: slot)._withUnsafeGuaranteedRef {
        $0.replacing(path.rest, by: part)
      }
      copy = self.copy(replacing: slot, by: Child(child))
    } else if path.count > 1 {
      let value: Value
      (value, old) = self.withValues { $0[slot].replacingPart(path.rest, part) }
      copy = self.copy(replacing: slot, by: value)
    } else {
      old = self.size(at: slot)
      copy = self.packedCopy(replacing: slot, by: part) ?? self.copy(replacing: slot, by: part)
    }
    copy.replaceSize(old, by: part.size)
    return (copy, old)
  }

  fileprivate static func replace(
    _ path: NodePath, by part: Value, in node: inout Node
  ) -> SubtreeSize {
    guard isKnownUniquelyReferenced(&node) else {
      let old: SubtreeSize
      (node, old) = node.replacing(path, by: part)
      return old
    }
    let slot = path.first
    let old: SubtreeSize
    if !node.isLeaf {
      node.ownParts()
      old = node.withChildren { self.replace(path.rest, by: part, in: &$0[slot].node) }
    } else if path.count > 1 {
      node.ownParts()
      old = node.withValues { $0[slot].replacePart(path.rest, part) }
    } else {
      old = node.size(at: slot)
      self.replace(at: slot, by: part, in: &node)
    }
    node.replaceSize(old, by: part.size)
    return old
  }

  private func replaceSize(_ old: SubtreeSize, by new: SubtreeSize) {
    // Not in the header: ThreadSanitizer would take it for a change of the whole header.
    var size = self.size
    size.remove(old)
    size.add(new)
    self.size = size
  }
}
