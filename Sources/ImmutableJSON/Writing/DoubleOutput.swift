/// A buffer for the text of a double, which avoids a temporary string.
struct DoubleOutput: TextOutputStream {
  /// 32 bytes. The longest text, `-2.2250738585072014e-308`, has 24.
  var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private(set) var count = 0

  mutating func write(_ string: String) {
    var string = string
    string.withUTF8 { self.append(UnsafeRawBufferPointer($0)) }
  }

  /// Numbers call this instead of `write(_:)`. The standard library declares it for every stream.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    self.append(UnsafeRawBufferPointer(buffer))
  }

  private mutating func append(_ text: UnsafeRawBufferPointer) {
    withUnsafeMutableBytes(of: &self.bytes) { bytes in
      let room = UnsafeMutableRawBufferPointer(rebasing: bytes[self.count...])
      let text = UnsafeRawBufferPointer(rebasing: text.prefix(room.count))
      room.copyMemory(from: text)
      self.count += text.count
    }
  }
}
