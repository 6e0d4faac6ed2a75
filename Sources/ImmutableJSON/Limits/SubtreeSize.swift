/// Upper bounds for the depth and size of a value or a subtree, available in O(1).
///
/// Structural sharing allows values that are small in memory but huge as text: each step of
/// `v = [v, v]` doubles the text. Therefore each node caches the size of its subtree, which updates
/// adjust incrementally. Code that creates values checks them against ``ValueLimits`` with
/// ``Value/checkLimits()``.
struct SubtreeSize: Hashable, Sendable {
  /// The size of the text in bytes, with a comma after each value; saturates at `UInt64.max`.
  ///
  /// Exact for keys, null and booleans. An integer may count one byte too many, a double counts as
  /// the longest one, and each byte of a string as 6, the length of the longest escape.
  var text: UInt64

  /// The number of values, shared ones counted each time. Exact below `UInt32.max`.
  var values: UInt32

  /// The nesting depth of arrays and objects: 0 for a scalar, at most `UInt16.max`. Removing the
  /// deepest part of a value does not lower it.
  var depth: UInt16

  static var none: SubtreeSize { SubtreeSize(text: 0, values: 0, depth: 0) }
}

extension SubtreeSize {
  /// Creates the size of a scalar from the size of its text in bytes.
  init(scalar text: Int) {
    self.init(text: UInt64(text) + 1, values: 1, depth: 0)
  }

  /// Adds the size of another value or node.
  mutating func add(_ other: SubtreeSize) {
    self.depth = max(self.depth, other.depth)
    self.values = self.values.addingWithSaturation(other.values)
    self.text = self.text.addingWithSaturation(other.text)
  }

  /// Subtracts a size that was added.
  mutating func remove(_ other: SubtreeSize) {
    self.values.subtract(other.values)
    self.text.subtract(other.text)
  }

  /// Adds the keys of a leaf, and subtracts those they replace.
  mutating func replaceKeys(_ old: KeyBlock?, by new: KeyBlock?) {
    self.text.subtract(old?.textSize ?? 0)
    self.text = self.text.addingWithSaturation(new?.textSize ?? 0)
  }

  /// The size of an array or object whose values have this total size.
  var enclosed: SubtreeSize {
    // The comma after the container compensates for the one its last value does not have.
    SubtreeSize(
      text: self.text.addingWithSaturation(self.values == 0 ? 3 : 2),
      values: self.values.addingWithSaturation(1),
      depth: self.depth.addingWithSaturation(1))
  }
}

extension SubtreeSize {
  /// Whether the bounds are within ``ValueLimits``.
  @inline(__always)
  var isWithinLimits: Bool {
    self.depth <= ValueLimits.depth && self.values <= ValueLimits.values
      && self.text <= UInt64(ValueLimits.text) + 1
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  fileprivate func addingWithSaturation(_ other: Self) -> Self {
    let (sum, overflow) = self.addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// Subtracts a number that was added. A saturated sum stays saturated.
  fileprivate mutating func subtract(_ other: Self) {
    guard self != .max else { return }
    self -= Swift.min(other, self)
  }
}

extension SubtreeSize {
  /// An estimate of the memory in bytes, as if nothing were shared: that of each value, and of its
  /// strings.
  var estimatedMemory: Int {
    // The text is counted with 6 bytes for each byte of a string.
    Int(self.values) * MemoryLayout<Value>.stride + Int(UInt32(clamping: self.text / 6))
  }
}

extension Value {
  var size: SubtreeSize {
    switch self {
    case .array(let array): (array.root?.size ?? .none).enclosed
    case .object(let object): (object.root?.size ?? .none).enclosed
    default: SubtreeSize(scalar: self.scalarTextBound)
    }
  }

  /// An upper bound of the size of a scalar's text in bytes; 0 for an array or object.
  @inline(__always)
  fileprivate var scalarTextBound: Int {
    switch self {
    case .null: 4
    case .bool(let value): value ? 4 : 5
    case .integer(let value): value.textSizeBound
    case .real: Double.textSizeBound
    case .string(let value): 2 + 6 * value.utf8.count
    case .array, .object: 0
    }
  }
}

extension SubtreeSize {
  /// Adds the sizes of the values of a leaf.
  mutating func add(_ values: UnsafeMutableBufferPointer<Value>) {
    // A leaf has few scalars, so their sum cannot overflow.
    var scalars = SubtreeSize.none
    for value in values {
      let text = value.scalarTextBound
      if text > 0 {
        scalars.text &+= UInt64(truncatingIfNeeded: text) &+ 1
        scalars.values &+= 1
      } else {
        self.add(value.size)
      }
    }
    self.add(scalars)
  }
}
