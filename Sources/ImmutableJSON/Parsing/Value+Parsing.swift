extension Value {
  /// Parses JSON text (RFC 8259), which may be a scalar. O(n).
  public init(json text: String) throws(JSONParseError) {
    var text = text
    self = try text.withUTF8 { utf8 in
      Result { () throws(JSONParseError) in try Value(json: UnsafeRawBufferPointer(utf8)) }
    }.get()
  }

  /// Parses JSON text (RFC 8259), which may be a scalar. O(n).
  ///
  /// - Throws: ``JSONParseError`` for text that is not UTF-8 or not JSON, whose value exceeds
  ///   ``ValueLimits``, or that has an integer beyond 64 bits or a number beyond the range of a
  ///   double. The error has a position, unless the value has too many values or too much text.
  public init(json text: UnsafeRawBufferPointer) throws(JSONParseError) {
    self = try Self.parse(text, depth: ValueLimits.depth)
    if let error = self.exceededLimit { throw JSONParseError(error) }
  }

  /// Parses JSON text that this library has written, with values in it that were within
  /// ``ValueLimits``. It may nest 16 levels deeper, and the limits may have been others.
  package init(written text: UnsafeRawBufferPointer) throws(JSONParseError) {
    self = try Self.parse(text, depth: ValueLimits.depth + 16)
  }

  private static func parse(
    _ text: UnsafeRawBufferPointer, depth: Int
  ) throws(JSONParseError) -> Value {
    let parser = JSONParser.acquire()
    defer { parser.release() }
    do throws(JSONParser.Failure) {
      return try parser.parse(text.bindMemory(to: UInt8.self), depth: depth)
    } catch {
      throw JSONParseError(error, in: text)
    }
  }
}
