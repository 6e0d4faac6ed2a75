import ImmutableJSON

/// Kinds of values. A number without a fraction is an integer, also if it is written as 1.0.
struct SchemaKinds: OptionSet, Sendable {
  let rawValue: UInt8

  static let null = SchemaKinds(rawValue: 1)
  static let boolean = SchemaKinds(rawValue: 2)
  static let integer = SchemaKinds(rawValue: 4)
  static let fraction = SchemaKinds(rawValue: 8)
  static let string = SchemaKinds(rawValue: 16)
  static let array = SchemaKinds(rawValue: 32)
  static let object = SchemaKinds(rawValue: 64)
  static let all = SchemaKinds(rawValue: 127)

  static let collections: SchemaKinds = [.array, .object]
}

extension SchemaKinds {
  static let names = ["array", "boolean", "integer", "null", "number", "object", "string"]

  /// The kinds of a name that the keyword `type` takes.
  init?(named name: String) {
    switch name {
    case "null": self = .null
    case "boolean": self = .boolean
    case "integer": self = .integer
    case "number": self = [.integer, .fraction]
    case "string": self = .string
    case "array": self = .array
    case "object": self = .object
    default: return nil
    }
  }

  init(of value: Value) {
    switch value {
    case .null: self = .null
    case .bool: self = .boolean
    case .integer: self = .integer
    case .real(let real): self = real.isIntegral ? .integer : .fraction
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }

  /// `a string`, `an integer or null`.
  var description: String {
    var names: [String] = []
    if self.contains(.boolean) { names.append("a boolean") }
    if self.contains(.fraction) {
      names.append("a number")
    } else if self.contains(.integer) {
      names.append("an integer")
    }
    if self.contains(.string) { names.append("a string") }
    if self.contains(.array) { names.append("an array") }
    if self.contains(.object) { names.append("an object") }
    if self.contains(.null) { names.append("null") }
    guard let last = names.popLast() else { return "no value" }
    return names.isEmpty ? last : "\(names.joined(separator: ", ")) or \(last)"
  }
}

extension Double {
  /// Whether the number has no fraction. Decided by its bits: the program may have set flags that
  /// make subnormal numbers equal to 0.
  fileprivate var isIntegral: Bool {
    guard self.bitPattern << 1 != 0 else { return true }
    return self.isFinite && self.isNormal && self.exponent >= self.significandWidth
  }
}
