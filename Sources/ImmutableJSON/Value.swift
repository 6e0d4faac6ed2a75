/// An immutable JSON value.
///
/// ```swift
/// let value = try Value(json: #"{"name": "Eagle", "age": 3}"#)
/// value["age"]  // .integer(3)
/// value.json    // {"age":3,"name":"Eagle"}
/// ```
///
/// A number without fraction and exponent is an ``integer(_:)``, any other a ``real(_:)``. Strings
/// and keys are compared by their UTF-8 bytes: U+00E9 and U+0065 U+0301 differ, though Swift's
/// `String ==` would call them equal.
public enum Value: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array(JSONArray)
  case object(JSONObject)
}

extension Value {
  /// What the value of a member is, if this is an object that has it. O(log n).
  public subscript(key: String) -> Value? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// What kind of value this is, with its article, as messages name it: "an object".
  public var kindWithArticle: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .real: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension Value: Hashable {
  /// Whether both write the same bytes. Shared parts are not looked at.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .string(let value): hasher.combine(utf8: value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }

  /// Whether both are known without a look to be equal: the same scalar, or one and the same array
  /// or object. O(1), but for strings.
  public func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)): left.isIdentical(to: right)
    case (.object(let left), .object(let right)): left.isIdentical(to: right)
    case (.array, _), (.object, _): false
    default: self == other
    }
  }
}

extension Hasher {
  /// Feeds the bytes of a string, not (as `combine` would) what its normal form has.
  mutating func combine(utf8 string: String) {
    var string = string
    string.withUTF8 { self.combine(bytes: UnsafeRawBufferPointer($0)) }
    self.combine(0xFF as UInt8)
  }
}

// Not by nil: where a `Value?` is meant, `nil` would become `.null`.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }

  public init(integerLiteral value: Int64) {
    self = .integer(value)
  }

  public init(floatLiteral value: Double) {
    self = .real(value)
  }

  public init(stringLiteral value: String) {
    self = .string(value)
  }

  public init(arrayLiteral elements: Value...) {
    self = .array(JSONArray(elements))
  }

  /// Of a key that stands twice the last value counts.
  public init(dictionaryLiteral members: (String, Value)...) {
    self = .object(JSONObject(members))
  }
}
