import ImmutableJSON

/// Immutable, reference-counted UTF-8 text with a terminating NUL.
///
/// The text of a cached output is returned without a copy, however long it is.
public final class Text: ManagedBuffer<Int, UInt8> {
  /// Creates a text with these bytes.
  public static func make(_ bytes: [UInt8]) -> Text {
    bytes.withUnsafeBytes { self.make($0) }
  }

  /// Creates a text with these bytes.
  public static func make(_ bytes: UnsafeRawBufferPointer) -> Text {
    let buffer = self.create(minimumCapacity: bytes.count + 1) { _ in bytes.count }
    let text = unsafeDowncast(buffer, to: Text.self)
    text.withUnsafeMutablePointerToElements { start in
      UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyMemory(from: bytes)
      start[bytes.count] = 0
    }
    return text
  }

  /// Creates the canonical JSON text of a value.
  public static func make(json value: Value) -> Text {
    value.withJSON { self.make($0) }
  }

  /// Creates the canonical JSON text of a value. Copies what the value shares with an earlier one.
  static func make(
    json value: Value, after earlier: (text: Text, ranges: TextRanges)?
  ) -> (Text, TextRanges) {
    withExtendedLifetime(earlier) {
      let earlier = earlier.map { EarlierText($0.ranges, $0.text.bytes) }
      return value.withJSON(after: earlier) { (self.make($0), $1) }
    }
  }

  /// The number of bytes before the NUL.
  public var count: Int {
    self.header
  }

  /// The bytes, without the NUL. Valid while the text is retained.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: self.start, count: self.count)
  }

  /// The bytes. Valid while the text is retained.
  public var start: UnsafeMutablePointer<UInt8> {
    self.withUnsafeMutablePointerToElements { $0 }
  }
}

extension Text: CustomStringConvertible {
  public var description: String {
    String(decoding: UnsafeBufferPointer(start: self.start, count: self.count), as: UTF8.self)
  }
}
