import CJansson

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Value {
  /// The deepest nesting of arrays and objects that is read: jansson's.
  public static let maximumDepth = 2048

  /// Reads JSON text (RFC 8259), a scalar at the top included.
  public init(json text: String) throws(JSONReadError) {
    var text = text
    self = try text.withUTF8 { utf8 in
      Result { () throws(JSONReadError) in try Value(json: UnsafeRawBufferPointer(utf8)) }
    }.get()
  }

  /// Reads JSON text (RFC 8259), a scalar at the top included. O(n).
  ///
  /// - Throws: ``JSONReadError``, with the position, for text that is no UTF-8 or no JSON, nests
  ///   deeper than ``maximumDepth``, or has an integer beyond 64 bits or a number beyond a double.
  public init(json text: UnsafeRawBufferPointer) throws(JSONReadError) {
    // jansson takes a NUL after a number for the end of the text.
    if let offset = text.firstIndex(of: 0) {
      throw JSONReadError(nulAt: offset, in: text)
    }
    // An empty buffer may have no address; jansson wants one.
    let empty: StaticString = ""
    let start = (text.baseAddress ?? UnsafeRawPointer(empty.utf8Start))
      .assumingMemoryBound(to: CChar.self)
    let flags = Int(JSON_DECODE_ANY | JSON_ALLOW_NUL)
    var error = json_error_t()
    guard let root = json_loadb(start, text.count, flags, &error) else {
      throw JSONReadError(error)
    }
    defer { json_decref(root) }
    var reader = Reader()
    self = reader.read(root)
  }
}

/// Converts what jansson has read, which bounds the depth of the recursion here.
private struct Reader {
  /// The keys that objects had, by their number, so that the records of a list share theirs.
  private var shapes = [Shape?](repeating: nil, count: Node.capacity + 1)

  fileprivate struct Shape {
    let keys: KeyBlock

    /// For each member in the order of the text, its slot in the order of keys.
    let slots: [Int]
  }

  mutating func read(_ json: UnsafeMutablePointer<json_t>) -> Value {
    switch json.pointee.type {
    case JSON_OBJECT: return .object(self.readObject(json))
    case JSON_ARRAY: return .array(self.readArray(json))
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(
        start: json_string_value(json), count: json_string_length(json))
      return .string(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER: return .integer(json_integer_value(json))
    case JSON_REAL: return .real(json_real_value(json))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }

  private mutating func readArray(_ json: UnsafeMutablePointer<json_t>) -> JSONArray {
    let count = json_array_size(json)
    var elements: ContiguousArray<Value> = []
    elements.reserveCapacity(count)
    for index in 0..<count {
      elements.append(json_array_get(json, index).map { self.read($0) } ?? .null)
    }
    return JSONArray(root: .build(elements))
  }

  private mutating func readObject(_ json: UnsafeMutablePointer<json_t>) -> JSONObject {
    var keys: [KeyBytes] = []
    var values: ContiguousArray<Value> = []
    keys.reserveCapacity(json_object_size(json))
    values.reserveCapacity(json_object_size(json))
    var iterator = json_object_iter(json)
    while let member = iterator {
      if let key = json_object_iter_key(member), let value = json_object_iter_value(member) {
        keys.append(KeyBytes(UnsafeRawBufferPointer(start: key, count: strlen(key))))
        values.append(self.read(value))
      }
      iterator = json_object_iter_next(json, member)
    }
    return JSONObject(root: self.node(keys, values))
  }

  private mutating func node(_ keys: [KeyBytes], _ values: ContiguousArray<Value>) -> Node? {
    if keys.count < self.shapes.count, let shape = self.shapes[keys.count], shape.fits(keys) {
      return Node(keys: shape.keys, values: shape.sorted(values))
    }
    // jansson keeps the last of equal keys, so these are all different.
    let order = keys.indices.sorted { keys[$0].compare(keys[$1]) < 0 }
    let node = Node.build(order.map { keys[$0] }, ContiguousArray(order.map { values[$0] }))
    if let node, node.isLeaf, let block = node.keys {
      var slots = order
      for (slot, index) in order.enumerated() {
        slots[index] = slot
      }
      self.shapes[keys.count] = Shape(keys: block, slots: slots)
    }
    return node
  }
}

extension Reader.Shape {
  func fits(_ keys: [KeyBytes]) -> Bool {
    zip(keys, self.slots).allSatisfy { key, slot in
      self.keys.withKey(at: slot) { $0.compare(key) == 0 }
    }
  }

  func sorted(_ values: ContiguousArray<Value>) -> ContiguousArray<Value> {
    var sorted = values
    for (index, slot) in self.slots.enumerated() {
      sorted[slot] = values[index]
    }
    return sorted
  }
}

extension JSONReadError {
  fileprivate init(_ error: json_error_t) {
    var error = error
    let code = json_error_code(&error)
    let text = withUnsafeBytes(of: &error.text) { text in
      String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.line = Int(error.line)
    self.column = Int(error.column)
    self.offset = Int(error.position)
    self.code =
      code == json_error_numeric_overflow || code == json_error_stack_overflow
      ? .limit : .invalid
    self.message = text
  }

  fileprivate init(nulAt offset: Int, in text: UnsafeRawBufferPointer) {
    let before = text[..<offset]
    let line = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    self.line = line.count
    self.column = (line.last?.count { $0 & 0xC0 != 0x80 } ?? 0) + 1
    self.offset = offset + 1
    self.code = .invalid
    self.message = "there is a NUL byte in it, check its length"
  }
}
