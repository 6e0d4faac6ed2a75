internal import CJansson

/// Makes values of jansson's, in a loop.
struct JanssonReader {
  typealias JSON = UnsafeMutablePointer<json_t>

  /// What was made of arrays and objects that may be held more than once.
  private var known: [JSON: Value] = [:]

  /// The keys of the last small objects, which others with the same keys share.
  private var keys = [KeyBlock?](repeating: nil, count: 64)

  /// An array or object that is being read.
  private struct Level {
    let json: JSON

    /// The keys in order; none of an array.
    let keys: [KeyBytes]

    /// The values, in the order of the keys.
    let parts: [JSON]

    var values: ContiguousArray<Value> = []
  }
}

extension JanssonReader {
  /// - Throws: ``JSONReadError`` for what is beyond the limits of values.
  mutating func read(_ json: JSON) throws(JSONReadError) -> Value {
    if let scalar = try Self.scalar(json) { return scalar }
    var outer: [Level] = []
    var level = try Self.enter(json)
    while true {
      if level.values.count < level.parts.count {
        let part = level.parts[level.values.count]
        if let value = try Self.scalar(part) ?? self.known[part] {
          level.values.append(value)
          continue
        }
        outer.append(level)
        // One that contains itself has no end.
        guard outer.count < ValueLimits.depth else {
          throw JSONReadError(ValueLimitError(.depth, limit: ValueLimits.depth))
        }
        level = try Self.enter(part)
        continue
      }
      let value = self.finish(level)
      if let error = value.exceededLimit { throw JSONReadError(error) }
      guard var next = outer.popLast() else { return value }
      next.values.append(value)
      level = next
    }
  }

  private static func scalar(_ json: JSON) throws(JSONReadError) -> Value? {
    switch json.pointee.type {
    case JSON_OBJECT, JSON_ARRAY: return nil
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(
        start: json_string_value(json), count: json_string_length(json))
      guard let string = String(validating: bytes, as: UTF8.self) else {
        throw .notUTF8("a string")
      }
      return .string(string)
    case JSON_INTEGER: return .integer(json_integer_value(json))
    case JSON_REAL: return .real(json_real_value(json))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }

  private static func enter(_ json: JSON) throws(JSONReadError) -> Level {
    guard json.pointee.type == JSON_OBJECT else {
      let parts = (0..<json_array_size(json)).compactMap { json_array_get(json, $0) }
      return Level(json: json, keys: [], parts: parts)
    }
    var members: [(key: KeyBytes, value: JSON)] = []
    var iterator = json_object_iter(json)
    while let member = iterator {
      if let key = json_object_iter_key(member), let value = json_object_iter_value(member) {
        let bytes = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(member))
        try self.check(key: bytes)
        members.append((KeyBytes(bytes), value))
      }
      iterator = json_object_iter_next(json, member)
    }
    members.sort { $0.key.compare($1.key) < 0 }
    return Level(json: json, keys: members.map(\.key), parts: members.map(\.value))
  }

  private static func check(key: UnsafeRawBufferPointer) throws(JSONReadError) {
    if key.contains(0) { throw JSONReadError(ObjectKeyError()) }
    guard key.allSatisfy({ $0 < 0x80 }) || String(validating: key, as: UTF8.self) != nil else {
      throw .notUTF8("a key")
    }
  }

  private mutating func finish(_ level: Level) -> Value {
    let value: Value
    if level.json.pointee.type == JSON_ARRAY {
      value = .array(JSONArray(root: .build(level.values)))
    } else if let keys = self.shared(level.keys) {
      let root = Node.leaf(keys: keys, count: keys.count) { level.values[$0] }
      value = .object(JSONObject(root: root))
    } else {
      var object = JSONObject()
      for (key, part) in zip(level.keys, level.values) {
        object.put(part, at: key)
      }
      value = .object(object)
    }
    // What is referred to once is not met again.
    if level.json.pointee.refcount > 1 {
      self.known[level.json] = value
    }
    return value
  }

  /// A block of these keys; `nil` if there are none, or more than a leaf has.
  private mutating func shared(_ keys: [KeyBytes]) -> KeyBlock? {
    guard let first = keys.first, keys.count <= Node.mostParts else { return nil }
    let mixed = (first.prefix ^ UInt64(keys.count)) &* 0x9E37_79B9_7F4A_7C15
    let place = Int(mixed >> 58)
    if let block = self.keys[place], block.has(keys) { return block }
    let block = KeyBlock.make(keys)
    self.keys[place] = block
    return block
  }
}

extension KeyBlock {
  fileprivate func has(_ keys: [KeyBytes]) -> Bool {
    self.count == keys.count
      && keys.indices.allSatisfy { index in
        self.withKey(at: index) { $0.compare(keys[index]) == 0 }
      }
  }
}

extension JSONReadError {
  fileprivate static func notUTF8(_ what: String) -> JSONReadError {
    JSONReadError(code: .invalid, message: "\(what) is not UTF-8", line: 0, column: 0, offset: 0)
  }
}
