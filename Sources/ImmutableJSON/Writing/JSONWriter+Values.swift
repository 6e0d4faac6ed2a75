internal import CPrefetch

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
    guard let root = withUnsafePointer(to: value, { self.begin($0) }) else { return }
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
  private mutating func begin(_ value: UnsafePointer<Value>) -> Frame? {
    switch value.pointee {
    case .null: self.append("null")
    case .bool(let value): value ? self.append("true") : self.append("false")
    case .integer(let value): self.write(integer: value)
    case .real(let value): self.write(real: value)
    case .string: value.withUnretainedString { self.write(string: $0) }
    case .array:
      guard let root = value.unretainedRoot else {
        self.append("[]")
        return nil
      }
      self.append(UInt8(ascii: "["))
      return Frame(node: root, closing: UInt8(ascii: "]"), start: self.count)
    case .object:
      guard let root = value.unretainedRoot else {
        self.append("{}")
        return nil
      }
      self.append(UInt8(ascii: "{"))
      return Frame(node: root, closing: UInt8(ascii: "}"), start: self.count)
    }
    return nil
  }

  private func nextChild(_ node: Node, _ slot: inout Int) -> Frame? {
    guard slot < node.count else { return nil }
    let child = node.borrowChild(at: slot)
    slot += 1
    if slot < node.count {
      node.borrowChild(at: slot).prefetch()
    }
    return Frame(node: child, closing: 0, start: self.count)
  }

  /// Writes the values of a leaf from a slot on. Stops at a nonempty array or object, and returns
  /// its root.
  private mutating func writeLeaf(_ leaf: Node, _ slot: inout Int) -> Frame? {
    let keys = leaf.unretainedKeys
    let arePlain = keys?._withUnsafeGuaranteedRef { $0.isPlain } ?? true
    guard !leaf.isPacked else {
      for slot in 0..<leaf.count {
        self.beginValue(slot, keys, arePlain)
        self.write(number: leaf.packedValue(at: slot))
      }
      return nil
    }
    if slot == 0 {
      leaf.prefetchParts()
    }
    return leaf.withValues { values in
      guard let start = UnsafePointer(values.baseAddress) else { return nil }
      var next = slot
      while next < values.count {
        values.root(at: next &+ Node.prefetchDistance)?.prefetch()
        self.beginValue(next, keys, arePlain)
        let inner = self.begin(start + next)
        next &+= 1
        if let inner {
          values.root(at: next)?._withUnsafeGuaranteedRef { $0.prefetchParts() }
          slot = next
          return inner
        }
      }
      return nil
    }
  }

  /// Writes what precedes the value in a slot of a leaf.
  @inline(__always)
  private mutating func beginValue(_ slot: Int, _ keys: Unmanaged<KeyBlock>?, _ arePlain: Bool) {
    if slot > 0 {
      self.append(UInt8(ascii: ","))
    } else {
      self.beginElement()
    }
    keys?._withUnsafeGuaranteedRef { keys in
      keys.withKey(at: slot) { arePlain ? self.write(plainKey: $0) : self.write(key: $0) }
    }
  }

  /// Writes a value of a packed leaf.
  @inline(__always)
  private mutating func write(number: Value) {
    switch number {
    case .integer(let value): self.write(integer: value)
    case .real(let value): self.write(real: value)
    default: break
    }
  }
}

// MARK: Memory

extension Node {
  /// How many values before its turn the node of a value is requested from memory.
  fileprivate static var prefetchDistance: Int { 4 }

  /// Requests the first nodes in this one from memory.
  fileprivate func prefetchParts() {
    self.withValues { values in
      for slot in 0..<Self.prefetchDistance {
        values.root(at: slot)?.prefetch()
      }
    }
    self.withChildren { children in
      for slot in children.indices.prefix(Self.prefetchDistance) {
        self.borrowChild(at: slot).prefetch()
      }
    }
  }
}

extension UnsafeMutableBufferPointer<Value> {
  /// The root of the array or object in a slot; `nil` if there is none.
  @inline(__always)
  fileprivate func root(at slot: Int) -> Unmanaged<Node>? {
    guard slot < self.count, let start = UnsafePointer(self.baseAddress) else { return nil }
    switch (start + slot).pointee {
    case .array, .object: return (start + slot).unretainedRoot
    default: return nil
    }
  }
}

extension Unmanaged<Node> {
  /// Requests a node from memory. Most have no more bytes.
  @inline(__always)
  fileprivate func prefetch() {
    prefetch_memory(self.toOpaque(), 448)
  }
}
