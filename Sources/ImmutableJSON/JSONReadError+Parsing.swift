internal import CJansson

extension JSONReadError {
  /// The error for a text that the parser refused.
  ///
  /// jansson has the words. It is given the token that does not fit, behind the least text that has
  /// the same effect as all that stands before: so it needs neither the memory nor the stack that the
  /// whole text would take.
  init(_ failure: JSONParser.Failure, in text: UnsafeRawBufferPointer) {
    let (token, stop) = (failure.token, failure.stop)
    switch failure.reason {
    case .depth:
      self.init(.limit, "nesting deeper than \(Value.maximumDepth)", at: token + 1, in: text)
    case .text where stop < text.count && text[stop] == 0:
      self.init(
        .invalid, "there is a NUL byte in it, check its length", at: stop + 1, in: text)
    case .text:
      // It may look ahead to name what it found.
      let near = text[token..<min(stop + 64, text.count)]
      self.init(jansson: near, behind: failure.context.prefix, at: token, in: text)
    }
  }

  private init(
    jansson rest: Slice<UnsafeRawBufferPointer>, behind prefix: StaticString, at token: Int,
    in text: UnsafeRawBufferPointer
  ) {
    var input: [UInt8] = []
    prefix.withUTF8Buffer { input.append(contentsOf: $0) }
    input.append(contentsOf: rest)
    var error = json_error_t()
    let flags = Int(JSON_DECODE_ANY | JSON_ALLOW_NUL)
    let root = input.withUnsafeBytes { input in
      json_loadb(
        input.baseAddress?.assumingMemoryBound(to: CChar.self), input.count, flags, &error)
    }
    json_decref(root)
    let code = json_error_code(&error)
    // jansson stops before a byte that is not UTF-8, and behind anything else.
    let unread = code == json_error_invalid_utf8 ? 1 : 0
    let offset = Int(error.position) + unread - prefix.utf8CodeUnitCount + token
    let words = withUnsafeBytes(of: &error.text) { text in
      String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard root == nil, code != json_error_out_of_memory else {
      self.init(.invalid, "unexpected text", at: token + 1, in: text)
      return
    }
    self.init(
      code == json_error_numeric_overflow ? .limit : .invalid, words,
      at: min(max(offset, 0), text.count), in: text)
  }

  private init(_ code: Code, _ message: String, at offset: Int, in text: UnsafeRawBufferPointer) {
    self.code = code
    self.message = message
    self.offset = offset
    let before = text[..<offset]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    self.line = before.count { $0 == UInt8(ascii: "\n") } + 1
    self.column = max(before[start...].count { $0 & 0xC0 != 0x80 }, 1)
  }
}

extension JSONParser.Context {
  /// The shortest text behind which the same may stand.
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
