/// Finds the member with one key in many objects.
///
/// Records of one text share their keys. So the slot of the member in one record is that in the
/// next, and only the first two records are searched.
package struct MemberLookup: @unchecked Sendable {
  /// The keys of a previous record; retained, so that no others can have the same address.
  private var keys: KeyBlock?

  /// The slot of the member among these keys; negative if it is missing.
  private var slot = -1

  /// The keys of the last record whose keys were not ``keys``.
  private var candidate: ObjectIdentifier?

  package init() {}
}

extension MemberLookup {
  /// The member of a value; `nil` if this is not an object or lacks the member.
  package mutating func member(_ key: ObjectKey, of value: Value) -> Value? {
    guard case .object(let object) = value, let root = object.root else { return nil }
    return withExtendedLifetime(key) {
      self.withSlot(of: key.bytes, in: .passUnretained(root)) { leaf, slot in leaf.value(at: slot) }
    }
  }

  /// The member of an object, which is not retained.
  @inline(__always)
  fileprivate mutating func borrowMember(
    _ key: KeyBytes, of object: Unmanaged<Node>?
  ) -> BorrowedValue {
    guard let object else { return .null }
    return self.withSlot(of: key, in: object) { leaf, slot in leaf.borrowValue(at: slot) } ?? .null
  }

  /// Calls `body` with the leaf of the member and its slot there.
  @inline(__always)
  private mutating func withSlot<Result>(
    of key: KeyBytes, in root: Unmanaged<Node>, _ body: (Node, Int) -> Result
  ) -> Result? {
    var leaf = root
    while let child = leaf._withUnsafeGuaranteedRef({ $0.borrowChild(of: key) }) {
      leaf = child
    }
    return leaf._withUnsafeGuaranteedRef { leaf in
      let slot = leaf.hasKeys(self.keys) ? self.slot : self.search(key, in: leaf)
      return slot < 0 ? nil : body(leaf, slot)
    }
  }

  /// Searches a leaf. Remembers the slot if two records in a row have these keys: retaining the
  /// keys of each record would take longer than searching them.
  @inline(never)
  private mutating func search(_ key: KeyBytes, in leaf: Node) -> Int {
    let (index, isFound) = leaf.slot(of: .key(key))
    let slot = isFound ? index : -1
    guard let keys = leaf.keys else { return slot }
    if self.candidate == ObjectIdentifier(keys) {
      self.keys = keys
      self.slot = slot
    }
    self.candidate = ObjectIdentifier(keys)
    return slot
  }
}

extension Node {
  /// Whether this node has the same block of keys.
  @inline(__always)
  fileprivate func hasKeys(_ keys: KeyBlock?) -> Bool {
    self.withUnsafeMutablePointerToHeader { header in
      keys != nil && header.pointee.keys === keys
    }
  }

  /// The unretained child that contains a key; `nil` in a leaf.
  @inline(__always)
  fileprivate func borrowChild(of key: KeyBytes) -> Unmanaged<Node>? {
    guard !self.isLeaf else { return nil }
    var position = TreePosition.key(key)
    return self.enterChild(at: self.childSlot(of: &position))
  }

  /// The value in a slot of a leaf, which is not retained.
  @inline(__always)
  func borrowValue(at slot: Int) -> BorrowedValue {
    self.withUnsafeMutablePointers { header, words in
      let parts = UnsafeRawPointer(words)
      return switch header.pointee.kind {
      case .inner: .null
      case .leaf:
        BorrowedValue(
          (parts + MemoryLayout<NodeLinks>.size).assumingMemoryBound(to: Value.self) + slot)
      case .integers8: .integer(Int64(parts.assumingMemoryBound(to: Int8.self)[slot]))
      case .integers16: .integer(Int64(parts.assumingMemoryBound(to: Int16.self)[slot]))
      case .integers32: .integer(Int64(parts.assumingMemoryBound(to: Int32.self)[slot]))
      case .integers64: .integer(parts.assumingMemoryBound(to: Int64.self)[slot])
      case .reals: .real(parts.assumingMemoryBound(to: Double.self)[slot])
      }
    }
  }
}

extension ValueBatch {
  /// Reads the members of values with a key.
  package func read(
    _ key: ObjectKey, _ lookup: inout MemberLookup, _ slots: SlotSet, into column: ValueColumn
  ) {
    withExtendedLifetime(key) {
      guard let values = self.values else {
        return slots.forEach { column[$0] = .null }
      }
      slots.forEach {
        column[$0] = lookup.borrowMember(key.bytes, of: (values + $0).objectRoot)
      }
    }
  }
}

extension ValueColumn {
  /// Replaces values by their members with a key.
  package func read(_ key: ObjectKey, _ lookup: inout MemberLookup, _ slots: SlotSet) {
    withExtendedLifetime(key) {
      slots.forEach {
        guard case .other(let value) = self[$0] else { return self[$0] = .null }
        self[$0] = lookup.borrowMember(key.bytes, of: value.objectRoot)
      }
    }
  }
}
