/// How deep and large a value is, or the values of a node are: upper bounds, in O(1).
///
/// Sharing makes values that are small in memory and endless as text: `v = [v, v]` doubles with
/// each step. So each node caches the size of what is below it, and a change adds and subtracts.
/// What makes a value checks it against ``ValueLimits``; see ``Value/checkLimits()``.
struct SubtreeSize: Hashable, Sendable {
  /// The bytes of the text, with a comma behind each value; at most `UInt64.max`.
  ///
  /// Exact for keys, null and booleans. Numbers have their longest form, and strings 6 bytes for
  /// each of theirs, as if all had to be escaped.
  var text: UInt64

  /// How many values there are, shared ones counted each time; exact below `UInt32.max`.
  var values: UInt32

  /// How deep arrays and objects nest: 0 in a scalar, at most `UInt16.max`. Removing the deepest
  /// part of a value does not lower it.
  var depth: UInt16

  static var none: SubtreeSize { SubtreeSize(text: 0, values: 0, depth: 0) }
}

extension SubtreeSize {
  /// The size of a scalar whose text has so many bytes.
  init(scalar text: Int) {
    self.init(text: UInt64(text) + 1, values: 1, depth: 0)
  }

  /// Counts in another value or node.
  mutating func add(_ other: SubtreeSize) {
    self.depth = max(self.depth, other.depth)
    self.values = self.values.addingWithSaturation(other.values)
    self.text = self.text.addingWithSaturation(other.text)
  }

  /// Counts out what was counted in.
  mutating func remove(_ other: SubtreeSize) {
    self.values.subtract(other.values)
    self.text.subtract(other.text)
  }

  /// Counts the keys of a leaf in, in place of others.
  mutating func replaceKeys(_ old: KeyBlock?, by new: KeyBlock?) {
    self.text.subtract(old?.textSize ?? 0)
    self.text = self.text.addingWithSaturation(new?.textSize ?? 0)
  }

  /// The size of an array or object whose values have this size together.
  var enclosed: SubtreeSize {
    // Its own comma stands for the one that its last value does not have.
    SubtreeSize(
      text: self.text.addingWithSaturation(self.values == 0 ? 3 : 2),
      values: self.values.addingWithSaturation(1),
      depth: self.depth.addingWithSaturation(1))
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  fileprivate func addingWithSaturation(_ other: Self) -> Self {
    let (sum, overflow) = self.addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// Subtracts what was added. Once saturated, a sum is no longer known.
  fileprivate mutating func subtract(_ other: Self) {
    guard self != .max else { return }
    self -= Swift.min(other, self)
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

  /// Of a scalar: at least the bytes of its text. Of an array or object: 0.
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
  /// Counts in the values of a leaf.
  mutating func add(_ values: UnsafeMutableBufferPointer<Value>) {
    // A leaf has few scalars, so their sum needs no check.
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
