extension Value {
  /// The canonical JSON text of the value: equal values have the same bytes.
  ///
  /// Keys are in ascending order of their UTF-8 bytes, doubles have the fewest significant digits
  /// that parse as the same double, and there is no white space.
  public var json: String {
    self.withJSON { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of ``json``. O(n).
  public var utf8JSON: [UInt8] {
    self.withJSON { Array($0) }
  }

  /// Calls `body` with the bytes of ``json``, which are valid only during the call. O(n).
  public func withJSON<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
  {
    var writer = JSONWriter()
    writer.write(self)
    return try body(writer.bytes)
  }

  /// Calls `body` with the bytes of ``json``, which are valid only during the call, and with the
  /// ranges of the nodes in them. Copies what the value shares with an earlier version, so this
  /// takes much less time than writing, but is O(n) too.
  package func withJSON<Result>(
    after earlier: EarlierText?,
    _ body: (UnsafeRawBufferPointer, TextRanges) throws -> Result
  ) rethrows -> Result {
    var writer = JSONWriter(capacity: max(256, earlier?.text.count ?? 0))
    let ranges = writer.write(self, after: earlier)
    return try body(writer.bytes, ranges)
  }
}

extension Value: CustomStringConvertible {
  public var description: String {
    self.json
  }
}

extension JSONObject: CustomStringConvertible {
  public var description: String {
    Value.object(self).json
  }
}

extension JSONArray: CustomStringConvertible {
  public var description: String {
    Value.array(self).json
  }
}
