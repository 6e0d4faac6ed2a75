internal import CJansson

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Value {
  /// The deepest nesting of arrays and objects that is read: jansson's.
  public static var maximumDepth: Int { 2048 }

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
    var shapes = Shapes()
    try self.init(json: text, &shapes)
  }

  /// The same, for a text whose objects may have the same keys as those of another.
  package init(
    json text: UnsafeRawBufferPointer, _ shapes: inout Shapes
  ) throws(JSONReadError) {
    // An empty buffer may have no address; jansson wants one.
    let empty: StaticString = ""
    let start = (text.baseAddress ?? UnsafeRawPointer(empty.utf8Start))
      .assumingMemoryBound(to: CChar.self)
    // jansson takes a NUL after a number for the end of the text.
    if let nul = memchr(start, 0, text.count) {
      throw JSONReadError(nulAt: UnsafeRawPointer(nul) - UnsafeRawPointer(start), in: text)
    }
    let flags = Int(JSON_DECODE_ANY | JSON_ALLOW_NUL)
    var error = json_error_t()
    guard let root = json_loadb(start, text.count, flags, &error) else {
      throw JSONReadError(error)
    }
    defer { json_decref(root) }
    self = try Value(jansson: root, &shapes)
  }
}

extension JSONReadError {
  fileprivate init(_ error: json_error_t) {
    var error = error
    let code = json_error_code(&error)
    let text = withUnsafeBytes(of: &error.text) { text in
      String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
    // jansson stops before a byte that is not UTF-8, and behind anything else. Its column is 0 where
    // the text ends with a line.
    let unread = code == json_error_invalid_utf8 ? 1 : 0
    self.line = Int(error.line)
    self.column = max(Int(error.column) + unread, 1)
    self.offset = Int(error.position) + unread
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
