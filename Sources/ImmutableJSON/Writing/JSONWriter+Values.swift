extension JSONWriter {
  /// A node whose writing is in progress. An explicit stack of these replaces recursion, so that
  /// nesting takes no stack.
  fileprivate struct Position {
    /// Valid while the value lives.
    let node: Unmanaged<Node>
    var slot = 0

    /// The closing bracket if this is the root of an array or object, otherwise 0.
    let closing: UInt8
  }

  mutating func write(_ value: Value) {
    var positions: [Position] = []
    guard let root = self.begin(value) else { return }
    positions.append(root)
    while let last = positions.indices.last {
      let node = positions[last].node
      let next = node._withUnsafeGuaranteedRef { node in
        node.isLeaf
          ? self.writeLeaf(node, &positions[last].slot)
          : Self.nextChild(node, &positions[last].slot)
      }
      if let next {
        positions.append(next)
      } else {
        let closing = positions.removeLast().closing
        if closing != 0 {
          self.append(closing)
        }
      }
    }
  }

  /// Writes a scalar, or the opening bracket of an array or object.
  ///
  /// - Returns: The root of a nonempty array or object.
  @inline(__always)
  private mutating func begin(_ value: borrowing Value) -> Position? {
    switch value {
    case .null: self.append("null")
    case .bool(let value): self.append(value ? "true" : "false")
    case .integer(let value): self.write(integer: value)
    case .real(let value): self.write(real: value)
    case .string(let value): self.write(string: value)
    case .array(let array):
      guard let root = array.root else {
        self.append("[]")
        return nil
      }
      self.append(UInt8(ascii: "["))
      return Position(node: .passUnretained(root), closing: UInt8(ascii: "]"))
    case .object(let object):
      guard let root = object.root else {
        self.append("{}")
        return nil
      }
      self.append(UInt8(ascii: "{"))
      return Position(node: .passUnretained(root), closing: UInt8(ascii: "}"))
    }
    return nil
  }

  private static func nextChild(_ node: Node, _ slot: inout Int) -> Position? {
    guard slot < node.count else { return nil }
    defer { slot += 1 }
    return Position(node: node.borrowChild(at: slot), closing: 0)
  }

  /// Writes the values of a leaf from a slot on. Stops at a nonempty array or object, and returns
  /// its root.
  private mutating func writeLeaf(_ leaf: Node, _ slot: inout Int) -> Position? {
    let keys = leaf.keys
    while slot < leaf.count {
      defer { slot += 1 }
      // The first value follows the opening bracket directly.
      if self.last != UInt8(ascii: "["), self.last != UInt8(ascii: "{") {
        self.append(UInt8(ascii: ","))
      }
      keys?.withKey(at: slot) { key in
        self.write(string: key.bytes)
        self.append(UInt8(ascii: ":"))
      }
      if let inner = leaf.isPacked
        ? self.begin(leaf.packedValue(at: slot))
        : leaf.withValues({ self.begin($0[slot]) })
      {
        return inner
      }
    }
    return nil
  }

  private mutating func write(string: String) {
    var string = string
    string.withUTF8 { self.write(string: UnsafeRawBufferPointer($0)) }
  }
}
