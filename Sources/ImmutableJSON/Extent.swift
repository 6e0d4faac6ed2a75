/// How deep and how large a value is, kept in its nodes so that it need not be counted.
///
/// Sharing makes values that are small in memory and endless as text: `v = [v, v]` doubles with
/// each step. What puts values into one another asks for the extent of the result and refuses one
/// beyond ``Value/maximumDepth`` or ``Value/maximumWeight``, so that writing, comparing and
/// destroying a value, which recurse, always end.
struct Extent: Sendable {
  /// How deep arrays and objects nest: 0 in a scalar. An upper bound, at most `UInt32.max`: taking
  /// out the deepest part of a value does not lower it.
  var depth: UInt32

  /// How many values there are, this one and all inside, however often shared; at most `UInt32.max`.
  var weight: UInt32

  static var none: Extent { Extent(depth: 0, weight: 0) }
  static var scalar: Extent { Extent(depth: 0, weight: 1) }

  /// Counts in another value or node beside what there is.
  mutating func add(_ other: Extent) {
    self.depth = max(self.depth, other.depth)
    let (sum, overflow) = self.weight.addingReportingOverflow(other.weight)
    self.weight = overflow ? .max : sum
  }

  /// Counts out what was counted in.
  mutating func remove(_ other: Extent) {
    guard self.weight != .max else { return }
    self.weight -= min(other.weight, self.weight)
  }

  /// The extent of an array or object whose values have this one together.
  var within: Extent {
    var extent = Extent(depth: self.depth == .max ? .max : self.depth + 1, weight: 1)
    extent.add(Extent(depth: 0, weight: self.weight))
    return extent
  }
}

extension Value {
  /// The most values that one may have inside: what fits into a text of 2 GiB.
  public static var maximumWeight: Int { 1 << 30 }

  /// Whether this value is beyond ``maximumDepth`` or ``maximumWeight``. O(1), but O(n) where it is
  /// not and a part of it once was nearly.
  public var isBeyondLimits: Bool {
    let extent = self.extent
    if extent.weight > Self.maximumWeight { return true }
    if extent.depth <= Self.maximumDepth { return false }
    var sounding = Sounding()
    return sounding.depth(of: self, upTo: Self.maximumDepth) == nil
  }

  var extent: Extent {
    switch self {
    case .array(let array): (array.root?.extent ?? .none).within
    case .object(let object): (object.root?.extent ?? .none).within
    default: .scalar
    }
  }
}

/// Finds how deep a value really nests, where the bound says that it may be too deep.
private struct Sounding {
  /// What was found of nodes. A value may have one of them in it exponentially often.
  private var depths: [ObjectIdentifier: Int] = [:]

  /// How deep a value nests, `nil` if that is more than `limit`, which bounds the recursion.
  mutating func depth(of value: Value, upTo limit: Int) -> Int? {
    let root: Node?
    switch value {
    case .array(let array): root = array.root
    case .object(let object): root = object.root
    default: return 0
    }
    guard limit > 0 else { return nil }
    guard let root else { return 1 }
    return self.depth(of: root, upTo: limit - 1).map { $0 + 1 }
  }

  /// The same of the deepest value in a node. What cannot be deeper than that is not looked at.
  private mutating func depth(of node: Node, upTo limit: Int) -> Int? {
    if let depth = self.depths[ObjectIdentifier(node)] {
      return depth <= limit ? depth : nil
    }
    var deepest = 0
    let isWithin =
      node.withValues { values in
        for value in values where value.extent.depth > deepest {
          guard let depth = self.depth(of: value, upTo: limit) else { return false }
          deepest = max(deepest, depth)
        }
        return true
      }
      && node.withChildren { children in
        for child in children where child.extent.depth > deepest {
          guard let depth = self.depth(of: child, upTo: limit) else { return false }
          deepest = max(deepest, depth)
        }
        return true
      }
    guard isWithin else { return nil }
    self.depths[ObjectIdentifier(node)] = deepest
    return deepest
  }
}
