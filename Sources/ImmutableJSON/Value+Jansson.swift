package import CJansson

extension Value {
  /// Makes a value of jansson's. O(n).
  ///
  /// - Throws: ``JSONReadError`` if it is beyond ``ValueLimits``, as one is that contains itself, or
  ///   if a key has U+0000 in it.
  package init(jansson json: UnsafePointer<json_t>) throws(JSONReadError) {
    self = try Value(jansson: UnsafeMutablePointer(mutating: json), depth: ValueLimits.depth)
    if let error = self.exceededLimit { throw JSONReadError(error) }
  }

  private init(
    jansson json: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(JSONReadError) {
    switch json.pointee.type {
    case JSON_OBJECT:
      guard depth > 0 else { throw .depth }
      var object = JSONObject()
      var iterator = json_object_iter(json)
      while let member = iterator {
        if let key = json_object_iter_key(member), let value = json_object_iter_value(member) {
          let bytes = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(member))
          let key = String(decoding: bytes, as: UTF8.self)
          if let error = ObjectKeyError(key) { throw JSONReadError(error) }
          object[key] = try Value(jansson: value, depth: depth - 1)
        }
        iterator = json_object_iter_next(json, member)
      }
      self = .object(object)
    case JSON_ARRAY:
      guard depth > 0 else { throw .depth }
      var elements: [Value] = []
      for index in 0..<json_array_size(json) {
        guard let element = json_array_get(json, index) else { break }
        elements.append(try Value(jansson: element, depth: depth - 1))
      }
      self = .array(JSONArray(elements))
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(
        start: json_string_value(json), count: json_string_length(json))
      self = .string(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER: self = .integer(json_integer_value(json))
    case JSON_REAL: self = .real(json_real_value(json))
    case JSON_TRUE: self = .bool(true)
    case JSON_FALSE: self = .bool(false)
    default: self = .null
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

extension JSONReadError {
  fileprivate static var depth: JSONReadError {
    JSONReadError(ValueLimitError(.depth, limit: ValueLimits.depth))
  }
}
