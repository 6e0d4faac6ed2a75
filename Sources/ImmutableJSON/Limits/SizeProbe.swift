/// Computes the exact size of a value whose bounds exceed a limit.
///
/// With structural sharing a node can occur exponentially often in a value, so each large node is
/// visited once. The walk keeps its frames on the heap: nesting takes no stack.
struct SizeProbe {
  enum Quantity {
    case depth
    case text
  }

  private let quantity: Quantity

  /// The number of bytes by which the bound of the text still exceeds its limit. The probe stops at
  /// 0. `UInt64.max` if the probe must not stop early.
  private var excess: UInt64

  /// The sizes of the visited nodes.
  private var sizes: [ObjectIdentifier: SubtreeSize] = [:]

  /// A probe of the text does not cache the sizes of nodes with less text than this: visiting them
  /// again is cheaper.
  private static var smallText: UInt64 { 1024 }

  /// A node whose visit is in progress.
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
  /// The nesting depth of a value.
  static func depth(of value: Value) -> Int {
    var probe = SizeProbe(.depth, excess: .max)
    return Int(probe.size(of: value)?.depth ?? 0)
  }

  /// Returns the exact size of a value, or `nil` once its text is known to fit `limit`. Never stops
  /// early if a bound is saturated.
  static func size(of value: Value, ifTextIsBeyond limit: UInt64) -> SubtreeSize? {
    let bound = value.size
    let isSaturated = bound.text == .max || bound.values == .max
    let excess = isSaturated || bound.text <= limit ? .max : bound.text - limit
    var probe = SizeProbe(.text, excess: excess)
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
        self.sizes[ObjectIdentifier(frame.node)] = frame.size
      }
      let size = frame.isRoot ? frame.size.enclosed : frame.size
      guard let parent = frames.indices.last else { return size }
      frames[parent].size.add(size)
    }
    return nil
  }

  /// Adds the sizes of the parts of a node.
  ///
  /// - Returns: The frame of a part that must be visited first; `nil` when all parts are added.
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
      // A part that cannot be deeper than another does not affect the depth.
      if self.quantity == .depth, bound.depth <= frame.size.depth { continue }
      guard let size = self.sizes[ObjectIdentifier(root)] else {
        return Frame(node: root, isRoot: node.isLeaf)
      }
      self.tighten(root.size, to: size)
      frame.size.add(node.isLeaf ? size.enclosed : size)
    }
    return nil
  }

  /// The exact size of a scalar, or of an empty array or object.
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
  /// The root of a nonempty array or object.
  fileprivate var root: Node? {
    switch self {
    case .array(let array): array.root
    case .object(let object): object.root
    default: nil
    }
  }
}
