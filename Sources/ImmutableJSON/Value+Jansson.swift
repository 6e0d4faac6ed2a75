package import CJansson

extension Value {
  /// Makes a value of jansson's. O(n).
  ///
  /// - Throws: ``JSONReadError`` if it is beyond ``ValueLimits``, as one is that contains itself, or
  ///   if a key has U+0000 in it.
  package init(jansson json: UnsafePointer<json_t>) throws(JSONReadError) {
    var shapes = Shapes()
    self = try Value(jansson: json, &shapes)
  }

  /// Makes a value of jansson's, whose objects share their keys with those that had the same.
  package init(
    jansson json: UnsafePointer<json_t>, _ shapes: inout Shapes
  ) throws(JSONReadError) {
    self = try shapes.read(UnsafeMutablePointer(mutating: json), depth: Self.maximumDepth)
    if let error = self.exceededLimit {
      throw JSONReadError(
        code: .limit, message: error.description, line: 0, column: 0, offset: 0)
    }
  }

  /// Makes a value of jansson's, owned by the caller; `nil` if there is no memory. O(n).
  package func makeJansson() -> UnsafeMutablePointer<json_t>? {
    switch self {
    case .null: return json_null()
    case .bool(let value): return value ? json_true() : json_false()
    case .integer(let value): return json_integer(value)
    case .real(let value): return json_real(value)
    case .string(var value):
      return value.withUTF8 { json_stringn_nocheck($0.baseAddress, $0.count) }
    case .array(let elements):
      guard let array = json_array() else { return nil }
      for element in elements.values {
        json_array_append_new(array, element.makeJansson())
      }
      return array
    case .object(let members):
      guard let object = json_object() else { return nil }
      for (key, value) in members {
        json_object_set_new_nocheck(object, key, value.makeJansson())
      }
      return object
    }
  }
}
