/// An immutable JSON value.
///
/// ```swift
/// let value = try Value(json: #"{"name": "Eagle", "age": 3}"#)
/// value["age"]  // .integer(3)
/// value.json    // {"age":3,"name":"Eagle"}
/// ```
///
/// A number without fraction and exponent is an ``integer(_:)``; any other number is a
/// ``real(_:)``. Strings and keys are compared by their UTF-8 bytes: U+00E9 and U+0065 U+0301
/// differ, although Swift's `String ==` treats them as equal.
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
  /// The value of a member; `nil` if this is not an object or lacks the member. O(log n).
  public subscript(key: String) -> Value? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// The kind of this value with its article, for messages: "an object".
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

extension Value {
  /// ``kindWithArticle``, or the text of a number that is not an integer: "an object", "1.5". For
  /// errors that expected another kind, such as an integer.
  package var kindOrNumber: String {
    if case .real = self { self.json } else { self.kindWithArticle }
  }
}

extension Value: Hashable {
  /// Whether both values have the same canonical text. Reals that are not finite are compared by
  /// their bits, although all are written as `null`.
  ///
  /// Skips shared subtrees. The number of comparisons of a subtree that occurs many times is
  /// bounded (`ValueComparison`).
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

  /// Whether both values are the same scalar, or the same instance of an array or object. O(1), or
  /// O(n) for strings.
  public func isIdentical(to other: Value) -> Bool {
    switch (self, other) {
    case (.array(let left), .array(let right)): left.isIdentical(to: right)
    case (.object(let left), .object(let right)): left.isIdentical(to: right)
    case (.array, _), (.object, _): false
    default: self == other
    }
  }
}

// Not `ExpressibleByNilLiteral`: a `nil` meant as `Value?` would become `.null`.
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

  /// If a key is repeated, the last value wins.
  public init(dictionaryLiteral members: (String, Value)...) {
    self = .object(JSONObject(members))
  }
}
