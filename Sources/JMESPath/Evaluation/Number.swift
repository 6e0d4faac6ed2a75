import ImmutableJSON

/// A number. 1 and 1.0 are equal.
enum Number {
  case integer(Int64)
  case real(Double)

  init?(_ value: Value) {
    switch value {
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    default: return nil
    }
  }

  var value: Value {
    switch self {
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    }
  }
}

extension Number: Comparable {
  static func == (left: Number, right: Number) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.order == right.order
    // Exact: 9007199254740993 does not equal 9007199254740992.0, although it would as a double.
    case (.integer(let left), .real(let right)): Int64(equalTo: right) == left
    case (.real(let left), .integer(let right)): Int64(equalTo: left) == right
    }
  }

  static func < (left: Number, right: Number) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left.order < right.order
    case (.integer(let left), .real(let right)): Self.isLess(left, right)
    case (.real(let left), .integer(let right)): Self.isLess(left, right)
    }
  }

  private static func isLess(_ left: Int64, _ right: Double) -> Bool {
    let double = Double(left)
    // If they seem equal, `left` may have been rounded, or `right` may be 2^63.
    guard double.order == right.order else { return double.order < right.order }
    return Int64(equalTo: right).map { left < $0 } ?? true
  }

  private static func isLess(_ left: Double, _ right: Int64) -> Bool {
    let double = Double(right)
    guard left.order == double.order else { return left.order < double.order }
    return Int64(equalTo: left).map { $0 < right } ?? false
  }
}

extension Number {
  /// Parses a number in JSON syntax.
  init?(text: String) {
    let isNumber = text.utf8.isJSONNumber
    if isNumber, let integer = Int64(text) {
      self = .integer(integer)
    } else if isNumber, let real = Double(nearest: text) {
      self = .real(real)
    } else {
      return nil
    }
  }

  var magnitude: Number {
    switch self {
    case .integer(let value): Int64(exactly: value.magnitude).map { .integer($0) } ?? .real(0x1p63)
    case .real(let value): .real(value.magnitude)
    }
  }

  /// The ceiling, as an integer if it fits in 64 bits.
  var roundedUp: Number {
    self.truncated { Double($0).order < $1.order ? 1 : 0 }
  }

  /// The floor, as an integer if it fits in 64 bits.
  var roundedDown: Number {
    self.truncated { Double($0).order > $1.order ? -1 : 0 }
  }

  /// Truncates the fraction and adds a correction. Unlike `rounded()`, this does not require libm.
  private func truncated(_ correction: (Int64, Double) -> Int64) -> Number {
    // From 2^53 on, a double has no fraction, and the correction is 0.
    guard case .real(let value) = self, value >= -0x1p63, value < 0x1p63 else { return self }
    let integer = Int64(value)
    return .integer(integer &+ correction(integer, value))
  }
}

extension Int64 {
  /// The integer equal to a double. `init(exactly:)` would require libm.
  fileprivate init?(equalTo value: Double) {
    guard value >= -0x1p63, value < 0x1p63 else { return nil }
    let integer = Int64(value)
    guard Double(integer).order == value.order else { return nil }
    self = integer
  }
}

extension String.UTF8View {
  /// Whether this is a number in JSON syntax (RFC 8259, section 6).
  fileprivate var isJSONNumber: Bool {
    var rest = self[...]
    rest.take("-")
    if !rest.take("0") {
      guard rest.takeDigits() else { return false }
    }
    if rest.take(".") {
      guard rest.takeDigits() else { return false }
    }
    if rest.take("e") || rest.take("E") {
      if !rest.take("+") {
        rest.take("-")
      }
      guard rest.takeDigits() else { return false }
    }
    return rest.isEmpty
  }
}

extension Substring.UTF8View {
  @discardableResult
  fileprivate mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard self.first == UInt8(ascii: letter) else { return false }
    self.removeFirst()
    return true
  }

  /// Takes all digits.
  ///
  /// - Returns: Whether there was at least one.
  fileprivate mutating func takeDigits() -> Bool {
    let rest = self.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    defer { self = rest }
    return rest.startIndex != self.startIndex
  }
}
