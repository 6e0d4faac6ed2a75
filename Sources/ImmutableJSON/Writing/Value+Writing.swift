extension Value {
  /// The value as canonical JSON text: the same value gives the same bytes.
  ///
  /// Keys ascend by their UTF-8 bytes, numbers are the shortest that read back as the same number,
  /// there is no white space.
  public var json: String {
    self.withJSON { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of ``json``. O(n).
  public var utf8JSON: [UInt8] {
    self.withJSON { Array($0) }
  }

  /// Calls `body` with the bytes of ``json``, which are valid in it alone. O(n).
  public func withJSON<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
  {
    var writer = JSONWriter()
    writer.write(self)
    return try body(writer.bytes)
  }
}

extension Value: CustomStringConvertible {
  public var description: String {
    self.json
  }
}
