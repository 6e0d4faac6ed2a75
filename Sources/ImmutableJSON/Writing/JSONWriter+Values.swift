extension JSONWriter {
  /// A node whose writing is in progress. An explicit stack of these replaces recursion, so that
  /// nesting takes no stack.
  fileprivate struct Frame {
    /// Valid while the value lives.
    let node: Unmanaged<Node>
    var slot = 0

    /// The closing bracket if this is the root of an array or object, otherwise 0.
    let closing: UInt8

    /// The number of bytes written before this node, and before the comma that separates it from
    /// the previous one.
    let start: Int
  }

  mutating func write(_ value: Value) {
    var nodes = NodeTexts.unused
    self.write(value, &nodes)
  }

  /// - Parameter earlier: The text of an earlier version, from which the shared parts are copied.
  mutating func write(_ value: Value, after earlier: EarlierText?) -> TextRanges {
    var nodes = NodeTexts(of: value, after: earlier)
    self.write(value, &nodes)
    return nodes.ranges
  }

  private mutating func write(_ value: Value, _ nodes: inout NodeTexts) {
    var frames: [Frame] = []
    guard let root = self.begin(value) else { return }
    frames.append(root)
    while let last = frames.indices.last {
      let node = frames[last].node
      let next = node._withUnsafeGuaranteedRef { node in
        node.isLeaf
          ? self.writeLeaf(node, &frames[last].slot)
          : self.nextChild(node, &frames[last].slot)
      }
      if let next {
        if let text = nodes.earlierText(of: next.node) {
          self.beginElement()
          self.append(text)
          self.end(next, &nodes)
        } else {
          frames.append(next)
        }
      } else {
        self.end(frames.removeLast(), &nodes)
      }
    }
  }

  /// Ends a node whose values have been written.
  private mutating func end(_ frame: Frame, _ nodes: inout NodeTexts) {
    nodes.record(frame.node, from: self.afterComma(frame.start), to: self.count)
    if frame.closing != 0 {
      self.append(frame.closing)
    }
  }

  /// Separates the next element from the previous one. The first follows the opening bracket
  /// directly.
  @inline(__always)
  private mutating func beginElement() {
    if self.last != UInt8(ascii: "["), self.last != UInt8(ascii: "{") {
      self.append(UInt8(ascii: ","))
    }
  }

  /// Writes a scalar, or the opening bracket of an array or object.
  ///
  /// - Returns: The root of a nonempty array or object.
  @inline(__always)
  private mutating func begin(_ value: borrowing Value) -> Frame? {
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
      return Frame(
        node: .passUnretained(root), closing: UInt8(ascii: "]"), start: self.count)
    case .object(let object):
      guard let root = object.root else {
        self.append("{}")
        return nil
      }
      self.append(UInt8(ascii: "{"))
      return Frame(
        node: .passUnretained(root), closing: UInt8(ascii: "}"), start: self.count)
    }
    return nil
  }

  private func nextChild(_ node: Node, _ slot: inout Int) -> Frame? {
    guard slot < node.count else { return nil }
    defer { slot += 1 }
    return Frame(node: node.borrowChild(at: slot), closing: 0, start: self.count)
  }

  /// Writes the values of a leaf from a slot on. Stops at a nonempty array or object, and returns
  /// its root.
  private mutating func writeLeaf(_ leaf: Node, _ slot: inout Int) -> Frame? {
    let keys = leaf.keys
    while slot < leaf.count {
      defer { slot += 1 }
      self.beginElement()
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
