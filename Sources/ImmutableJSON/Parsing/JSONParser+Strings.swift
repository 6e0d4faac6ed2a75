internal import CScan

extension JSONParser {
  /// Parses a string value.
  func parseString(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) {
    // The scan validated the bytes.
    if let bytes = try self.parseCharacters(&at, end, context) {
      self.values.push(.string(String(copying: UTF8Span(unchecked: bytes.span))))
    } else {
      let string = self.unescaped.withUnsafeBufferPointer {
        String(copying: UTF8Span(unchecked: $0.span))
      }
      self.values.push(.string(string))
    }
  }

  /// Parses a key and the colon after it.
  func parseKey(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) {
    let start = at
    guard at < end, at.pointee == UInt8(ascii: "\"") else { throw self.failure(at, at, context) }
    if let bytes = try self.parseCharacters(&at, end, context) {
      self.keys.push(KeyBytes(bytes, before: end))
    } else {
      guard !self.unescaped.contains(0) else { throw self.failure(start, at, context) }
      self.keys.push(KeyBytes(self.unescapedKeys.add(self.unescaped)))
    }
    skipWhitespace(&at, end)
    guard at < end, at.pointee == UInt8(ascii: ":") else { throw self.failure(at, at, .keyEnd) }
    at += 1
  }

  /// Parses a string, with `at` on its opening quotation mark.
  ///
  /// - Returns: The bytes of the string, a part of the text; `nil` if it has escapes. Then
  ///   ``unescaped`` has the bytes, until the next string is parsed.
  @inline(__always)
  private func parseCharacters(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) -> UnsafeBufferPointer<UInt8>? {
    let token = at
    at += 1
    let start = at
    at = scan_characters(at, end)
    guard at < end, at.pointee == UInt8(ascii: "\"") else {
      at = try self.unescape(token, at, end, context)
      return nil
    }
    at += 1
    return UnsafeBufferPointer(start: start, count: at - 1 - start)
  }

  /// Decodes a string with escapes to ``unescaped``.
  ///
  /// - Parameter stop: The first backslash or invalid byte of the string.
  /// - Returns: The end of the string.
  private func unescape(
    _ token: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ context: Context
  ) throws(Failure) -> UnsafePointer<UInt8> {
    self.unescaped.removeAll(keepingCapacity: true)
    var (start, at) = (token + 1, stop)
    while true {
      self.unescaped.append(contentsOf: UnsafeBufferPointer(start: start, count: at - start))
      guard at < end else { throw self.failure(token, at, context) }
      if at.pointee == UInt8(ascii: "\"") { return at + 1 }
      guard at.pointee == UInt8(ascii: "\\"), at + 1 < end else {
        throw self.failure(token, at, context)
      }
      at += 1
      guard self.unescapeOne(&at, end) else { throw self.failure(token, at, context) }
      start = at
      at = scan_characters(at, end)
    }
  }

  /// Decodes the escape after a backslash.
  ///
  /// - Returns: Whether the escape is valid.
  private func unescapeOne(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> Bool {
    let letter = at.pointee
    at += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): self.unescaped.append(letter)
    case UInt8(ascii: "b"): self.unescaped.append(0x08)
    case UInt8(ascii: "f"): self.unescaped.append(0x0C)
    case UInt8(ascii: "n"): self.unescaped.append(0x0A)
    case UInt8(ascii: "r"): self.unescaped.append(0x0D)
    case UInt8(ascii: "t"): self.unescaped.append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = unicodeScalar(&at, end) else { return false }
      self.unescaped.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    default: return false
    }
    return true
  }
}

/// Parses the four hexadecimal digits of an escape and, for a surrogate pair, the second escape.
private func unicodeScalar(
  _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
) -> Unicode.Scalar? {
  guard let high = codeUnit(&at, end) else { return nil }
  if let scalar = Unicode.Scalar(high) { return scalar }
  guard UTF16.isLeadSurrogate(high), end - at >= 2, at[0] == UInt8(ascii: "\\"),
    at[1] == UInt8(ascii: "u")
  else { return nil }
  at += 2
  guard let low = codeUnit(&at, end), UTF16.isTrailSurrogate(low) else { return nil }
  return Unicode.Scalar(0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF)))
}

private func codeUnit(
  _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
) -> UInt16? {
  guard end - at >= 4 else { return nil }
  var unit: UInt16 = 0
  for _ in 0..<4 {
    let digit: UInt8
    switch at.pointee {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = at.pointee - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = at.pointee - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = at.pointee - UInt8(ascii: "A") + 10
    default: return nil
    }
    unit = unit << 4 | UInt16(digit)
    at += 1
  }
  return unit
}
