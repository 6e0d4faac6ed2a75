internal import CScan

extension JSONParser {
  /// Parses a string value.
  func parseString(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) -> UnsafePointer<UInt8> {
    let (bytes, at, _) = try self.parseCharacters(start, end, context)
    // The scan validated the bytes.
    self.values.push(.string(String(copying: UTF8Span(unchecked: bytes.span))))
    return at
  }

  /// Parses a key and the colon after it.
  func parseKey(
    _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) -> UnsafePointer<UInt8> {
    guard start < end, start.pointee == UInt8(ascii: "\"") else {
      throw self.failure(start, start, context)
    }
    var (bytes, at, hasEscapes) = try self.parseCharacters(start, end, context)
    if hasEscapes {
      guard !bytes.contains(0) else { throw self.failure(start, at, context) }
      self.keys.push(KeyBytes(self.unescapedKeys.add(bytes)))
    } else {
      self.keys.push(KeyBytes(bytes, before: end))
    }
    skipWhitespace(&at, end)
    guard at < end, at.pointee == UInt8(ascii: ":") else { throw self.failure(at, at, .keyEnd) }
    return at + 1
  }

  /// Parses a string, with `token` on its opening quotation mark.
  ///
  /// - Returns: The bytes of the string: a part of the text or, if it has escapes, of
  ///   ``unescaped``, until the next string is parsed. And the end of the string in the text.
  @inline(__always)
  private func parseCharacters(
    _ token: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) -> (
    bytes: UnsafeBufferPointer<UInt8>, at: UnsafePointer<UInt8>, hasEscapes: Bool
  ) {
    let start = token + 1
    let stop: UnsafePointer<UInt8> = scan_characters(start, end)
    guard stop < end, stop.pointee == UInt8(ascii: "\"") else {
      let at = try self.unescape(token, end, context)
      return (UnsafeBufferPointer(self.unescaped.elements(from: 0)), at, true)
    }
    return (UnsafeBufferPointer(start: start, count: stop - start), stop + 1, false)
  }

  /// Decodes a string with escapes to ``unescaped``.
  ///
  /// - Returns: The end of the string.
  private func unescape(
    _ token: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ context: Context
  ) throws(Failure) -> UnsafePointer<UInt8> {
    var at = token + 1
    var result = scan_unescape_result(status: UNESCAPE_FULL, length: 0)
    self.unescaped.dropMoved(from: 0)
    while result.status == UNESCAPE_FULL {
      let room = self.unescaped.room(for: Int(UNESCAPE_ROOM))
      at = scan_unescape(at, end, room.baseAddress, room.count, &result)
      self.unescaped.append(initialized: result.length)
    }
    guard result.status == UNESCAPE_DONE else { throw self.failure(token, at, context) }
    return at + 1
  }
}
