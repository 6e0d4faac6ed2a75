/// How deep and how large a value is, kept in its nodes so that it need not be counted.
///
/// Sharing makes values that are small in memory and endless as text: `v = [v, v]` doubles with
/// each step. What puts values into one another asks for the extent of the result and refuses one
/// beyond ``Value/maximumDepth`` or ``Value/maximumWeight``, so that writing, comparing and
/// destroying a value, which recurse, always end.
struct Extent: Sendable {
  /// How deep arrays and objects nest: 0 in a scalar. An upper bound: taking out the deepest part
  /// of a value does not lower it.
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
    var extent = Extent(depth: self.depth &+ 1, weight: 1)
    extent.add(Extent(depth: 0, weight: self.weight))
    return extent
  }
}

extension Value {
  /// The most values that one may have inside: what fits into a text of 2 GiB.
  public static var maximumWeight: Int { 1 << 30 }

  /// Whether this value is beyond ``maximumDepth`` or ``maximumWeight``. O(1).
  public var isBeyondLimits: Bool {
    let extent = self.extent
    return extent.depth > Self.maximumDepth || extent.weight > Self.maximumWeight
  }

  var extent: Extent {
    switch self {
    case .array(let array): (array.root?.extent ?? .none).within
    case .object(let object): (object.root?.extent ?? .none).within
    default: .scalar
    }
  }
}
