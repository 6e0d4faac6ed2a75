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
  /// Whether both write the same bytes. Parts that both share are not looked at, and a part that one
  /// holds many times is looked at once, or a limited number of times (``ValueComparison``).
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
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
