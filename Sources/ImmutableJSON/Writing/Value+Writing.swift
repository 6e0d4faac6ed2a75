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

  /// Writes ``json`` to memory that the caller frees, and that may be longer. O(n).
  ///
  /// - Parameter prefix: The number of bytes before the text, for the caller.
  package func writeJSON(prefix: Int) -> WrittenJSON {
    var writer = JSONWriter(prefix: prefix)
    writer.write(self)
    return WrittenJSON(writer, isExact: false)
  }

  /// The same for a text that is kept, with the ranges of the nodes in it. Copies what the value
  /// shares with an earlier version, so this takes much less time than writing, but is O(n) too.
  package func writeJSON(
    prefix: Int, after earlier: EarlierText?
  ) -> (json: WrittenJSON, ranges: TextRanges) {
    var writer = JSONWriter(capacity: max(256, earlier?.text.count ?? 0), prefix: prefix)
    let ranges = writer.write(self, after: earlier)
    return (WrittenJSON(writer, isExact: true), ranges)
  }
}

/// JSON text in memory of its own, with a free byte after it.
package struct WrittenJSON {
  /// From `malloc`.
  package let memory: UnsafeMutablePointer<UInt8>
  package let count: Int

  fileprivate init(_ writer: consuming JSONWriter, isExact: Bool) {
    self.count = writer.count
    self.memory = writer.takeMemory(isExact: isExact)
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
