import CJansson

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
    self = Value(root)
  }

  /// Converts a value that jansson has read, which bounds the depth of this recursion.
  private init(_ json: UnsafeMutablePointer<json_t>) {
    switch json.pointee.type {
    case JSON_OBJECT:
      var members: [(String, Value)] = []
      members.reserveCapacity(json_object_size(json))
      var iterator = json_object_iter(json)
      while let position = iterator {
        if let key = json_object_iter_key(position), let value = json_object_iter_value(position) {
          members.append((String(cString: key), Value(value)))
        }
        iterator = json_object_iter_next(json, position)
      }
      self = .object(JSONObject(members))
    case JSON_ARRAY:
      self = .array(
        JSONArray(
          (0..<json_array_size(json)).lazy.map { index in
            json_array_get(json, index).map { Value($0) } ?? .null
          }))
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(
        start: json_string_value(json), count: json_string_length(json))
      self = .string(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER:
      self = .integer(json_integer_value(json))
    case JSON_REAL:
      self = .real(json_real_value(json))
    case JSON_TRUE:
      self = .bool(true)
    case JSON_FALSE:
      self = .bool(false)
    default:
      self = .null
    }
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
