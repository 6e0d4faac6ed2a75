extension JSONPointer {
  /// Parses a pointer: `""` refers to the whole value, `/a~1b/0` to the first element of the member
  /// `a/b`.
  ///
  /// O(n). RFC 6901, sections 3 and 4.
  ///
  /// - Throws: ``JSONPointerError`` (`invalid`) for nonempty text that does not begin with `/`, and
  ///   for a `~` that is not followed by `0` or `1`.
  public init(_ text: String) throws(JSONPointerError) {
    self.init()
    guard let first = text.utf8.first else { return }
    guard first == UInt8(ascii: "/") else {
      let remedy = Self.slashed(text).map { "; write \(quoted($0))" } ?? ""
      throw JSONPointerError(invalid: text, "it must be empty or begin with \"/\"\(remedy)")
    }
    var rest = text.utf8.dropFirst()
    while let end = rest.firstIndex(of: UInt8(ascii: "/")) {
      self.tokens.append(try Self.unescape(rest[..<end], of: text))
      rest = rest[rest.index(after: end)...]
    }
    self.tokens.append(try Self.unescape(rest, of: text))
  }

  /// The pointer that a text without a slash probably stands for; `nil` if the text may be another
  /// kind of path, such as `items[0]` or `user.name`, or if a message would not show all of it.
  private static func slashed(_ text: String) -> String? {
    let path = text.hasPrefix("#/") ? String(text.dropFirst()) : "/" + text
    let isOther = path.utf8.contains { ".[]()*?$@#%~".utf8.contains($0) }
    return !isOther && quoted(path) == "\"\(path)\"" ? path : nil
  }

  private static func unescape(
    _ token: Substring.UTF8View, of text: String
  ) throws(JSONPointerError) -> String {
    let tilde = UInt8(ascii: "~")
    guard var index = token.firstIndex(of: tilde) else {
      return String(Substring(token))
    }
    var bytes = Array(token[..<index])
    while index < token.endIndex {
      let byte = token[index]
      let next = token.index(after: index)
      guard byte == tilde else {
        bytes.append(byte)
        index = next
        continue
      }
      switch next < token.endIndex ? token[next] : nil {
      case UInt8(ascii: "0"): bytes.append(tilde)
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default:
        let offset = text.utf8.distance(from: text.startIndex, to: index)
        throw JSONPointerError(
          invalid: text, "the \"~\" at offset \(offset) must be followed by 0 or 1")
      }
      index = token.index(after: next)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONPointerError {
  fileprivate init(invalid text: String, _ reason: String) {
    self.init(code: .invalid, message: "\(quoted(text)) is not a JSON Pointer: \(reason)")
  }
}

extension JSONPointer {
  /// The first `count` tokens as a pointer, for messages.
  func quotedPrefix(_ count: Int) -> String {
    // Messages show at most 48 characters, and each token has at least one: its "/".
    let shown = self.tokens.prefix(min(count, 64))
    return shown.isEmpty ? "the whole value" : quoted(JSONPointer(Array(shown)).description)
  }

  /// This pointer, for messages.
  var quotedText: String {
    self.quotedPrefix(self.tokens.count)
  }
}
