internal import CJanssonFunctions

/// Converts a jansson value to a ``Value``, iteratively.
///
/// As in ``JSONParser``, complete values stay on a stack until the enclosing array or object is
/// closed.
final class JanssonReader {
  typealias JSON = UnsafeMutablePointer<json_t>

  private var values = ParseStack<Value>()

  /// The keys of the open objects. Their bytes are owned by jansson.
  private var keys = ParseStack<KeyBytes>()

  private var shapes = ShapeCache()

  /// The open arrays and objects.
  private var containers = ParseStack<Container>()

  /// The converted arrays and objects that may be referenced again.
  private var converted: [JSON: Value] = [:]

  private struct Container {
    let json: JSON

    /// The heights of the stacks when it was opened.
    let firstValue: Int
    let firstKey: Int

    /// The next element of an array, or the next member of an object.
    var index = 0
    var member: UnsafeMutableRawPointer?

    var isObject: Bool { self.json.pointee.type == JSON_OBJECT }
  }
}

extension JanssonReader {
  /// - Throws: ``JSONParseError`` for a value that is not JSON, or exceeds the limits of values.
  func read(_ json: JSON) throws(JSONParseError) -> Value {
    try self.begin(json)
    while var container = self.containers.pop() {
      if let part = try self.next(of: &container) {
        self.containers.push(container)
        try self.begin(part)
      } else {
        try self.end(container)
      }
    }
    return self.values.pop() ?? .null
  }

  /// Converts a scalar, or opens an array or object that is not converted yet.
  private func begin(_ json: JSON) throws(JSONParseError) {
    if let value = try Self.scalar(json) ?? self.converted[json] {
      return try self.append(value)
    }
    // Also stops at a value that contains itself.
    guard self.containers.count < ValueLimits.depth else {
      throw JSONParseError(ValueLimitError(.depth, limit: ValueLimits.depth))
    }
    self.containers.push(
      Container(
        json: json, firstValue: self.values.count, firstKey: self.keys.count,
        member: bound.json_object_iter(json)))
  }

  /// Returns the next element or member. Pushes the key of a member.
  private func next(of container: inout Container) throws(JSONParseError) -> JSON? {
    guard container.isObject else {
      defer { container.index += 1 }
      return bound.json_array_get(container.json, container.index)
    }
    guard let member = container.member, let value = bound.json_object_iter_value(member) else {
      return nil
    }
    let key = UnsafeRawBufferPointer(
      start: bound.json_object_iter_key(member), count: bound.json_object_iter_key_len(member))
    try Self.check(key: key)
    self.keys.push(KeyBytes(key))
    container.member = bound.json_object_iter_next(container.json, member)
    return value
  }

  /// Creates an array or object from the values and keys pushed since it was opened.
  private func end(_ container: Container) throws(JSONParseError) {
    let values = self.values.elements(from: container.firstValue)
    let value: Value
    if container.isObject {
      let keys = self.keys.elements(from: container.firstKey)
      value = .object(JSONObject(root: self.shapes.makeTree(keys, moving: values)))
      self.keys.dropMoved(from: container.firstKey)
    } else {
      value = .array(JSONArray(root: .build(moving: values)))
    }
    self.values.dropMoved(from: container.firstValue)
    // A value with one reference cannot occur again.
    if container.json.pointee.refcount > 1 {
      self.converted[container.json] = value
    }
    try self.append(value)
  }

  /// Pushes a complete value.
  private func append(_ value: Value) throws(JSONParseError) {
    if let error = value.exceededLimit { throw JSONParseError(error) }
    self.values.push(value)
  }

  private static func scalar(_ json: JSON) throws(JSONParseError) -> Value? {
    switch json.pointee.type {
    case JSON_OBJECT, JSON_ARRAY: return nil
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(
        start: bound.json_string_value(json), count: bound.json_string_length(json))
      guard let string = String(validating: bytes, as: UTF8.self) else {
        throw .notUTF8("a string")
      }
      return .string(string)
    case JSON_INTEGER: return .integer(bound.json_integer_value(json))
    case JSON_REAL: return .real(bound.json_real_value(json))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }

  private static func check(key: UnsafeRawBufferPointer) throws(JSONParseError) {
    if key.contains(0) { throw JSONParseError(ObjectKeyError()) }
    guard key.allSatisfy({ $0 < 0x80 }) || String(validating: key, as: UTF8.self) != nil else {
      throw .notUTF8("a key")
    }
  }
}

extension JSONParseError {
  fileprivate static func notUTF8(_ what: String) -> JSONParseError {
    JSONParseError(code: .invalid, message: "\(what) is not UTF-8", line: 0, column: 0, offset: 0)
  }
}
