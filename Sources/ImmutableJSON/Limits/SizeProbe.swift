/// Computes the true size of a value whose bounds are beyond a limit.
///
/// Sharing may put a node into a value exponentially often, so each large one is visited once. A loop
/// with frames on the heap: how deep a value nests takes no stack.
struct SizeProbe {
  enum Quantity {
    case depth
    case text
  }

  private let quantity: Quantity

  /// The bytes by which the bound is still beyond the limit of the text, as far as the probe has
  /// come: it ends when there are none.
  private var excess: UInt64

  /// The sizes of nodes that were visited.
  private var known: [ObjectIdentifier: SubtreeSize] = [:]

  /// A node with less text than this is visited anew, as that is cheaper than remembering it.
  private static var smallText: UInt64 { 1024 }

  /// A node on the way to the one that is visited.
  private struct Frame {
    let node: Node
    let isRoot: Bool
    var slot = 0
    var size = SubtreeSize.none
  }

  private init(_ quantity: Quantity, excess: UInt64) {
    self.quantity = quantity
    self.excess = excess
  }
}

extension SizeProbe {
  /// How deep a value nests.
  static func depth(of value: Value) -> Int {
    var probe = SizeProbe(.depth, excess: .max)
    return Int(probe.size(of: value)?.depth ?? 0)
  }

  /// How large a value is; `nil` if its text is within a limit, which its bound exceeds.
  static func size(of value: Value, ifTextIsBeyond limit: UInt64) -> SubtreeSize? {
    let bound = value.size
    let isKnown = bound.text != .max && bound.values != .max && bound.text > limit
    var probe = SizeProbe(.text, excess: isKnown ? bound.text - limit : .max)
    return probe.size(of: value)
  }

  private mutating func size(of value: Value) -> SubtreeSize? {
    guard let root = value.root else {
      let size = self.measure(value)
      return self.excess > 0 ? size : nil
    }
    var frames = [Frame(node: root, isRoot: true)]
    while let top = frames.indices.last {
      if let next = self.advance(&frames[top]) {
        frames.append(next)
        continue
      }
      guard self.excess > 0 else { return nil }
      let frame = frames.removeLast()
      if self.quantity == .depth || frame.node.size.text >= Self.smallText {
        self.known[ObjectIdentifier(frame.node)] = frame.size
      }
      let size = frame.isRoot ? frame.size.enclosed : frame.size
      guard let parent = frames.indices.last else { return size }
      frames[parent].size.add(size)
    }
    return nil
  }

  /// Counts the parts of a node up to one that has to be visited first.
  private mutating func advance(_ frame: inout Frame) -> Frame? {
    let node = frame.node
    if frame.slot == 0, self.quantity == .text, node.isLeaf {
      frame.size.replaceKeys(nil, by: node.keys)
    }
    while frame.slot < node.count, self.excess > 0 {
      let slot = frame.slot
      frame.slot += 1
      let root: Node
      if node.isLeaf {
        let value = node.value(at: slot)
        guard let valueRoot = value.root else {
          frame.size.add(self.measure(value))
          continue
        }
        root = valueRoot
      } else {
        root = node.child(at: slot)
      }
      let bound = node.isLeaf ? root.size.enclosed : root.size
      // What cannot be deeper than another part says nothing of the depth.
      if self.quantity == .depth, bound.depth <= frame.size.depth { continue }
      guard let size = self.known[ObjectIdentifier(root)] else {
        return Frame(node: root, isRoot: node.isLeaf)
      }
      self.tighten(root.size, to: size)
      frame.size.add(node.isLeaf ? size.enclosed : size)
    }
    return nil
  }

  /// The size of a scalar, or of an empty array or object.
  private mutating func measure(_ value: Value) -> SubtreeSize {
    var size = value.size
    guard self.quantity == .text else { return size }
    switch value {
    case .integer, .real:
      size = SubtreeSize(scalar: value.json.utf8.count)
    case .string(var string):
      size = SubtreeSize(scalar: string.withUTF8 { UnsafeRawBufferPointer($0).textSize })
    default: break
    }
    self.tighten(value.size, to: size)
    return size
  }

  private mutating func tighten(_ bound: SubtreeSize, to size: SubtreeSize) {
    guard self.excess != .max else { return }
    self.excess -= min(self.excess, bound.text - min(bound.text, size.text))
  }
}

extension Value {
  /// The tree of an array or object that is not empty.
  fileprivate var root: Node? {
    switch self {
    case .array(let array): array.root
    case .object(let object): object.root
    default: nil
    }
  }
}
