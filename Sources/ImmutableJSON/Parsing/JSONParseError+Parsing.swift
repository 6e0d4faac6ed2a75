internal import CJanssonFunctions
internal import CScan

extension JSONParseError {
  /// Creates the error for a text that the parser rejected.
  ///
  /// Most messages are jansson's. To get one, jansson parses the offending token after the shortest
  /// text with the same grammatical context, which takes neither the memory nor the stack of the
  /// whole text.
  init(_ failure: JSONParser.Failure, in text: UnsafeRawBufferPointer) {
    let (token, stop) = (failure.token, failure.stop)
    switch failure.reason {
    case .depth:
      let error = ValueLimitError(.depth, limit: ValueLimits.depth)
      self.init(.limit, error.description, at: token + 1, in: text)
    case .text where stop < text.count && text[stop] == 0:
      self.init(
        .invalid, "it contains a NUL byte, check its length", at: stop + 1, in: text)
    case .text where token == 0 && text.starts(with: [0xEF, 0xBB, 0xBF]):
      self.init(
        .invalid, "it starts with a byte order mark (U+FEFF), remove it", at: 3, in: text)
    case .text where token == text.count && failure.context == .top:
      let message = text.isEmpty ? "the text is empty" : "the text contains only white space"
      self.init(.invalid, message, at: text.count, in: text)
    case .text:
      let near = text[token..<text.endOfToken(from: token, stop)]
      self.init(
        jansson: near, after: failure.context.prefix, at: token,
        hint: text.hint(at: token, failure.context), in: text)
    }
  }

  private init(
    jansson rest: Slice<UnsafeRawBufferPointer>, after prefix: StaticString, at token: Int,
    hint: String, in text: UnsafeRawBufferPointer
  ) {
    var input: [UInt8] = []
    prefix.withUTF8Buffer { input.append(contentsOf: $0) }
    input.append(contentsOf: rest)
    var error = json_error_t()
    let flags = Int(JSON_DECODE_ANY | JSON_ALLOW_NUL)
    // jansson's numbers are overflows or not in the rounding mode of the thread.
    let mode = scan_round_to_nearest()
    let root = input.withUnsafeBytes { input in
      bound.json_loadb(
        input.baseAddress?.assumingMemoryBound(to: CChar.self), input.count, flags, &error)
    }
    scan_set_rounding(mode)
    jansson_decref(root)
    let code = json_error_code(&error)
    let message = withUnsafeBytes(of: &error.text) { text in
      code == json_error_null_byte_in_key
        ? ObjectKeyError().description : String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard root == nil, code != json_error_out_of_memory else {
      self.init(.invalid, "unexpected text", at: token + 1, in: text)
      return
    }
    let read = Int(error.position) - prefix.utf8CodeUnitCount + token
    let isTooLarge = code == json_error_numeric_overflow
    self.init(
      isTooLarge ? .limit : .invalid,
      isTooLarge
        ? "\(message); integers have 64 bits, other numbers are doubles" : message + hint,
      // jansson's position is before a byte that is not UTF-8, but after any other offending byte.
      at: read, isUnread: code == json_error_invalid_utf8, in: text)
  }

  /// - Parameter offset: The number of bytes up to and including the offending one; excluding it if
  ///   `isUnread`.
  private init(
    _ code: Code, _ message: String, at offset: Int, isUnread: Bool = false,
    in text: UnsafeRawBufferPointer
  ) {
    let before = text[..<min(max(offset, 0), text.count)]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let unread = isUnread ? 1 : 0
    self.code = code
    self.message = message
    self.offset = before.count + unread
    self.line = before.count { $0 == UInt8(ascii: "\n") } + 1
    self.column = max(before[start...].count { $0 & 0xC0 != 0x80 } + unread, 1)
  }
}

extension JSONParser.Context {
  /// The shortest text after which the same tokens are allowed.
  fileprivate var prefix: StaticString {
    switch self {
    case .top: ""
    case .firstElement: "["
    case .element: "[0,"
    case .member: "{\"\":"
    case .firstKey: "{"
    case .key: "{\"\":0,"
    case .end: "0 "
    case .elementEnd: "[0 "
    case .keyEnd: "{\"\" "
    case .memberEnd: "{\"\":0 "
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The end of the text that jansson scans before it rejects a token: the end of the string,
  /// number or word, and of a multi-byte character.
  fileprivate func endOfToken(from token: Int, _ stop: Int) -> Int {
    var end = stop
    if token < self.count, self[token] == UInt8(ascii: "\"") {
      end = self.endOfString(from: token) ?? self.count
    } else {
      while end < self.count, self[end].isPartOfWord {
        end += 1
      }
    }
    return Swift.min(end + 4, self.count)
  }
}
