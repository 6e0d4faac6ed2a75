extension Value {
  /// Hashes the value, or the beginning of a large value. O(1).
  public func hash(into hasher: inout Hasher) {
    var bounded = BoundedHasher()
    bounded.combine(self, &hasher)
  }
}

extension Value {
  /// A hash of the first 64 units of the value.
  var hashOfBeginning: Int {
    var hasher = Hasher()
    var bounded = BoundedHasher(64)
    bounded.combine(self, &hasher)
    return hasher.finalize()
  }
}

extension JSONArray: Hashable {
  public func hash(into hasher: inout Hasher) {
    Value.array(self).hash(into: &hasher)
  }
}

extension JSONObject: Hashable {
  public func hash(into hasher: inout Hasher) {
    Value.object(self).hash(into: &hasher)
  }
}

/// Hashes the beginning of a value iteratively.
private struct BoundedHasher {
  /// Bounds the walk: a value that is small in memory may take very long to walk.
  private var budget: WorkBudget

  init(_ units: Int = 1 << 14) {
    self.budget = WorkBudget(units)
  }

  mutating func combine(_ value: Value, _ hasher: inout Hasher) {
    var outer: [NodeCursor] = []
    guard var cursor = self.enter(value, &hasher) else { return }
    while true {
      guard let (leaf, slot) = cursor.current else {
        guard let next = outer.popLast() else { return }
        cursor = next
        continue
      }
      guard (try? self.budget.charge()) != nil else { return }
      leaf.keys?.withKey(at: slot) { self.combine($0.bytes, &hasher) }
      cursor.advance()
      if let nested = self.enter(leaf.value(at: slot), &hasher) {
        outer.append(cursor)
        cursor = nested
      }
    }
  }

  /// Hashes a scalar, or the kind and count of an array or object, and returns a cursor over the
  /// values of the latter.
  private mutating func enter(_ value: Value, _ hasher: inout Hasher) -> NodeCursor? {
    switch value {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .string(var value): value.withUTF8 { self.combine(UnsafeRawBufferPointer($0), &hasher) }
    case .array(let array): return self.enter(array.root, 1, &hasher)
    case .object(let object): return self.enter(object.root, 2, &hasher)
    }
    return nil
  }

  private func enter(_ root: Node?, _ kind: UInt8, _ hasher: inout Hasher) -> NodeCursor {
    hasher.combine(kind)
    hasher.combine(root?.total ?? 0)
    return NodeCursor(root)
  }

  /// Hashes the bytes of a string or key. (`combine` would hash its normal form.)
  private mutating func combine(_ bytes: UnsafeRawBufferPointer, _ hasher: inout Hasher) {
    guard (try? self.budget.charge(bytes: bytes.count)) != nil else { return }
    hasher.combine(bytes: bytes)
    hasher.combine(0xFF as UInt8)
  }
}
